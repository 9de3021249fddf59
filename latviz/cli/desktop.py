"""``latviz --install-desktop``: the program in the user's menus, and its files in file managers.

The folder ``desktop`` of the resources has the same tree as the user's folder of data on Linux.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from latviz import frozen
from latviz.core.disk.errors import ExportError, plain
from latviz.core.disk.reading import read_bytes, read_text
from latviz.core.disk.writing import remove, replacing
from latviz.core.printable import complain, say
from latviz.resources import DESKTOP_ENTRY, resource

INDEXERS = {
    "update-mime-database": ("mime", "shared-mime-info"),
    "update-desktop-database": ("applications", "desktop-file-utils"),
}
"""Programs that list installed files for file managers: the folder of each, and its package."""
_INDEXING_S = 60
_PROGRAM = re.compile("^(Exec|TryExec)=latviz", re.MULTILINE)
_PLAIN = re.compile(r"[\w./+-]+", re.ASCII)
"""An argument that needs no quotes."""
_RESERVED = re.compile(r'["`$\\]')
"""Characters that a backslash precedes in an argument in quotes."""


def install() -> int:
    """Write the files of the desktop for this user; return the exit code."""
    if reason := _refusal():
        complain(f"latviz: --install-desktop: {reason}")
        return 2
    home = data_home()
    for source, name in _files():
        _write(home / name, _entry() if source == resource(DESKTOP_ENTRY) else read_bytes(source))
    _index(home)
    say(
        f"latviz is in the menu, and opens .latviz files; its files are in {home}. "
        "To remove them: latviz --uninstall-desktop"
    )
    return 0


def uninstall() -> int:
    """Remove the files of the desktop; return the exit code."""
    if reason := _refusal():
        complain(f"latviz: --uninstall-desktop: {reason}")
        return 2
    home = data_home()
    for _, name in _files():
        remove(home / name)
    _index(home)
    say(f"latviz is not in the menu any more; its files in {home} are removed")
    return 0


def data_home() -> Path:
    """Return the user's folder for data of programs; XDG's rules ignore a relative path."""
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".local" / "share"


def command_of(arguments: list[str]) -> str:
    """Return a command as the value of ``Exec``, which quotes, doubles "%" and escapes twice."""
    return _value(" ".join(map(_quoted, arguments)))


def _quoted(word: str) -> str:
    if _PLAIN.fullmatch(word):
        return word
    escaped = _RESERVED.sub(r"\\\g<0>", word).replace("%", "%%")
    return f'"{escaped}"'


def _refusal() -> str:
    """Return why the system has no such menus, or nothing."""
    if sys.platform in ("win32", "darwin"):
        return "this is for Linux; on this system, the installer of latviz does the same"
    return ""


def _files() -> list[tuple[Path, Path]]:
    """Return the files to install, each with its name in the folder of data."""
    root = resource(DESKTOP_ENTRY).parents[1]
    return [(path, path.relative_to(root)) for path in sorted(root.rglob("*")) if path.is_file()]


def _entry() -> bytes:
    """Return the entry in menus, which starts this copy of latviz."""
    values = {
        "Exec": command_of(frozen.command()),
        "TryExec": _value(sys.executable),
    }
    text = read_text(resource(DESKTOP_ENTRY))
    return _PROGRAM.sub(lambda found: f"{found[1]}={values[found[1]]}", text).encode()


def _value(text: str) -> str:
    """Return a text as the value of a key."""
    return text.replace("\\", r"\\").replace("\n", r"\n")


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(path.parent, plain(error)) from error
    with replacing(path) as stream:
        stream.write(content)


def _index(home: Path) -> None:
    """Have file managers find the files at once."""
    for program, (name, package) in INDEXERS.items():
        folder = home / name
        if not folder.is_dir():
            continue
        try:
            subprocess.run([program, folder], capture_output=True, timeout=_INDEXING_S, check=True)
        except FileNotFoundError:
            complain(f"latviz: there is no {program}; install {package}, and repeat this command")
        except (OSError, subprocess.SubprocessError) as error:
            complain(f"latviz: {program} failed, so files may not open by a double click: {error}")
