"""Names of files that every system takes, and paths in the form of URLs."""

import hashlib
import os
import re
from urllib.parse import unquote

from latviz.core.disk.names import DEVICE

MOST_BYTES = 255
"""Of a file's name, as systems allow."""
LONGEST = 200
"""Bytes, so that there is room for a suffix."""
_REPLACED = "\N{REPLACEMENT CHARACTER}"
_UNSAFE = re.compile(r"[^\w.,+() -]+")


def fitting_name(name: str, room: int) -> str:
    """Return a file's name, shortened to ``room`` bytes if it is longer; names stay distinct."""
    if len(os.fsencode(name)) <= room:
        return name
    mark = hashlib.sha256(os.fsencode(name)).hexdigest()[:12]
    kept = os.fsencode(name)[: room - len(mark) - 1].decode(errors="ignore")
    return f"{kept}-{mark}"


def on_disk(path: str) -> str:
    """Return the path of a file in whose name the window system replaced bytes outside UTF-8."""
    folder, name = os.path.split(path)
    if _REPLACED not in path or os.path.lexists(path) or not name:
        return path
    folder = on_disk(folder)
    names = os.listdir(folder) if os.path.isdir(folder) else []
    found = [one for one in names if os.fsencode(one).decode(errors="replace") == name]
    return os.path.join(folder, found[0] if len(found) == 1 else name)


def safe_name(text: str) -> str:
    """Return a text as a file name, with hyphens for characters that some system refuses."""
    # Letters of all scripts stay. The result is never a folder, hidden, a device, or an option for
    # a shell
    name = re.sub(r"-+", "-", re.sub(r"\s+", " ", _UNSAFE.sub("-", text))).strip(" .-")
    name = name.encode(errors="ignore")[:LONGEST].decode(errors="ignore").rstrip(" .-")
    return f"_{name}" if DEVICE.fullmatch(name) else name or "latviz"


def local_path(place: str) -> str:
    """Return the path of a file:// URL; any other text unchanged."""
    # A host that is not this computer stays before the path, as Windows writes it
    if place[:5].lower() != "file:":
        return place
    path = unquote(place[5:], errors="surrogateescape")
    if path.startswith("//"):
        host, _, rest = path[2:].partition("/")
        is_here = host.lower() in ("", "localhost", "127.0.0.1")
        path = f"/{rest}" if is_here else path
    return re.sub(r"^/+(?=[A-Za-z]:)", "", path) if os.name == "nt" else path
