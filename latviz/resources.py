"""Where the data files are that the program reads."""

from pathlib import Path

_PACKAGE = Path(__file__).parent
_FOLDERS = (_PACKAGE / "resources", _PACKAGE.parent / "resources")


def resource(name: str) -> Path:
    """Return the path of a data file: beside the modules in a wheel, above them in a checkout."""
    for folder in _FOLDERS:
        if (folder / name).is_file():
            return folder / name
    raise FileNotFoundError(f"the data file {name!r} is missing from this installation of latviz")
