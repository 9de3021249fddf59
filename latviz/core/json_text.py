"""The one way to read JSON, whoever wrote it."""

import json
from typing import Any


def from_json(text: str | bytes) -> Any:
    """Return the content of a JSON text; ValueError if it is invalid or nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
