"""A state of the program as one line of text, such as "demo=blobs&window=2&display.truth=errors".

It names only the differences from the demo's own settings. Fields of the parameters are named
without their table, all others by their path in the state.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, quote

from latviz.core.data.encoding import SHORTHANDS
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.engine.keeping.plain import RETIRED, from_plain, to_plain
from latviz.engine.settings.state import State

DEMO = "demo"
_PARAMETERS = "parameters."
_LEFT_OUT = ("pictures", "compared", "given", "shelf", "views", "suited")
"""Fields omitted from the text: pictures and their files, the reference, an applied model, the
layout, and a demo's own settings."""
_SAFE = " ,:.[]"


def to_text(state: State, opened: State, demo: str) -> str:
    """Return the differences of a state from ``opened``, which the demo opens with, as text."""
    # Without a demo, the text holds only the settings
    before = dict(_leaves(_plain(opened)))
    after = dict(_leaves(_plain(state)))
    changed = [(path, value) for path, value in after.items() if before.get(path) != value]
    pairs = [(DEMO, demo)] if demo else []
    pairs += [(path.removeprefix(_PARAMETERS), _written(value)) for path, value in changed]
    return "&".join(f"{quote(key, _SAFE)}={quote(value, _SAFE)}" for key, value in pairs)


def demo_of(text: str) -> str:
    """Return the demo that a text names; empty if it names none."""
    return dict(_pairs(text)).get(DEMO, "")


def from_text(text: str, opened: State) -> State:
    """Return the state of a text, given the initial state of its demo or picture."""
    plain, pairs = _plain(opened), _pairs(text)
    encoding = opened.parameters.encoding
    if dict(pairs).get("encoding.name") in (*SHORTHANDS, encoding.name):  # as older programs wrote
        plain["parameters"]["encoding"] = to_plain(encoding.named(encoding.name), {}, "encoding")
    for key, written in pairs:
        if key != DEMO:
            _put(plain, key, written)
    found: State = from_plain(State, plain, {}, "the settings")
    return replace(found, suited=opened.suited, given=opened.given, shelf=opened.shelf)


def _pairs(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text.strip(), keep_blank_values=True, strict_parsing=True)
    except ValueError as error:
        if not text.strip():
            return []
        raise ParameterError(
            f"settings must look like demo=blobs&window=2, got {text[:60]!r}"
        ) from error


def _plain(state: State) -> dict[str, Any]:
    bare = replace(state, pictures=None, compared=None, given=None, shelf=None)
    whole = to_plain(bare, {}, "state")
    return {name: value for name, value in whole.items() if name not in _LEFT_OUT}


def _leaves(plain: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in plain.items():
        if isinstance(value, Mapping) and not _is_chosen(value):
            yield from _leaves(value, f"{before}{name}.")
        elif not name.startswith("$"):
            yield f"{before}{name}", value


def _is_chosen(value: Mapping[str, Any]) -> bool:
    """Return True if a value has one of several types, so that it is written completely."""
    return str(value.get("$type", "")).endswith("Selection")


def _written(value: Any) -> str:
    """Return a word unchanged, and other values as JSON."""
    is_word = isinstance(value, str) and _read(value) == value
    return value if is_word else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _read(text: str) -> Any:
    try:
        return from_json(text)
    except ValueError:
        return text


def _put(plain: dict[str, Any], key: str, written: str) -> None:
    """Set the value of a key, in place."""
    for path in (f"{_PARAMETERS}{key}", key):
        *folders, name = path.split(".")
        place: Any = plain
        for folder in folders:
            place = place.get(folder) if isinstance(place, dict) else None
        if isinstance(place, dict) and name in place and not name.startswith("$"):
            place[name] = _read(written)
            return
        if isinstance(place, dict) and name in RETIRED.get(place.get("$type", ""), ()):
            return
    raise ParameterError(f"there is no setting {key[:60]!r}")
