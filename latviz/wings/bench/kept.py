"""What the bench keeps between runs: its experiment, and the geometry of its window."""

import json

from PyQt6.QtCore import QByteArray

from latviz.app.shell.settings import Settings
from latviz.core.errors import ParameterError
from latviz.core.json_text import from_json
from latviz.engine.keeping.plain import TYPE, from_plain, to_plain
from latviz.wings.bench.experiment import Experiment


def keep(settings: Settings, experiment: Experiment, geometry: QByteArray | None = None) -> None:
    """Store the experiment, and the geometry of the window."""
    settings.store.setValue("bench", to_line(experiment))
    settings.store.setValue("bench-geometry", geometry or QByteArray())


def kept(settings: Settings) -> tuple[Experiment, QByteArray]:
    """Return the last experiment, or the usual one, and the geometry of the window."""
    store = settings.store
    text = store.value("bench") or store.value("lab")  # of older programs
    geometry = store.value("bench-geometry")
    experiment = from_line(str(text or ""), Experiment())
    return experiment, geometry if isinstance(geometry, QByteArray) else QByteArray()


def to_line(experiment: Experiment) -> str:
    """Return an experiment as one line of text."""
    return json.dumps(to_plain(experiment, {}, "it"))


def from_line(text: str, usual: Experiment) -> Experiment:
    """Return the experiment from the text of `to_line`; the usual one for other texts.

    Older programs did not write the name of the type.
    """
    try:
        named = {TYPE: Experiment.__name__, **from_json(text)}
        found: Experiment = from_plain(Experiment, named, {}, "it")
    except (ParameterError, TypeError, ValueError):
        return usual
    return found
