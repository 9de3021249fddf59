"""The README as the page of the package, where links into the repository must be absolute."""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_RELATIVE = re.compile(r"(!?)(\[[^]]*\])\((?![a-z]+:|#)([^)]+)\)")


class Readme(MetadataHookInterface):
    """Adds the page to what a build knows of the package."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add it, with links and pictures that lead into the repository."""
        text, home = Path(self.root, "README.md").read_text("utf-8"), metadata["urls"]["Homepage"]

        def absolute(link: re.Match[str]) -> str:
            mark, words, path = link.groups()
            return f"{mark}{words}({home}/{'raw' if mark else 'blob'}/main/{path})"

        page = _RELATIVE.sub(absolute, text)
        metadata["readme"] = {"content-type": "text/markdown", "text": page}
