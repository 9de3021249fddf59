"""Reading one sequence from plain text or FASTA."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from latviz.files import memory
from latviz.files.decoding import DecodeError, check_page
from latviz.files.images import reading

SUFFIXES = ("fasta", "fa", "faa", "fna", "seq", "txt")
MOST_SYMBOLS = 64
AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
NUCLEOTIDES = "ACGT", "ACGU", "ACGTN", "ACGUN"

_CHARACTERS = 0x110000
_SKIPPED = {"digits": "0123456789", "gaps": "-.", "stops": "*"}
_SPACES = (9, 10, 11, 12, 13, 32, 0xA0, 0xFEFF)

Codes = NDArray[np.uint32]


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


def is_sequence(path: str | os.PathLike[str]) -> bool:
    """Return whether a file's name says that it holds a sequence."""
    return Path(path).suffix.lower().removeprefix(".") in SUFFIXES


def read_sequence(path: str | os.PathLike[str], *, record: int = 0) -> SequenceFile:
    """Read a record of a FASTA file, or the whole of a plain text.

    White space is left out and lower case read as upper case. Where there are letters, digits
    (positions), "-" and "." (gaps) and "*" (stops) are left out too; the notes say how many.

    The alphabet is that of DNA (ACGT) or RNA (ACGU), with N if it occurs, if no other letters do;
    else the 20 amino acids, if no others do; else all characters that occur, in the order of their
    codes.

    Parameters
    ----------
    path : str or path-like
    record : int
        The record of a FASTA file, from 0. Each begins with a line that starts with ">"; lines
        that start with ";" are comments.

    Raises
    ------
    ImageError
        If the file cannot be opened, is no plain text, is too large for the memory, has no such
        record, or the record has no symbols or more than 64 different ones.
    """
    path = Path(path)
    with reading(path) as (stream, _):
        size = os.fstat(stream.fileno()).st_size
        if size > memory.most_explored():
            raise DecodeError(
                f"it has {size:,} bytes, more than the {memory.most_explored():,} that can be "
                "explored; cut a part out of it"
            )
        records = _records(stream.read())
        check_page(record, len(records), "record")
        title, text = records[record]
        symbols, alphabet, notes = _symbols(_codes(text), title or "it")
    if title:
        notes = (f"record {record + 1} of {len(records)}: {title}", *notes)
    symbols.flags.writeable = False
    return SequenceFile(symbols, alphabet, path.name, notes, record, len(records))


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
    return title.decode("utf-8", "replace").strip() or "untitled", text


def _codes(text: bytes) -> Codes:
    """Return the code points of a text."""
    if text.isascii():
        return np.frombuffer(text, np.uint8).astype(np.uint32)
    try:
        return np.frombuffer(text.decode("utf-8").encode("utf-32-le"), "<u4").astype(np.uint32)
    except UnicodeDecodeError as error:
        raise DecodeError("it is no plain text in UTF-8; save it anew as plain text") from error


def _symbols(codes: Codes, what: str) -> tuple[NDArray[np.uint8], tuple[str, ...], tuple[str, ...]]:
    """Return the symbols, their alphabet, and what was left out or changed."""
    counts = np.bincount(codes, minlength=_CHARACTERS)
    counts[list(_SPACES)] = 0
    if counts[:32].any() or counts[127]:
        raise DecodeError("it holds control characters, so it is no plain text; save it as text")
    small = slice(ord("a"), ord("z") + 1)
    notes = ["lower case read as upper case"] if counts[small].any() else []
    upper = counts[small].copy()
    counts[small] = 0
    counts[ord("A") : ord("Z") + 1] += upper
    if counts[ord("A") : ord("Z") + 1].any() or counts[128:].any():
        for kind, characters in _SKIPPED.items():
            codes_of_kind = [ord(character) for character in characters]
            if found := int(counts[codes_of_kind].sum()):
                notes.append(f"{found:,} {kind} left out")
            counts[codes_of_kind] = 0
    alphabet = _alphabet("".join(map(chr, np.flatnonzero(counts).tolist())), what)
    table = np.full(_CHARACTERS, 255, dtype=np.uint8)
    for symbol, character in enumerate(alphabet):
        lower = character.lower() if character.isascii() else character
        table[[ord(character), ord(lower)]] = symbol
    symbols = table[codes]
    return symbols[symbols < 255], tuple(alphabet), tuple(notes)


def _alphabet(found: str, what: str) -> str:
    if not found:
        raise DecodeError(f"{what} has no symbols; choose another record or file")
    for known in (*NUCLEOTIDES, AMINO_ACIDS):
        if set(found) <= set(known):
            return known
    if len(found) > MOST_SYMBOLS:
        raise DecodeError(
            f"{what} has {len(found)} different characters, more than the {MOST_SYMBOLS} that "
            "can be explored; reduce its alphabet first"
        )
    return found
