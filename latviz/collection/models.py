"""Models in files, as the program applies them: with the colours and the names of their states."""

import os
from pathlib import Path

from latviz.core.errors import ParameterError
from latviz.core.model import archive
from latviz.core.model.storage import load_encoder, load_extra, load_model
from latviz.engine import keeping
from latviz.engine.frames.frame import Frame
from latviz.engine.keeping.plain import from_plain
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.given import Given


def model_of(frame: Frame, name: str = "model") -> Given:
    """Return the model of a frame, its encoder, and the colours and names of its states."""
    # ParameterError if the frame's states are from another method than the model
    if frame.by:
        raise ParameterError("these states are from another method, which leaves no model to save")
    encoder, looks = frame.observations.encoder, frame.request.looks
    return Given(frame.decoding_model, encoder, name, frame.slots, looks)


def write_model(path: str | Path, given: Given, mode: int = 0o666, *, lasting: bool = True) -> None:
    """Write a model to a file (.npz), or raise `ParameterError`; see `latviz.core.save_model`."""
    extra = keeping.results.look(given.slots, given.looks)
    archive.write_model(given.model, path, given.encoder, extra, mode, lasting=lasting)


def read_model(path: str | Path) -> Given:
    """Read a model of `write_model`, or of `latviz.core.save_model` with an encoder."""
    # ParameterError states why it is not a model for pictures
    model, encoder, extra = load_model(path), load_encoder(path), load_extra(path)
    if encoder is None:
        raise ParameterError(
            f"{path} has no encoder, so its symbols have no meaning in a picture; save the model "
            "with one: save_model(model, path, encoder=observations.encoder)"
        )
    slots: tuple[int, ...] = from_plain(tuple[int, ...], extra.get("slots", ()), {}, "its slots")
    looks = from_plain(Looks, extra["looks"], {}, "its looks") if "looks" in extra else Looks()
    try:
        given = Given(model, encoder, Path(path).name, slots, looks)
    except ParameterError as error:
        raise ParameterError(f"{path} cannot be applied: {error}") from error
    _files[given.name, given.fingerprint] = os.path.abspath(path)
    return given


_files: dict[tuple[str, str], str] = {}
"""The file of each model that was read, by its name and fingerprint."""


def file_of(given: Given) -> str | None:
    """Return the file that a model was read from by this process; None for another model."""
    return _files.get((given.name, given.fingerprint))
