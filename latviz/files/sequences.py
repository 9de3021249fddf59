"""Reading sequences from plain text or FASTA."""

from __future__ import annotations

import os
import string
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz.files import memory
from latviz.files.decoding import DecodeError, check_page
from latviz.files.errors import shortened
from latviz.files.images import reading

MOST_SYMBOLS = 64
AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
NUCLEOTIDES = "ACGT", "ACGU", "ACGTN", "ACGUN"

_LETTER, _RECORD = 20, 1600
"""Bytes that a letter takes with all views of it, and that a record takes beside its letters."""
_CHARACTERS = 0x110000
_SKIPPED = {"digits": "0123456789", "gaps": "-.", "stops": "*"}
_SPACES = (9, 10, 11, 12, 13, 32, 0xA0, 0xFEFF)

Codes = NDArray[np.uint32]
Tally = dict[str, int]


@dataclass(frozen=True, eq=False)
class SequenceFile:
    """A sequence as it was read.

    Attributes
    ----------
    symbols : ndarray, shape (n,), uint8
        Indices into the alphabet. Read-only.
    alphabet : tuple of str
        The symbols' names, one character each.
    name : str
        The file's name without its folder.
    notes : tuple of str
        What was done beyond copying letters, one short sentence each.
    record, records : int
        Which record of the file this is, from 0, and how many there are.
    """

    symbols: NDArray[np.uint8]
    alphabet: tuple[str, ...]
    name: str
    notes: tuple[str, ...]
    record: int
    records: int


def read_sequence(path: str | os.PathLike[str], *, record: int = 0) -> SequenceFile:
    """Read one record of a file; see `read_sequences`."""
    return next(file for file in read_sequences(path, record=record) if file.record == record)


def read_sequences(path: str | os.PathLike[str], *, record: int = 0) -> list[SequenceFile]:
    """Read the records of a FASTA file, or the whole of a plain text.

    White space is left out and lower case read as upper case. Where there are letters, digits
    (positions), "-" and "." (gaps) and "*" (stops) are left out too; the notes say how many.
    Records without symbols are left out.

    All records have one alphabet: that of DNA (ACGT) or RNA (ACGU), with N if it occurs, if no
    other letters do; else the 20 amino acids, if no others do; else all characters that occur, in
    the order of their codes.

    Parameters
    ----------
    path : str or path-like
    record : int
        The record that is of most interest, from 0: it must have symbols. Each begins with a line
        that starts with ">"; lines that start with ";" are comments.

    Raises
    ------
    ImageError
        If the file cannot be opened, is no plain text, is too large for the memory, has no such
        record, or that record has no symbols, or there are more than 64 different ones.
    """
    path = Path(path)
    with reading(path) as (stream, _):
        size = os.fstat(stream.fileno()).st_size
        _check_size(size, 1)
        data = stream.read()
        _check_size(size, 1 + data.count(b"\n>"))
        records = _records(data)
        check_page(record, len(records), "record")
        codes = [_codes(text) for _, text in records]
        tallies = [_tally(one) for one in codes]
        skipped = _skipped(tallies)
        counted = [{c: n for c, n in tally.items() if c not in skipped} for tally in tallies]
        title = records[record][0] or "it"
        if not counted[record]:
            raise DecodeError(f"{title} has no symbols; choose another record or file")
        alphabet = _alphabet("".join(sorted(set().union(*map(_upper, counted)))))
    table = _table(alphabet)
    files = []
    for k, (title, _) in enumerate(records):
        if not counted[k]:
            continue
        symbols = table[codes[k]]
        symbols = symbols[symbols < MOST_SYMBOLS]
        symbols.flags.writeable = False
        notes = _notes(tallies[k], skipped)
        if title:
            notes = (f"record {k + 1} of {len(records)}: {title}", *notes)
        files.append(SequenceFile(symbols, tuple(alphabet), path.name, notes, k, len(records)))
    return files


def _check_size(n_bytes: int, n_records: int) -> None:
    """Raise `DecodeError` if so much text in so many records does not fit into memory."""
    needed = n_bytes * _LETTER + (n_records - 1) * _RECORD
    if n_bytes > memory.MAX_PIXELS or needed > memory.available():
        records = f"{n_records:,} records" if n_records > 1 else "1 record"
        raise DecodeError(
            f"it has {n_bytes:,} bytes in {records}, more than can be explored in the memory that "
            "is free; cut a part out of it"
        )


def _records(data: bytes) -> list[tuple[str, bytes]]:
    """Return the title and the text of each record; a plain text is one without a title."""
    if b"\0" in data[: 1 << 20]:
        raise DecodeError("it is no plain text but holds other data; save the sequence as text")
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    head, *records = (b"\n" + data).split(b"\n>")
    if not records:
        return [("", head)]
    before = b"".join(line for line in head.split(b"\n") if not line.startswith(b";"))
    if before.strip():
        raise DecodeError(
            "there is text before its first “>”, where a FASTA file has none; take it out"
        )
    return [_record(record) for record in records]


def _record(record: bytes) -> tuple[str, bytes]:
    title, _, text = record.partition(b"\n")
    if b"\n;" in b"\n" + text:
        lines = text.split(b"\n")
        text = b"\n".join(line for line in lines if not line.startswith(b";"))
    return shortened(title.decode("utf-8", "replace").strip()) or "untitled", text


def _codes(text: bytes) -> NDArray[np.uint8] | Codes:
    """Return the code points of a text."""
    if text.isascii():
        return np.frombuffer(text, np.uint8)
    try:
        return np.frombuffer(text.decode("utf-8").encode("utf-32-le"), "<u4").astype(np.uint32)
    except UnicodeDecodeError as error:
        raise DecodeError("it is no plain text in UTF-8; save it anew as plain text") from error


def _tally(codes: NDArray[np.uint8] | Codes) -> Tally:
    """Return how often each character occurs, but for white space."""
    counts = np.bincount(codes)
    there = [code for code in np.flatnonzero(counts).tolist() if code not in _SPACES]
    if any(code < 32 or code == 127 for code in there):
        raise DecodeError("it holds control characters, so it is no plain text; save it as text")
    return {chr(code): int(counts[code]) for code in there}


def _skipped(tallies: list[Tally]) -> str:
    """Return the characters that are left out: where there are letters, those that are none."""
    letters = any(c in string.ascii_letters or ord(c) >= 128 for c in set().union(*tallies))
    return "".join(_SKIPPED.values()) if letters else ""


def _notes(tally: Tally, skipped: str) -> tuple[str, ...]:
    """Return what was changed in a record, or left out of it."""
    notes = (
        ["lower case read as upper case"] if any(c in string.ascii_lowercase for c in tally) else []
    )
    for kind, characters in _SKIPPED.items() if skipped else ():
        if found := sum(tally.get(c, 0) for c in characters):
            notes.append(f"{found:,} {kind} left out")
    return tuple(notes)


def _upper(characters: Iterable[str]) -> set[str]:
    return {c.upper() if c in string.ascii_lowercase else c for c in characters}


def _alphabet(found: str) -> str:
    for known in (*NUCLEOTIDES, AMINO_ACIDS):
        if set(found) <= set(known):
            return known
    if len(found) > MOST_SYMBOLS:
        raise DecodeError(
            f"it has {len(found)} different characters, more than the {MOST_SYMBOLS} that "
            "can be explored; reduce its alphabet first"
        )
    return found


def _table(alphabet: str) -> NDArray[np.uint8]:
    """Return the symbol of each code point; 255 for those that are left out."""
    table = np.full(_CHARACTERS, 255, dtype=np.uint8)
    for symbol, character in enumerate(alphabet):
        lower = character.lower() if character.isascii() else character
        table[[ord(character), ord(lower)]] = symbol
    return table
