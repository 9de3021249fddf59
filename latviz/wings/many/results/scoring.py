"""The bench of the choice of N and w on pictures with known states: the loss of its choice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

import numpy as np

from latviz import engine
from latviz.collection.reading import Unreadable, read_entry
from latviz.core import digits
from latviz.core.checks import UNKNOWN
from latviz.engine.frames.listener import Watch
from latviz.engine.pictures.shelf import Entry
from latviz.files.errors import ImageError
from latviz.wings.many.results.record import RecordTask, frame_of
from latviz.wings.many.results.tables import write_table


@dataclass(frozen=True)
class ChoiceScore:
    """The choice for one picture, and its accuracy by the truth."""

    path: str
    n_true: int  # labels that occur
    n_states: int  # as chosen
    window: int  # likewise
    dependent: bool  # if no N is right, so that N and w are only a start
    accuracy: float  # with the choice
    best_states: int  # with best_window: most pixels right, of all that the trade-off tries
    best_window: int
    best_accuracy: float
    window_accuracy: float  # of the chosen w with the best N for it

    @property
    def lost(self) -> float:
        """The share of pixels that the best setting has right, and the chosen one has not."""
        return self.best_accuracy - self.accuracy


@dataclass(frozen=True)
class Scored:
    """Scores the choice for an image that has labels; see `running.each`."""

    task: RecordTask
    truth: str = ""

    def __call__(self, entry: Entry) -> ChoiceScore:
        """Return the score of an image; `ImageError` if it cannot be read, or has no labels."""
        picture = read_entry(entry, self.truth)
        if picture.truth is None:
            raise ImageError(Path(entry.path), "it has no labels to compare with")
        frame, sweeping = frame_of(picture, self.task), engine.choosing.sweeping.Sweeping()
        chosen = engine.advice.trying.Trying(sweeping).choose(frame, "both")
        parameters = chosen.applied(frame.request.parameters)
        frame = frame_of(picture, replace(self.task, parameters=parameters))
        watch = Watch(lambda: False)
        trade_off = None
        while (more := sweeping.next(frame, watch)) is not None:
            trade_off = more
        assert trade_off is not None
        found = {place: s.accuracy or 0.0 for place, s in trade_off.settings.items()}
        best = max(found, key=lambda place: (found[place], -place[0], -place[1]))
        there = [a for (_, window), a in found.items() if window == chosen.window]
        return ChoiceScore(
            entry.path,
            len(np.unique(picture.truth[picture.truth != UNKNOWN])),
            chosen.n_states,
            chosen.window,
            chosen.dependent,
            found.get((chosen.n_states, chosen.window), 0.0),
            *best,
            found[best],
            max(there, default=0.0),
        )


COLUMNS = (
    *("n_true", "n_states", "window", "dependent", "accuracy", "best_states", "best_window"),
    *("best_accuracy", "window_accuracy", "lost"),
)


def write_scores(path: str | Path, results: Sequence[ChoiceScore | Unreadable]) -> None:
    """Write a row for each image as CSV, or raise `ExportError`."""
    write_table(path, results, {name: attrgetter(name) for name in COLUMNS})


def sentence(scores: Sequence[ChoiceScore]) -> str:
    """Return all scores in words."""
    right = sum(score.n_states == score.n_true for score in scores)
    apart = float(np.mean([abs(score.window - score.best_window) for score in scores]))
    lost = float(np.mean([score.lost for score in scores]))
    starts = sum(score.dependent for score in scores)
    text = (
        f"{len(scores):,} image{'s' if len(scores) > 1 else ''} with labels: N equals the number "
        f"of labels in {right:,}. On average, w differs from the best by {apart:.1f}, and accuracy "
        f"is lower than the best by {digits.share(lost)} of the pixels"
    )
    return f"{text}. Images for which no N is right: {starts:,}" if starts else text
