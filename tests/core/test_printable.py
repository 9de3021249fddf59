"""Names and contents of files neither send commands to the terminal nor break lines."""

import errno
import io
import subprocess
import sys
from pathlib import Path

import pytest

from latviz import cli
from latviz.core import printable as module
from latviz.core.disk.errors import ExportError
from latviz.core.printable import complain, ended, is_terminal, printable, say


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


def test_the_command_line_shows_no_commands(capsys) -> None:
    name = "\x1b]0;title\x07\n.png"
    for arguments in (["--demo", name], [name], ["--dpi", name]):
        with pytest.raises(SystemExit):
            cli.run([*arguments, "--unknown"])
        told = capsys.readouterr().err
        assert "\x1b" not in told
        assert "\x07" not in told
        assert len(told.splitlines()) == 1
    assert "\x1b" not in str(ExportError(Path(name), "no"))


class Broken(io.StringIO):
    """A stream that takes no text."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self._error = error

    def write(self, _: str) -> int:
        raise self._error

    def isatty(self) -> bool:
        raise self._error


@pytest.mark.parametrize(
    ("stream", "code", "told"),
    [
        (None, 0, ""),
        (Broken(ValueError("I/O operation on closed file")), 0, ""),
        (Broken(BrokenPipeError(errno.EPIPE, "Broken pipe")), 0, ""),
        (Broken(OSError(errno.ENOSPC, "No space left on device")), 1, "No space left on device"),
    ],
)
def test_streams_that_take_no_text(stream, code, told, monkeypatch) -> None:
    errors = io.StringIO()
    monkeypatch.setattr(module, "_lost", [])
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setattr(sys, "stderr", errors)
    say("a")
    assert (ended(0), ended(2)) == (code, 2)
    assert (told in errors.getvalue(), errors.getvalue().count("\n")) == (True, bool(told))
    monkeypatch.setattr(sys, "stderr", stream)
    complain("a")
    assert not is_terminal(stream)
    codes = [cli.run_to_end(arguments) for arguments in (["--version"], ["--unknown"])]
    assert codes == [code, 2]  # of the first alone, what it should print is lost


@pytest.mark.posix("/dev/full")
def test_the_interpreter_ends_without_errors_of_its_own() -> None:
    """What a stream still holds is written once more at the end, with a traceback and code 120."""
    code = "import sys; from latviz.core.printable import *; {}; sys.exit(ended(0))"
    for option, call, to, expected in (
        ("-c", 'say("1")', ">", (1, 1)),
        ("-c", 'complain("1")', "2>", (0, 0)),
        ("-uc", "0", ">", (0, 0)),  # nothing was printed
    ):
        shell = f"'{sys.executable}' {option} '{code.format(call)}' {to} /dev/full"
        found = subprocess.run(["sh", "-c", shell], capture_output=True, check=False)
        assert (found.returncode, found.stderr.count(b"\n")) == expected
        assert (b"No space left on device" in found.stderr) == bool(expected[1])
