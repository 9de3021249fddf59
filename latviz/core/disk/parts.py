"""Parts: files that are being written, and cleaning up after a killed writer."""

import os
import platform
import secrets
import shutil
import time
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path

OLD_S = 24 * 3600
"""Age after which a part is deleted if its writer is unknown or ran elsewhere."""
_NAMES = ".latviz-*.part"
_swept = set[Path]()


def part_of(target: Path) -> Path:
    """Return a new, unpredictable name next to a file, with a tag of the writing process."""
    # The first call removes parts left in the folder by killed programs
    if target.parent not in _swept:
        _swept.add(target.parent)
        sweep(target.parent)
    return target.with_name(f".latviz-{os.getpid()}-{_machine()}-{secrets.token_hex(8)}.part")


def sweep(folder: Path) -> None:
    """Remove the parts of files in a folder of killed programs."""
    with suppress(OSError):  # it may not be there, or not be listed
        for part in folder.glob(_NAMES):
            with suppress(OSError):  # another program may sweep at the same time
                if not _is_being_written(part):
                    _remove(part)


def _remove(part: Path) -> None:
    if part.is_dir() and not part.is_symlink():
        shutil.rmtree(part)
    else:
        part.unlink()


@cache
def _machine() -> str:
    """Return a digest of the machine or container, within which process numbers are unique."""
    numbers = "/proc/self/ns/pid"  # containers have their own
    space = os.readlink(numbers) if os.path.exists(numbers) else ""
    return f"{zlib.crc32(f'{platform.node()} {space}'.encode()):08x}"


def _writer_of(part: Path) -> int | None:
    """Return the number of the process that writes a part, from its name; None if unknown."""
    match part.name.split("-"):
        case [_, number, machine, _] if number.isdecimal() and machine == _machine():
            return int(number)
        case [_, number, _] if number.isdecimal():  # of an older program
            return int(number)
    return None


def _is_being_written(part: Path) -> bool:
    import psutil  # not above: the window is shown before it is needed

    writer, written = _writer_of(part), part.lstat().st_mtime
    if writer is None:
        return time.time() - written < OLD_S
    try:
        # A process that began later has the number of one that ended.
        return bool(psutil.Process(writer).create_time() <= written + 1)
    except psutil.Error:
        return False
