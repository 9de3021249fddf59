"""Adds to the site what only it has: the reference of the public names, and the changelog."""

import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
_NAME = re.compile(r"^from (\S+) import \w+ as (\w+)$", re.MULTILINE)


def on_config(config: Any) -> Any:
    """Add the pages to the contents."""
    pages = {"The public names of latviz.core": "api.md"}, {"Changelog": "changelog.md"}
    config.nav.append({"On the site alone": [*pages]})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages."""
    stub = (ROOT / "latviz" / "core" / "__init__.pyi").read_text("utf-8")
    names = sorted((name, module) for module, name in _NAME.findall(stub))
    parts = [f"## {name}\n\n::: latviz.core{module}.{name}\n" for name, module in names]
    head = "# The public names of latviz.core\n\nEach with its arguments and an example.\n\n"
    files.append(File.generated(config, "api.md", content=head + "\n".join(parts)))
    changes = (ROOT / ".github" / "CHANGELOG.md").read_text("utf-8")
    changes = changes.replace("../resources/help/", "")
    files.append(File.generated(config, "changelog.md", content=changes))
    return files
