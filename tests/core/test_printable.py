"""Names and contents of files neither send commands to the terminal nor break lines."""

import io
import sys
from pathlib import Path

import pytest

from latviz import cli
from latviz.core.disk.errors import ExportError
from latviz.core.printable import complain, printable, say


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("a\nb\r\tc\0", r"a\nb\r\tc\x00"),
        ("\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe", r"\u202egnp.exe"),
        ("\N{LEFT-TO-RIGHT ISOLATE}", r"\u2066"),
        ("\N{LINE SEPARATOR}\N{NEXT LINE}\N{ZERO WIDTH SPACE}", r"\u2028\x85\u200b"),
        ("\x9b31m", r"\x9b31m"),
        ("\udcff", r"\udcff"),
        ("Größe × 3 – 日本 \\n", "Größe × 3 – 日本 \\n"),
    ],
)
def test_what_would_command_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown
    assert printable(shown) == shown


def test_any_text_is_one_line_that_can_be_encoded() -> None:
    """Of all characters that there are, halves of such as well."""
    found = printable("".join(map(chr, range(sys.maxunicode + 1))))
    assert len(found.splitlines()) == 1
    assert "\x1b" not in found
    found.encode()


def test_terminals_that_know_few_characters(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, tell in (("stdout", say), ("stderr", complain)):
        raw = io.BytesIO()
        monkeypatch.setattr(sys, name, io.TextIOWrapper(raw, "ascii", errors="strict"))
        tell("Größe\n\udcff")
        assert raw.getvalue() == rb"Gr\xf6\xdfe\n\udcff" + b"\n"


def test_the_command_line_shows_no_commands(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "\x1b]0;title\x07\n.png"
    for arguments in (["--demo", name], [name], ["classify", "test", name], ["--dpi", name]):
        with pytest.raises(SystemExit):
            cli.run([*arguments, "--unknown"])
        told = capsys.readouterr().err
        assert "\x1b" not in told
        assert "\x07" not in told
        assert len(told.splitlines()) == 1
    assert "\x1b" not in str(ExportError(Path(name), "no"))
