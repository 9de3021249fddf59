"""Names that Windows keeps for devices, or cannot give to a file."""

import re

DEVICE = re.compile(r"(?i)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *([.:].*)?")
"""The name of a device, with any suffix."""
_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"|?*]')


def refusal_of_windows(name: str) -> str:
    """Return why Windows has no file of a name, with a remedy, or ""."""
    if DEVICE.fullmatch(name):
        return "Windows keeps this name for a device; choose another name"
    found = _FORBIDDEN.search(name)  # what follows a colon would be hidden in another file
    return f"Windows allows no {found[0]!r} in a name; choose another name" if found else ""
