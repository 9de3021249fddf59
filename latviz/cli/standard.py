"""The standard input as a file to read, and the standard output as one to write."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from latviz.cli.parser import ending
from latviz.core.disk.errors import FileError, plain
from latviz.core.disk.reading import read_bytes
from latviz.core.disk.writing import replacing
from latviz.core.printable import is_terminal, send

STREAM = "-"
"""The name of both, as in other programs."""


_OF_MANY = "table", "confusion", "score_choose"


def file_to_write(*suffixes: str) -> Callable[[str], Path]:
    """Return a type of arguments: files of one of the suffixes, or "-", one of the first."""
    return lambda text: Path(STREAM + suffixes[0]) if text == STREAM else ending(*suffixes)(text)


def is_output(path: Path) -> bool:
    """Return True if a result is for the standard output: its name is "-" with a suffix."""
    return path.stem == STREAM and len(path.parts) == 1


def streamed(options: argparse.Namespace) -> list[Path]:
    """Return the results that go to the standard output, the printed summary apart."""
    words = vars(options)
    named = [words.get(name) for name in ("snapshot", "report", "live", *_OF_MANY)]
    figures = (Path(path) for _, path in words.get("figure", ()))
    several = (*words.get("export", ()), *words.get("regions", ()), *figures)
    return [path for path in (*named, *several) if path is not None and is_output(path)]


@contextmanager
def received(places: Sequence[str]) -> Iterator[list[str]]:
    """Yield names of files, with the standard input as a file that lives as long as the block."""
    if STREAM not in places:
        yield list(places)
        return
    with _folder() as folder:
        path = folder / "stdin"
        if sys.stdin is None or is_terminal(sys.stdin):
            raise FileError(path, "nothing is piped into it: cat photo.png | latviz -")
        with replacing(path, lasting=False) as stream:
            shutil.copyfileobj(sys.stdin.buffer, stream)
        if not path.stat().st_size:
            raise FileError(path, "it is empty; pipe an image into it: cat photo.png | latviz -")
        yield [str(path) if place == STREAM else place for place in places]


@contextmanager
def sent(path: Path) -> Iterator[Path]:
    """Yield where to write a result, which goes to the standard output if that is its name."""
    if not is_output(path):
        yield path
        return
    with _folder() as folder:
        written = folder / path.name
        try:
            yield written
        except FileError as error:
            if error.path != written:
                raise
            raise type(error)(Path(STREAM), error.reason) from error
        send(read_bytes(written, written.stat().st_size))


@contextmanager
def _folder() -> Iterator[Path]:
    try:
        made = tempfile.TemporaryDirectory(prefix="latviz-")
    except OSError as error:
        raise FileError(Path(tempfile.gettempdir()), plain(error)) from error
    with made as folder:
        yield Path(folder)
