"""Sequences from plain text and FASTA."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from latviz.files import memory
from latviz.files.errors import ImageError
from latviz.files.sequences import AMINO_ACIDS, SequenceFile, read_sequences
from latviz.workspace import read_picture, read_pictures
from tests.files.corpus import damaged, problem_with
from tests.products import every_pair


def read(folder, content, record=0, name="a.fasta") -> SequenceFile:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    found = read_sequences(path, record=record)
    return next(file for file in found if file.record >= record)


def text_of(file: SequenceFile, unknown: str = "N") -> str:
    """Return the letters; unknown ones hold the first known one."""
    symbols = np.array([file.alphabet[symbol] for symbol in file.symbols])
    if file.known is not None:
        assert (symbols[~file.known] == symbols[file.known][0]).all()
        symbols[~file.known] = unknown
    return "".join(symbols)


def refusal(folder: Path, content: str | bytes, record: int = 0) -> str:
    with pytest.raises(ImageError) as caught:
        read(folder, content, record)
    assert str(caught.value).startswith("a.fasta: ")
    return caught.value.reason


def test_a_protein(tmp_path: Path) -> None:
    file = read(tmp_path, ">sp|P1 a protein\nMKV\nLAW\n")
    assert file.symbols.dtype == np.uint8
    assert not file.symbols.flags.writeable
    assert file.alphabet == tuple(AMINO_ACIDS)
    assert text_of(file) == "MKVLAW"
    assert file.notes == ("record 1 of 1: sp|P1 a protein",)
    assert (file.name, file.record, file.records) == ("a.fasta", 0, 1)


@pytest.mark.parametrize(
    ("text", "alphabet"),
    [
        ("GATTACA", "ACGT"),
        ("A", "ACGT"),
        ("GAUUACA", "ACGU"),
        ("MKV", AMINO_ACIDS),
        ("GATTNACA", "ACGT"),
        ("GATTNACAQ", AMINO_ACIDS),  # N is asparagine
        ("MKVX", AMINO_ACIDS),
        ("MXVXX", "MVX"),
        ("MUTTU", "MTU"),
        ("HHEELL", AMINO_ACIDS),
        ("0110 1001", "01"),
        ("+-+ -", "+-"),
        ("ÄÖÄ", "ÄÖ"),
        ("αβαγ", "αβγ"),
    ],
)
def test_the_alphabet_is_what_the_text_fits(tmp_path: Path, text: str, alphabet: str) -> None:
    file = read(tmp_path, text, name="a.txt")
    assert file.alphabet == tuple(alphabet)
    assert text_of(file, "X" if "K" in text else "N") == text.replace(" ", "")
    assert len(file.notes) == (file.known is not None) == (text in ("GATTNACA", "MKVX"))


def test_what_is_left_out_is_said(tmp_path: Path) -> None:
    file = read(tmp_path, ">x\r\n  1 gatt aca-  60\r\n 61 ..GAT*\r\n\r\n")
    assert text_of(file) == "GATTACAGAT"
    assert file.notes == (
        "record 1 of 1: x",
        "lower case read as upper case",
        "digits left out: 5",
        "gaps left out: 3",
        "stops left out: 1",
    )


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_records_are_told_apart(tmp_path: Path, ends: str) -> None:
    content = "; a comment\n\n>one\nAC>GT\n>two \n\nGGG\n; no\nTTT\n>\nCC".replace("\n", ends)
    found = [read(tmp_path, content, record) for record in range(3)]
    assert [file.records for file in found] == [3, 3, 3]
    assert [text_of(file) for file in found] == ["AC>GT", "GGGTTT", "CC"]
    assert [file.notes[0] for file in found] == [
        "record 1 of 3: one",
        "record 2 of 3: two",
        "record 3 of 3: untitled",
    ]


def test_a_text_without_headers_is_one_record(tmp_path: Path) -> None:
    file = read(tmp_path, "\ufeffMKV\tLAW\n\nMK", name="a.txt")
    assert text_of(file) == "MKVLAWMK"
    assert file.records == 1


def test_as_many_symbols_as_can_be_explored(tmp_path: Path) -> None:
    many = "".join(chr(0x4E00 + k) for k in range(64))
    assert read(tmp_path, many).alphabet == tuple(many)
    assert "65 different characters, more than the 64" in refusal(tmp_path, many + "あ")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "the file is empty"),
        (b"\x89PNG\r\n\x1a\n\0\0", "not plain text"),
        (b"ACG\x01T", "control characters"),
        (b"ACGT\xff\xfe", "UTF-8"),
        ("ACGT".encode("utf-16"), "not plain text"),
        (">one\n>two\n\n", "one has no symbols"),
        ("LOCUS       SCU49845 5028 bp DNA\nORIGIN\n 1 gatcctccat\n//\n", "the format GenBank"),
        ("ID   X56734; SV 1\nSQ\n   aaac\n", "the format EMBL"),
        ("CLUSTAL W (1.82)\n\na  ACGT\nb  ACGT\n", "the format Clustal"),
        ("# STOCKHOLM 1.0\na ACGT\n//\n", "the format Stockholm"),
        ("@read1\nACGT\n+\nIIII\n", "the format FASTQ"),
        (gzip.compress(b">a\nACGT\n" * 99, mtime=0)[:-20], "damaged, cut off"),
        (" \n\n\t", "it has no symbols"),
        (">one\n--**12\n", None),
        ("text\n>one\nACGT", "before its first “>”"),
    ],
)
def test_what_is_no_sequence_is_refused(tmp_path, content, reason) -> None:
    if reason is None:  # without letters, signs and digits are symbols
        assert text_of(read(tmp_path, content)) == "--**12"
    else:
        assert reason in refusal(tmp_path, content)


def test_a_record_that_is_not_there(tmp_path: Path) -> None:
    assert "record 3 was asked for, but it has 2" in refusal(tmp_path, ">a\nA\n>b\nC\n", 2)


def test_a_file_that_is_not_there_or_too_large(tmp_path, monkeypatch) -> None:
    with pytest.raises(ImageError, match=r"a\.fasta: there is no such file"):
        read_sequences(tmp_path / "a.fasta")
    monkeypatch.setattr(memory, "available", lambda: 20 * 100)
    assert text_of(read(tmp_path, "ACGT" * 25)) == "ACGT" * 25
    assert "it has 101 bytes in 1 record, more than can be explored" in refusal(tmp_path, "A" * 101)


def test_a_picture_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "two.fa"
    path.write_text(">a\nMKV\n>b\nLAWL\n")
    picture = read_picture(path, 1)
    assert (picture.dimensions, picture.shape) == (1, (4,))
    assert picture.alphabet == tuple(AMINO_ACIDS)
    assert picture.size_text == "4 positions"
    origin = picture.origin
    assert (origin["page"], origin["pages"], origin["unit"]) == (1, 2, "record")
    for options in ({"reduction": 2}, {"axes": "volume=lattice"}):
        with pytest.raises(ImageError, match="neither reduced nor opened as a volume"):
            read_picture(path, **options)


LABELLED = """>one a protein
MK-V
#HH.E
LA
W
#EEC
>two
mkw
#CHE
"""


def test_lines_of_labels(tmp_path: Path) -> None:
    first = read(tmp_path, LABELLED)
    assert text_of(first) == "MKVLAW"
    assert not first.labels.flags.writeable
    assert "".join(first.label_names[k] for k in first.labels) == "HHEEEC"
    second = read(tmp_path, LABELLED, record=1)
    assert first.label_names == second.label_names == (".", "C", "E", "H")
    assert second.labels.tolist() == [1, 3, 2]
    picture = read_picture(tmp_path / "a.fasta")
    assert picture.truth.tolist() == [3, 3, 2, 2, 2, 1]


def test_without_labels_nothing_is_known(tmp_path: Path) -> None:
    assert read(tmp_path, ">one\nMKV\n").labels is None
    plain = read(tmp_path, "#.#\n##.\n", name="a.txt")  # no FASTA: these are symbols
    assert (plain.labels, text_of(plain)) == (None, "#.###.")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (">one\nMKV\n#HH\n", "one has 3 symbols and gaps, but 2 labels; write one for each"),
        (">one\nMKV\n#HHHH\n", "one has 3 symbols and gaps, but 4 labels"),
        (">one\nMKV\n#HHE\n>two\nMKV\n", "two has no labels, but others have"),
        (">one\nMKV\n#H\x01E\n", "control characters"),
        (f">one\n{'M' * 40}\n#{''.join(map(chr, range(48, 88)))}\n", "40 different labels"),
    ],
)
def test_labels_that_miss(tmp_path: Path, content: str, said: str) -> None:
    assert said in refusal(tmp_path, content)


DNA = "ACGTTGCAACGGTTAACCGGATATCGCG"


@pytest.mark.parametrize(
    ("letters", "alphabet", "read_as"),
    [
        (f"{DNA}RYKM{DNA}", "ACGT", f"{DNA}NNNN{DNA}"),
        (f"{DNA}RYSWKMBDHVN", "ACGT", f"{DNA}{'N' * 11}"),
        (f"{DNA}ryswkmbdhvn".lower(), "ACGT", f"{DNA}{'N' * 11}"),
        (f"{DNA}XX-X*", "ACGT", f"{DNA}NNN"),
        (f"{DNA}R".replace("T", "U"), "ACGU", f"{DNA}N".replace("T", "U")),
        ("GTGYCAGCMGCCGCGGTAA", "ACGT", "GTGNCAGCNGCCGCGGTAA"),  # the primer 515F
        ("GAGAGSGAGAGSGAGAGY", AMINO_ACIDS, "GAGAGSGAGAGSGAGAGY"),  # silk: neither C nor T
        ("MKVSTAGHDRCNKYWGATC", AMINO_ACIDS, "MKVSTAGHDRCNKYWGATC"),
        ("MKVB", "BKMV", "MKVB"),
        (f"{DNA}E", AMINO_ACIDS, f"{DNA}E"),
    ],
)
def test_codes_for_several_bases_are_unknown(tmp_path, letters, alphabet, read_as) -> None:
    file = read(tmp_path, f">a\n{letters}\n", name="a.fa")
    assert file.alphabet == tuple(alphabet)
    assert text_of(file) == read_as
    noted = [note for note in file.notes if "are unknown" in note]
    n_unknown = read_as.count("N") if len(alphabet) == 4 else 0
    assert len(noted) == (n_unknown > 0)
    assert all(
        note.startswith(f"{n_unknown} of {len(read_as)} positions are unknown (") for note in noted
    )


def test_a_record_of_which_nothing_is_known(tmp_path: Path) -> None:
    content = ">gap\nNNNN\n>a\nGATNACA\n"
    assert text_of(read(tmp_path, content)) == "GATNACA"
    assert [file.record for file in read_sequences(tmp_path / "a.fasta")] == [1]
    assert "gap has no symbols" in refusal(tmp_path, ">a\nGATNACA\n>gap\nNNNN\n", 1)
    pictures = read_pictures(tmp_path / "a.fasta", 0)
    np.testing.assert_array_equal(pictures.picture.known, [k != 3 for k in range(7)])


@pytest.mark.parametrize("suffix", [".fna", ".ffn", ".frn", ".FNA"])
def test_suffixes_say_what_letters_stand_for(tmp_path: Path, suffix: str) -> None:
    few = read(tmp_path, ">a\nRYKMGA\n", name=f"a{suffix}")
    assert (few.alphabet, text_of(few)) == (tuple("ACGT"), "NNNNGA")
    assert read(tmp_path, ">a\nGATTACA\n", name="a.faa").alphabet == tuple(AMINO_ACIDS)


FASTA = [
    (">one\nGATT\nACA*\n", "record 1 of 1: one"),
    ("\n\n>one\n\nGATT\n\nACA\n", "record 1 of 1: one"),
    ("\ufeff>one\nGATTACA", "record 1 of 1: one"),
    ("; one\n; more\nGATT\nACA*\n", "record 1 of 1: one"),
    (";one\nGATTACA*\n>two\nACGT\n", "record 1 of 2: one"),
    (">none\n>one\nGATTACA\n", "record 2 of 2: one"),
    (">none\n\n;c\n>nor\n--\n*\n>one\nGATTACA\n>last\n", "record 3 of 4: one"),
]
"""Contents, each with the description of its record."""


@pytest.mark.parametrize(
    ("content", "name", "end"),
    every_pair(
        FASTA, ["a.fas", "a.mfa", "a.aln", "a.ffn", "a.png", "a", "a.txt"], ["\n", "\r\n", "\r"]
    ),
)
def test_fasta_is_recognised_under_any_name(tmp_path, content, name, end) -> None:
    path, (text, title) = tmp_path / name, content
    for data in (text.replace("\n", end).encode(), gzip.compress(text.encode())):
        path.write_bytes(data)
        picture = read_picture(path)
        assert "".join(picture.alphabet[k] for k in picture.pixels) == "GATTACA"
        assert picture.notes[0] == title


def test_what_gzip_unpacks_to_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 20 * 1000)
    assert "more than can be explored" in refusal(tmp_path, gzip.compress(b">a\n" + b"A" * 10**7))


def test_damaged_records_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    path, lines = tmp_path / "a.fasta", list[str]()
    for seed in range(150):
        path.write_bytes(damaged(b">a\nACGTACGTAA\n>b\nGGGTTTACG\n", seed))
        try:
            read_picture(path)
        except ImageError as error:
            lines.append(str(error))
    assert 5 < len(lines) < 145
    assert not any(problem_with(line, path) or "\n" in line for line in lines)
