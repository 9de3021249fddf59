"""Background work for a detail: opening, learning, reading, decoding."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from latviz import files
from latviz.core.progress import Progress, Quiet, stop_if_cancelled
from latviz.core.types import Region, Shape
from latviz.engine.frames.detail import Detail, FineStates
from latviz.engine.pictures.picture import Picture
from latviz.wings import scale
from latviz.wings.scale.settings import HowDecoded
from latviz.wings.scale.whole import FinestModels


@dataclass(frozen=True, eq=False)
class FinestModel:
    """A model of a finest level, and the states of some nodes all over it."""

    found: "scale.decoding.PyramidDecoding"
    spread: "scale.parts.Spread"


@dataclass(frozen=True, eq=False)
class FinerPart:
    """A part of a picture to show at a finer level."""

    picture: Picture
    finer: "scale.finer.Finer"
    level: int  # 0 is the finest
    region: Region  # in pixels of that level
    learned: FinestModel | None  # the model to decode it with, if there is one for this level

    def covers(self, level: int, region: Region, learned: FinestModel | None) -> bool:
        """Return True if it shows as much as another part would."""
        inside = all(
            own.start <= s.start and s.stop <= own.stop
            for own, s in zip(self.region, region, strict=True)
        )
        return inside and level == self.level and learned is self.learned


def may_be_finer(picture: Picture | None) -> bool:
    """Return True if a picture is an image opened at a coarser level; reads nothing."""
    if picture is None or picture.dimensions != 2 or not picture.origin.get("levels"):
        return False
    kept_apart = "embedded" in picture.origin and not Path(picture.origin["path"]).exists()
    return picture.origin.get("reduction", 1) > 1 and not kept_apart


def opened(picture: Picture) -> "scale.finer.Finer | None":
    """Return the levels of a picture that are finer, if there are any."""
    pyramid = files.pyramids.open_pyramid(picture.origin["path"])
    finer = scale.finer.Finer(pyramid, *_place(picture))
    return finer if finer.n_finer() else None


def _place(picture: Picture) -> tuple[int, Shape, str]:
    """Return the time of a picture, its shape, and the roles of its file's axes."""
    origin = picture.origin
    return origin["page"], picture.shape, origin.get("axes", "")


def learned(
    models: FinestModels, finer: "scale.finer.Finer", settings: HowDecoded, progress: Progress
) -> FinestModel:
    """Learn from the finest level unless done already; raises as `Models.learned` does."""
    found = models.learned(finer.pyramid, settings, progress)
    return FinestModel(found, scale.parts.spread_states(found, Quiet(progress)))


def detail_of(part: FinerPart, progress: Progress) -> Detail:
    """Read a part, and decode it if there is a model for it."""
    pixels = part.finer.read(part.level, part.region)
    stop_if_cancelled(progress)
    down, across = part.finer.steps(part.level)
    rows, columns = part.region
    return Detail(
        columns.start / across,
        rows.start / down,
        (columns.stop - columns.start) / across,
        (rows.stop - rows.start) / down,
        part.picture.as_shown(pixels),
        None if part.learned is None else _states_of(part, part.learned, progress),
    )


def _states_of(part: FinerPart, learned: FinestModel, progress: Progress) -> FineStates:
    states = scale.parts.part_states(learned.found, part.region, Quiet(progress))
    sides = zip(learned.spread.nodes, part.finer.steps(0), part.picture.shape, strict=True)
    nodes = (np.minimum(axis // step, side - 1).astype(np.int64) for axis, step, side in sides)
    return FineStates(states, learned.found.model.n_states, tuple(nodes), learned.spread.states)
