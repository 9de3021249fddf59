"""The content of a session besides its picture, and its settings as one line of text.

A text such as "demo=blobs&window=2&display.truth=errors" names only the differences from the demo's
own settings. Fields of the parameters are named without their table, all others by their path in
the state.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import parse_qsl, quote

from latviz.core.axes import SLICES
from latviz.core.data.encoding import SHORTHANDS
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.core.model.models import KINDS, DiscreteModel
from latviz.engine.frames.frame import Frame
from latviz.engine.keeping.plain import RETIRED, Arrays, from_plain, to_plain
from latviz.engine.pictures.picture import Picture, Pictures, PictureSet, as_set
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.decoding import Coloring, Decoding
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State


@dataclass(frozen=True)
class Session:
    """A state, with the data to restore its view exactly; equal if no setting differs."""

    state: State  # its pictures and the reference are None: they are stored separately
    coloring: Coloring | None = field(default=None, compare=False)  # of the states on screen
    compared: Decoding | None = None  # the settings of the reference
    # the user refused to learn from all signatures
    declined: bool = field(default=False, compare=False)
    # keep the picture inside the session's file, for any source
    embedded: bool = field(default=False, compare=False)
    # Encoded the pictures on screen, for `Encoder.from_dict`: symbols of other pictures then mean
    # the same
    encoder: dict[str, Any] | None = field(default=None, compare=False)
    note: str = field(default="", compare=False)  # what a file held that is not kept any more

    @classmethod
    def of(cls, state: State, frame: Frame | None = None, *, declined: bool = False) -> "Session":
        """Return the session of a state; the frame on screen, if there is one, has the colours."""
        a = state.compared
        # Labels of another method follow from no parameters, and are not kept.
        kept = None if a is None or a.by else a.decoding
        known = frame if frame is not None and _is_learned_for(frame, state) else None
        coloring = None if known is None else known.coloring
        encoder = None if known is None else known.observations.encoder.to_dict()
        bare = replace(state, pictures=None, compared=None)
        return cls(bare, coloring, kept, declined, encoder=encoder)

    @property
    def shown(self) -> Decoding:
        """The settings of the decoding on screen."""
        return Decoding.of(self.state, self.coloring)

    def adjusted(self, adjust: Callable[[Parameters], Parameters]) -> "Session":
        """Return it with other parameters; if they are the same, colours stay."""
        parameters = adjust(self.state.parameters)
        if parameters == self.state.parameters:
            return self
        return replace(self, state=replace(self.state, parameters=parameters), coloring=None)


def _is_learned_for(frame: Frame, state: State) -> bool:
    """Return True if a frame's codebook comes from the tree for this state."""
    learned, wanted = frame.request.parameters, state.parameters
    return (
        as_set(frame.request.pictures).members == state.members
        and learned.encoding == wanted.encoding
        and learned.fit.learning_window == wanted.fit.learning_window
        and frame.request.given == state.given
        and frame.request.hand_cut == state.hand_cut
    )


def opened(pictures: Pictures, parameters: Parameters) -> Session:
    """Return the session of newly opened pictures."""
    found = as_set(pictures)
    state = State(parameters=parameters, suited=parameters, slice=middle_slice(found.picture))
    return Session(state.as_opened(found))


def text_of(state: State) -> str:
    """Return the settings of a state's pictures as one line of text; see `to_text`.

    The text names a demo; for other pictures it has only the settings.
    """
    assert state.pictures is not None
    before = opened(state.pictures, state.suited).state
    picture = state.pictures.picture
    apart = f"{SLICES}=true" if picture.apart else ""
    text = to_text(state, before, str(picture.origin.get("demo", "")))
    return "&".join(filter(None, (text, apart)))


def middle_slice(picture: Picture) -> int:
    """Return the slice of a volume that is shown first; 0 for others."""
    if picture.dimensions < 3:
        return 0
    return picture.shape[0] // 2


# Session files

SELECTIONS_LOST = "its saved selections are left out: this version does not keep them"
FORMAT = 6
"""Format 1 had the fields of the state one by one; format 2 a field for one picture, empty; up to
format 3 channels of CIELAB were not scaled; up to format 4 a given model had those of its model;
up to format 5 the least contrast was that of borders alone, on another scale."""


def to_content(session: Session, arrays: Arrays) -> dict[str, Any]:
    """Return a session as JSON data; ``arrays`` gets its arrays."""
    plain = to_plain(session, arrays, "session")
    del plain["note"]
    return {"format": FORMAT, "session": plain}


def sliced(pictures: PictureSet, written: str | Mapping[str, Any]) -> PictureSet:
    """Return pictures with the slices that a text of settings, or an older content, has."""
    if isinstance(written, str):
        found = {key: _read(value) for key, value in _pairs(written)}
    else:
        found = _today(written)["state"].get("parameters", {})
    if SLICES not in found:
        return pictures
    return pictures.sliced(from_plain(bool, found[SLICES], {}, "slices apart"))


def from_content(content: Mapping[str, Any], arrays: Arrays) -> Session:
    """Return the session of `to_content`, or of an older program."""
    # The message of a ParameterError names the place
    plain = _today(content)
    session: Session = from_plain(Session, plain, arrays, "the session")
    return replace(session, note=SELECTIONS_LOST if plain["state"].get("kept") else "")


def _today(content: Mapping[str, Any]) -> Any:
    """Return the session of a content in today's format."""
    plain = content.get("session")
    version = content.get("format", 1)
    if version == 1:
        plain = _from_first(plain)
    elif version == 2:
        plain = _from_second(plain)
    if version < FORMAT:
        plain = _mended(plain, version)
    return plain


def _from_first(plain: Any) -> Any:
    """Return the first format's content in today's; leave anything but a mapping unchanged."""
    if not isinstance(plain, Mapping) or not isinstance(plain.get("shown"), Mapping):
        return plain
    shown, display = plain["shown"], dict(plain.get("display") or {"$type": "Display"})
    state = {
        "$type": "State",
        "slice": display.pop("slice", 0),
        "parameters": shown.get("parameters"),
        "suited": plain.get("defaults"),
        "sample": shown.get("sample", LIVE),
        "selection": display.pop("selection", None),
        **{name: plain[name] for name in ("projection", "map", "views", "pins") if name in plain},
    }
    passing = ("state", "symbol", "frozen", "flipped", "still")
    state["display"] = {name: value for name, value in display.items() if name not in passing}
    kept = {name: plain[name] for name in ("compared", "declined", "embedded") if name in plain}
    coloring = shown.get("coloring")
    return {"$type": "Session", "state": state, "coloring": coloring, **kept}


def _from_second(plain: Any) -> Any:
    """Return the second format's content in today's; leave anything but a mapping unchanged."""
    if not isinstance(plain, Mapping) or not isinstance(plain.get("state"), Mapping):
        return plain
    state = {name: value for name, value in plain["state"].items() if name != "picture"}
    return {**plain, "state": state}


def _mended(plain: Any, version: int) -> Any:
    """Return an older format's content with CIELAB, given models and contrasts as today."""
    if isinstance(plain, list):
        return [_mended(item, version) for item in plain]
    if not isinstance(plain, Mapping):
        return plain
    found = {name: _mended(item, version) for name, item in plain.items()}
    if version < 4 and (found.get("$type"), found.get("name")) == ("Encoding", "lab"):
        return {"scaled": False, **found}
    if found.get("$type") == "RegionCut":
        found.pop("least_contrast", None)
    return _with_model(found) if version < 5 and found.get("$type") == "Given" else found


def _with_model(given: dict[str, Any]) -> dict[str, Any]:
    """Return a given model whose parts were its own fields, with the model as one field."""
    own: dict[str, Any] = {
        name: given.pop(name) for name in ("$type", "name", "slots", "looks") if name in given
    }
    encoder, second = from_json(given.pop("encoder_text")), given.pop("second_window", None)
    kind = KINDS[given.pop("kind")]
    book = "B" if kind is DiscreteModel else "means"
    names = {"book": book, "second_book": "further_codewords"}
    parts = {names.get(name, name): part for name, part in given.items() if part is not None}
    further = [] if second is None else [second]
    model = {"$type": kind.__name__, "A_decoded": True, "further_windows": further, **parts}
    return {**own, "model": model, "encoder": encoder}


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
    whole["parameters"].setdefault("spacing", None)  # left out by `to_plain`
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
        for step in (*folders, name):
            holder, place = place, place.get(step) if isinstance(place, dict) else None
            if isinstance(holder, dict) and step in RETIRED.get(holder.get("$type", ""), ()):
                return
        if isinstance(holder, dict) and name in holder and not name.startswith("$"):
            holder[name] = _read(written)
            return
    raise ParameterError(f"there is no setting {key[:60]!r}")
