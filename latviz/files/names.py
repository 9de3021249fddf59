"""Names of files that every system takes."""

import re

LONGEST = 200
"""Bytes, so that there is room for a suffix in the 255 that systems allow."""
_UNSAFE = re.compile(r"[^\w.,+() -]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)(\..*)?")


def safe_name(text: str) -> str:
    """Return a text as the name of a file: what some system refuses in one is a hyphen.

    Letters of all scripts stay. Neither a folder, nor hidden, nor a device comes out of it, nor
    what a shell would take for an option.
    """
    name = re.sub(r"-+", "-", re.sub(r"\s+", " ", _UNSAFE.sub("-", text))).strip(" .-")
    name = name.encode(errors="ignore")[:LONGEST].decode(errors="ignore").rstrip(" .-")
    return f"_{name}" if _RESERVED.fullmatch(name) else name or "latviz"
