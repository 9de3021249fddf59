"""How to install the optional parts of the program."""

SOURCE = "https://github.com/latviz/latviz"
"""The repository, from which packages are installed until an index has them."""


def install(extra: str) -> str:
    """Return the command that installs an optional part, such as "scale"."""
    return f'pip install "latviz[{extra}] @ git+{SOURCE}"'
