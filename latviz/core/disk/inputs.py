"""Inputs: the files that results are made from, which no result may replace.

A command of the shell has as inputs all files that it opens, and those that it is going to open
(`hold`). The window has those of the work on screen (`watch`): files that it only previewed, or
opened earlier, may be replaced. Scripts that call the core have none, as they may well update the
file of a model. Sessions and lists that grow are not results: they are saved where they came from.
"""

import os
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from weakref import WeakMethod

from latviz.core.disk.errors import TargetError

PathLike = str | os.PathLike[str]
Source = Callable[[Path], Iterable[PathLike]]
"""Returns inputs, given a file that is to be written; those that it cannot be may be missing."""
_Key = tuple[int, int]

_commands: list[dict[_Key, str]] = []
"""The inputs of each command in progress, by device and inode, which links share."""
_sources: list["WeakMethod[Source]"] = []


@contextmanager
def kept() -> Iterator[None]:
    """Keep all inputs from being replaced until the block ends: it is a command."""
    _commands.append({})
    try:
        yield
    finally:
        _commands.pop()


def watch(source: Source) -> None:
    """Keep the files that a method returns, when a file is written, from being replaced."""
    # It ends with the method's object, too
    _sources.append(WeakMethod(source))


def unwatch(source: Source) -> None:
    """End `watch`, unless it ended before."""
    _sources[:] = [one for one in _sources if one() not in (None, source)]


def note(path: PathLike, found: os.stat_result) -> None:
    """Add a file that was opened to the inputs, if a command is in progress."""
    if _commands:
        _commands[-1].setdefault(_key(found), os.path.abspath(path))


def hold(paths: Iterable[PathLike]) -> None:
    """Add files and zarr folders that will be read to the inputs of the command."""
    if _commands:
        for path in paths:
            with suppress(OSError, ValueError):  # reading it reports the reason
                note(path, os.stat(path))


def check_kept(path: PathLike) -> None:
    """Raise `TargetError` if a file, or a new one in a folder, replaces or changes an input."""
    target = Path(os.path.realpath(path))
    places = {_key(found): place for place in (target, *target.parents) if (found := _stat(place))}
    for key, one in _at(places, target):
        if places[key] == target:
            reason = "the result is made from this file, which would be lost; choose another name"
        else:
            name = os.path.basename(one)
            reason = f"it lies in {name}, from which the result is made; choose another folder"
        raise TargetError(Path(path), reason)


def _at(places: Collection[_Key], target: Path) -> Iterator[tuple[_Key, str]]:
    """Yield the inputs at some places, which are those of a target and of its folders."""
    for known in _commands:
        for key in known.keys() & {*places}:
            if _key_of(known[key]) == key:  # a file may be deleted, and its inode used again
                yield key, known[key]
    sources = [source for one in list(_sources) if (source := one()) is not None]
    for path in (path for source in sources for path in source(target)):
        own = _key_of(path)
        if own is not None and own in places:
            yield own, os.fspath(path)


def _key(found: os.stat_result) -> _Key:
    return found.st_dev, found.st_ino


def _key_of(path: PathLike) -> _Key | None:
    found = _stat(path)
    return None if found is None else _key(found)


def _stat(path: PathLike) -> os.stat_result | None:
    try:
        return os.stat(path)
    except (OSError, ValueError):
        return None
