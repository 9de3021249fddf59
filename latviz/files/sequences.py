"""Reading sequences from plain text or FASTA."""

from __future__ import annotations

import gzip
import io
import os
import string
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from latviz.core.data.masks import filled
from latviz.core.disk.errors import shortened
from latviz.files import memory
from latviz.files.decoding import DecodeError, check_page, decoding
from latviz.files.foreign import foreign
from latviz.files.formats import GZIP, HEAD
from latviz.files.images import reading

MOST_SYMBOLS, MOST_LABELS = 64, 32
AMINO_ACIDS = "ACDEFGHIKLMNPQRSTVWY"
AMBIGUOUS = "RYSWKMBDHVX"
"""The codes of IUPAC for one of several bases, and X, which masks one; all are unknown, as N is."""
NUCLEIC, PROTEIN = (".fna", ".ffn", ".frn"), (".faa",)
"""Suffixes that determine the meaning of the letters."""
_LEAST_SURE = 0.7
"""The least share of letters for one base in texts read as DNA or RNA with other codes; in proteins
the same letters have a share of 0.4. Also of amino acids next to X."""
_LETTER, _RECORD = 20, 1600
"""Bytes per letter with all its views, and further bytes per record."""
_CHARACTERS = 0x110000
_OMITTED, _UNKNOWN = 255, 254
"""In place of symbols: characters that are dropped, and those that may be any symbol."""
_SKIPPED = {"digits": "0123456789", "gaps": "-.", "stops": "*"}
_SPACES = (9, 10, 11, 12, 13, 32, 0xA0, 0xFEFF)

Codes = NDArray[np.uint32]
Text = NDArray[np.uint8] | Codes
Tally = dict[str, int]
Record = tuple[str, bytes, bytes]
"""The title of a record, its text, and the lines of its labels."""


@dataclass(frozen=True, eq=False)
class SequenceFile:
    """A sequence as it was read."""

    # indices into the alphabet, read-only; the first known one where a symbol is not known
    symbols: Annotated[NDArray[np.uint8], "(n,)"]
    alphabet: tuple[str, ...]  # the symbols' names, one character each
    name: str  # of the file, without its folder
    notes: tuple[str, ...]  # changes beyond copying letters, one short sentence each
    record: int  # from 0
    records: int
    # known states, indices into label_names, if the file has them; read-only
    labels: Annotated[NDArray[np.uint8] | None, "(n,)"] = None
    known: Annotated[NDArray[np.bool_] | None, "(n,)"] = None  # None: all symbols are
    label_names: tuple[str, ...] = ()  # of the states of all records, one character each


def read_sequences(path: str | os.PathLike[str], *, record: int = 0) -> list[SequenceFile]:
    """Read the records of a FASTA file (perhaps packed by gzip), or the whole of a plain text."""
    # White space is dropped and lower case read as upper case. In records with letters, digits
    # (positions), "-" and "." (gaps) and "*" (stops) are dropped too, with notes. Records without
    # symbols are dropped; ``record`` must have some, except the first, which the first with symbols
    # replaces. All records have one alphabet: that of DNA (ACGT) or RNA (ACGU), if no other letters
    # occur but N and codes of IUPAC for several bases, which are unknown; else the 20 amino acids,
    # if no others do but X, which is unknown; else all characters that occur, by code. Codes of
    # IUPAC, which are amino acids too, are those of bases if all four bases occur and make up most
    # of the letters, or the suffix is of nucleotides (NUCLEIC); the suffix .faa is of amino acids.
    # Gaps are dropped, as residues on both sides of one are neighbours. Lines that start with ";"
    # are comments, but that before a sequence without ">" is its title. Lines that start with "#"
    # hold the known state of each symbol, a character for each symbol and gap above or below, in
    # the order of their codes; either all records have them or none. ImageError for more than 64
    # symbols or 32 states, states that do not fit, and files that are not text or do not fit into
    # memory
    path = Path(path)
    with reading(path) as (stream, _):
        size = os.fstat(stream.fileno()).st_size
        _check_size(size, 1)
        data = _unpacked(stream.read())
        _check_size(size, 1 + data.count(b"\n>"))
        records = _records(data)
        check_page(record, len(records), "record")
        codes = [_codes(text) for _, text, _ in records]
        tallies = [_tally(one) for one in codes]
        skipped = _skipped(tallies)
        counted = [{c: n for c, n in tally.items() if c not in skipped} for tally in tallies]
        alphabet, unknown = _alphabet(counted, path.suffix.lower())
        counted = [{c: n for c, n in one.items() if c.upper() not in unknown} for one in counted]
        if not counted[record] and (record or not any(counted)):
            title = records[record][0] or "it"
            raise DecodeError(f"{title} has no symbols; choose another record or file")
        states = _known_states(records, codes, counted)
        names = _label_names(states)
    table = _table(alphabet, unknown)
    files = []
    for k, (title, _, _) in enumerate(records):
        if not counted[k]:
            continue
        symbols = table[codes[k]]
        labels = _labels(states[k], _visible(codes[k]), table, names) if names else None
        symbols = symbols[symbols != _OMITTED]
        is_known = symbols != _UNKNOWN
        known = None if is_known.all() else is_known
        symbols = filled(symbols, known)
        symbols.flags.writeable = False
        notes = _notes(tallies[k], skipped, unknown, symbols.size)
        if title:
            notes = (f"record {k + 1} of {len(records)}: {title}", *notes)
        place = notes, k, len(records)
        file = SequenceFile(symbols, tuple(alphabet), path.name, *place, labels, known, names)
        files.append(file)
    return files


def _known_states(records: list[Record], codes: list[Text], counted: list[Tally]) -> list[Text]:
    """Return the codes of the known states of each record, if all have some; none if none has."""
    # As many as symbols and the characters dropped between them
    states = [_visible(_codes(labels)) for _, _, labels in records]
    if not any(one.size for one in states):
        return states
    for (title, _, _), one, own, symbols in zip(records, states, codes, counted, strict=True):
        if not symbols:
            continue
        if not one.size:
            raise DecodeError(
                f"{title} has no labels, but others have; write them into lines that begin with #"
            )
        if one.size != (wanted := _visible(own).size):
            raise DecodeError(
                f"{title} has {wanted:,} symbols and gaps, but {one.size:,} labels; write one for "
                "each"
            )
    return states


def _visible(codes: Text) -> Text:
    """Return the characters except white space."""
    return codes[~np.isin(codes, _SPACES)]


def _label_names(states: list[Text]) -> tuple[str, ...]:
    """Return the names of the states of all records."""
    found = sorted(set().union(*(_tally(one) for one in states if one.size)))
    if len(found) > MOST_LABELS:
        raise DecodeError(
            f"it has {len(found)} different labels, and at most {MOST_LABELS} are possible"
        )
    return tuple(found)


def _labels(
    states: Text, codes: Text, table: NDArray[np.uint8], names: tuple[str, ...]
) -> NDArray[np.uint8]:
    """Return the state of each symbol, without those of omitted characters."""
    kept = states[table[codes] != _OMITTED]
    labels: NDArray[np.uint8] = np.searchsorted([ord(name) for name in names], kept).astype(
        np.uint8
    )
    labels.flags.writeable = False
    return labels


def _unpacked(data: bytes) -> bytes:
    """Return data, unpacked if they are packed by gzip: no more than can be explored, and one."""
    if not data.startswith(GZIP):
        return data
    most = min(memory.MAX_PIXELS, memory.available() // _LETTER) + 1
    with decoding("gzip"), gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        found = packed.read(most)
    _check_size(len(found), 1)
    return found


def _check_size(n_bytes: int, n_records: int) -> None:
    """Raise `DecodeError` if this text in this many records does not fit into memory."""
    needed = n_bytes * _LETTER + (n_records - 1) * _RECORD
    if n_bytes > memory.MAX_PIXELS or needed > memory.available():
        records = f"{n_records:,} records" if n_records > 1 else "1 record"
        raise DecodeError(
            f"it has {n_bytes:,} bytes in {records}, more than can be explored in the memory that "
            "is free; cut a part out of it"
        )


def _records(data: bytes) -> list[Record]:
    """Return the records of a file; a plain text is one without a title or labels."""
    if b"\0" in data[: 1 << 20]:
        raise DecodeError("it is not plain text but holds other data; save the sequence as text")
    data = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n")
    if reason := foreign(data[:HEAD]):
        raise DecodeError(reason)
    head, *records = (b"\n" + data).split(b"\n>")
    before = b"".join(line for line in head.split(b"\n") if not line.startswith(b";"))
    if before.strip() and head.lstrip().startswith(b";"):  # as FASTA was first: with one title
        records.insert(0, head.lstrip()[1:])
    elif not records:
        return [("", head, b"")]
    elif before.strip():
        raise DecodeError(
            "there is text before its first “>”, where a FASTA file has none; remove it"
        )
    return [_record(record) for record in records]


def _record(record: bytes) -> Record:
    title, _, text = record.partition(b"\n")
    labels = b""
    if b"\n;" in b"\n" + text or b"\n#" in b"\n" + text:
        lines = [line for line in text.split(b"\n") if not line.startswith(b";")]
        text = b"\n".join(line for line in lines if not line.startswith(b"#"))
        labels = b"\n".join(line[1:] for line in lines if line.startswith(b"#"))
    return shortened(title.decode("utf-8", "replace").strip()) or "untitled", text, labels


def _codes(text: bytes) -> Text:
    """Return the code points of a text."""
    if text.isascii():
        return np.frombuffer(text, np.uint8)
    try:
        return np.frombuffer(text.decode("utf-8").encode("utf-32-le"), "<u4").astype(np.uint32)
    except UnicodeDecodeError as error:
        raise DecodeError("it is not plain text in UTF-8; save it again as plain text") from error


def _tally(codes: Text) -> Tally:
    """Return the count of each character, except white space."""
    counts = np.bincount(codes)
    there = [code for code in np.flatnonzero(counts).tolist() if code not in _SPACES]
    if any(code < 32 or code == 127 for code in there):
        raise DecodeError("it holds control characters, so it is not plain text; save it as text")
    return {chr(code): int(counts[code]) for code in there}


def _skipped(tallies: list[Tally]) -> str:
    """Return the omitted characters: if there are letters, those that are not letters."""
    letters = any(c in string.ascii_letters or ord(c) >= 128 for c in set().union(*tallies))
    return "".join(_SKIPPED.values()) if letters else ""


def _notes(tally: Tally, skipped: str, unknown: str, n: int) -> tuple[str, ...]:
    """Return notes on changed, omitted or unknown characters of a record of ``n`` symbols."""
    notes = (
        ["lower case read as upper case"] if any(c in string.ascii_lowercase for c in tally) else []
    )
    for kind, characters in _SKIPPED.items() if skipped else ():
        if found := sum(tally.get(c, 0) for c in characters):
            notes.append(f"{kind} left out: {found:,}")
    codes = sorted(c for c in _upper(tally) if c in unknown)
    if found := sum(n for c, n in tally.items() if c.upper() in codes):
        notes.append(f"{found:,} of {n:,} positions are unknown ({', '.join(codes)})")
    return tuple(notes)


def _upper(characters: Iterable[str]) -> set[str]:
    return {c.upper() if c in string.ascii_lowercase else c for c in characters}


def _alphabet(counted: list[Tally], suffix: str) -> tuple[str, str]:
    """Return the alphabet of all records, and the letters that may be any of it."""
    totals = Counter[str]()
    for tally in counted:
        for character, count in tally.items():
            totals[character.upper() if character in string.ascii_lowercase else character] += count
    found = "".join(sorted(totals))
    bases = "ACGU" if "U" in totals else "ACGT"
    is_nucleic = set(found) <= set(f"{bases}N{AMBIGUOUS}") and suffix not in PROTEIN
    codes = "".join(c for c in found if c in AMBIGUOUS)
    if is_nucleic and codes and suffix not in NUCLEIC:
        sure = sum(totals[c] for c in f"{bases}N") / totals.total()
        is_nucleic = all(totals[c] for c in bases) and sure >= _LEAST_SURE
    if is_nucleic:
        return bases, f"N{AMBIGUOUS}"
    if set(found) <= {*AMINO_ACIDS, "X"} and totals["X"] <= (1 - _LEAST_SURE) * totals.total():
        return AMINO_ACIDS, "X"
    if len(found) > MOST_SYMBOLS:
        raise DecodeError(
            f"it has {len(found)} different characters, more than the {MOST_SYMBOLS} that "
            "can be explored; reduce its alphabet first"
        )
    return found, ""


def _table(alphabet: str, unknown: str) -> NDArray[np.uint8]:
    """Return the symbol of each code point, or why there is none."""
    table = np.full(_CHARACTERS, _OMITTED, dtype=np.uint8)
    for symbol, character in enumerate(alphabet):
        lower = character.lower() if character.isascii() else character
        table[[ord(character), ord(lower)]] = symbol
    for character in unknown:
        table[[ord(character), ord(character.lower())]] = _UNKNOWN
    return table
