"""Shows the part on screen at a finer level of the file after you zoom in."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject
from PyQt6.QtWidgets import QLabel

from latviz.app.document.document import Document
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.views.registry import Views
from latviz.app.work.activity import Failure
from latviz.app.work.background import Background, Task
from latviz.app.work.progress_bars import CancelBar
from latviz.app.work.timers import once_after
from latviz.core.errors import ParameterError
from latviz.core.types import Region
from latviz.engine.frames.detail import Detail
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import State
from latviz.wings import scale
from latviz.wings.scale.detail import (
    FinerPart,
    FinestModel,
    detail_of,
    learned,
    may_be_finer,
    opened,
)
from latviz.wings.scale.kept import ZarrSettings
from latviz.wings.scale.settings import HowDecoded, settings_of
from latviz.wings.scale.whole import MOST_KEPT, WholeImages, check_all_used

SOON_MS = 120
"""A view that moves is followed so long after."""
REST_MS = 700
"""A model is learned from the finest level once nothing was set for so long."""
LEFT_S = 10.0
"""Seconds to wait for cancelled work when the window closes."""
AROUND = 4
"""Margin read around the part on screen, as 1/AROUND of its size on each side, for panning."""


class Magnifier(QObject, Feature):
    """Reads the part on screen of a zarr image at the finest level that is useful."""

    # After a model is learned from the finest level, its states are shown too: those that *Decode
    # all of a zarr folder* writes. Until then the coarser level is shown. Pictures without a finer
    # level are not affected. ``label`` names the level on screen

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell)
        self._document, self._shell = document, shell
        self._settings = ZarrSettings(parts[Settings])
        self._models, self._views = parts[WholeImages].models, parts[Views].viewers
        self.bar = CancelBar(
            "Learning the states of the finest level", "Cancel, and keep those of the coarser level"
        )
        self.label = QLabel()
        self.label.setAccessibleName("Level on screen")
        self.label.hide()
        parts[StatusLine].add(self.bar, self.label)
        self._reader, self._learner = Background(self), Background(self)
        self._reader.failed.connect(self._give_up_picture)
        self._learner.failed.connect(self._give_up_model)
        self._learner.reported.connect(self._take_progress)
        self.bar.cancelled.connect(self.cancel)
        self._reading: Task | None = None
        self._finer: scale.finer.Finer | None = None
        self._learning: Task | None = None
        self._forget()
        self._soon = once_after(SOON_MS, self._look, self)
        self._rest = once_after(REST_MS, self._learn, self)
        for view in self._views:
            view.canvas.viewed.connect(self._follow_view)
        document.changed.connect(self._follow)
        document.activity_changed.connect(self._follow_view)

    @in_menu(
        "Fi&ner levels where zoomed in",
        "Read and decode the part of a zarr folder that is on screen at its finest level",
        ("View", 2.3),
        ticked=lambda self: self._settings.detail,
    )
    def set_on(self, on: bool) -> None:
        """Show finer levels, or no longer."""
        self._settings.detail = on
        self._forget()
        self._look()

    def cancel(self) -> None:
        """Learn nothing from the finest level, until something else is set."""
        if self._learning is not None and self._wanted is not None:
            self._declined.add(self._wanted)
        self._rest.stop()
        self._stop_learning()
        self._show_level()

    def close(self) -> None:
        """Cancel the work, and wait until it has ended."""
        for timer in (self._soon, self._rest):
            timer.stop()
        self._stop()
        for background in (self._reader, self._learner):
            background.finish(seconds=LEFT_S)

    def _forget(self) -> None:
        """Drop all data on the picture."""
        self._stop()
        self._known_of: Picture | None = None
        self._finer = None
        self._failed = False
        self._declined: set[HowDecoded] = set()
        self._known: dict[HowDecoded, FinestModel] = {}
        self._wanted: HowDecoded | None = None
        self._part: FinerPart | None = None
        self._detail: Detail | None = None
        self._show(None)

    # Following

    def _follow_view(self, *_: Any) -> None:
        if may_be_finer(self._document.picture) and self._settings.detail:
            self._soon.start()

    def _follow(self, old: State, new: State) -> None:
        """Hide states of other settings, and start again with another picture."""
        if new.picture is not old.picture:
            self._rest.stop()
            self._forget()
        elif self._finer is not None and self._how() != self._wanted:
            self._rest.stop()
            self._stop_learning()
            self._wanted = self._how()
            if self._detail is not None and self._model() is None:
                self._show(replace(self._detail, fine=None))
        self._follow_view()

    def _look(self) -> None:
        """Show the part on screen at the appropriate level."""
        picture, seen = self._document.picture, self._seen()
        if not (may_be_finer(picture) and self._settings.detail) or seen is None or self._failed:
            self._stop_reading()
            self._show(None)
        elif self._known_of is not picture:
            self._open(picture)
        elif self._finer is not None:
            self._wanted = self._how()
            self._magnify(self._finer, seen)

    def _seen(self) -> Region | None:
        """Return the pixels on screen, if each takes more than one of the screen's."""
        picture = self._document.picture
        views = [
            view.canvas
            for view in self._views
            if view.isVisible() and picture is not None and view.canvas.shape == picture.shape
        ]
        if not any(one.scale_factor * one.devicePixelRatioF() > 1 for one in views):
            return None
        rows, columns = zip(*(canvas.region for canvas in views), strict=True)
        found = _hull(rows), _hull(columns)
        return found if all(s.start < s.stop for s in found) else None

    # The finer levels

    def _open(self, picture: Picture | None) -> None:
        assert picture is not None
        task = self._reading = self._reader.task()
        self._known_of = picture
        self._reader.start(partial(opened, picture), partial(self._take_finer, task), task=task)

    def _take_finer(self, task: Task, finer: "scale.finer.Finer | None") -> None:
        if task is self._reading:
            self._reading, self._finer = None, finer
            self._look()

    def _magnify(self, finer: "scale.finer.Finer", seen: Region) -> None:
        level = finer.level_for(seen)
        if level is None:
            self._stop_reading()
            self._show(None)
            return
        model = self._model() if level == 0 else None
        if (
            self._detail is None
            or self._part is None
            or not self._part.covers(level, finer.region(level, seen), model)
        ):
            self._read(finer, level, seen, model)
        if level == 0 and model is None and self._may_learn():
            self._rest.start()
        self._show_level()

    def _read(
        self, finer: "scale.finer.Finer", level: int, seen: Region, model: FinestModel | None
    ) -> None:
        self._stop_reading()
        assert self._known_of is not None
        wide = _grown(seen, finer.shape)
        region = finer.region(level, wide if finer.level_for(wide) == level else seen)
        part = FinerPart(self._known_of, finer, level, region, model)
        task = self._reading = self._reader.task()
        self._reader.start(
            partial(detail_of, part, task), partial(self._take_detail, task, part), task=task
        )

    def _take_detail(self, task: Task, part: FinerPart, detail: Detail) -> None:
        if task is not self._reading:
            return
        if part.learned is not self._model():  # something else was set meanwhile
            detail = replace(detail, fine=None)
        self._part, self._reading = part, None
        self._show(detail)

    def _show(self, detail: Detail | None) -> None:
        if detail is None:
            self._part = None
        self._detail = detail
        for view in self._views:
            view.show_detail(detail)
        self._show_level()

    # The model of the finest level

    def _how(self) -> HowDecoded | None:
        """Return the settings for decoding the finest level; None if it cannot be decoded."""
        state, finer = self._document.state, self._finer
        is_free = state.given is None and not state.hand_cut
        if finer is None or not is_free or state.picture is None:
            return None
        try:
            check_all_used(state.picture)
            return settings_of(finer.pyramid, state.parameters, finer.time)
        except ParameterError:
            return None

    def _model(self) -> FinestModel | None:
        return None if self._wanted is None else self._known.get(self._wanted)

    def _may_learn(self) -> bool:
        return (
            self._wanted is not None
            and self._wanted not in self._declined
            and self._learning is None
            and self._document.activity.work in ("idle", "declined")
        )

    def _learn(self) -> None:
        """Learn from the finest level, if the settings still need it."""
        if self._finer is None or self._wanted is None or not self._may_learn():
            return
        task = self._learning = self._learner.task()
        self.bar.show_fraction(0.0)
        work = partial(learned, self._models, self._finer, self._wanted, task)
        self._learner.start(work, partial(self._take_model, task, self._wanted), task=task)
        self._show_level()

    def _take_model(self, task: Task, how: HowDecoded, model: FinestModel) -> None:
        if task is self._learning:
            self._stop_learning()
            self._known[how] = model
            for oldest in list(self._known)[:-MOST_KEPT]:
                del self._known[oldest]
            self._look()

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._learning:
            self.bar.show_fraction(fraction)

    # Giving up

    def _give_up_picture(self, failure: Failure) -> None:
        """Keep the picture at the open level, and do not try others again."""
        self._failed = True
        self._stop_reading()
        self._show(None)
        self._shell.fail(failure)

    def _give_up_model(self, failure: Failure) -> None:
        self.cancel()
        self._shell.fail(failure)

    def _stop(self) -> None:
        self._stop_reading()
        self._stop_learning()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.give_up()
            self._reading = None
            if self._finer is None:  # it was still to be opened
                self._known_of = None

    def _stop_learning(self) -> None:
        if self._learning is not None:
            self._learning.give_up()
            self._learning = None
        self.bar.show_fraction(None)

    def _show_level(self) -> None:
        """Show the level in the label."""
        part, detail = self._part, self._detail
        if part is None or detail is None:
            self.label.setText("")
        elif part.level > 0:
            self.label.setText(f"Zoomed: level {part.level + 1}, coarser states")
        elif detail.fine is not None:
            self.label.setText("Zoomed: finest level")
        elif self._wanted is not None and self._wanted not in self._declined:
            self.label.setText("Zoomed: finest level, states pending")
        else:
            self.label.setText("Zoomed: finest level, coarser states")
        self.label.setVisible(bool(self.label.text()))


def _hull(parts: Sequence[slice]) -> slice:
    return slice(min(s.start for s in parts), max(s.stop for s in parts))


def _grown(region: Region, shape: Sequence[int]) -> Region:
    """Return a region with its surroundings, as far as they exist."""
    return tuple(
        slice(max(0, s.start - beyond), min(length, s.stop + beyond))
        for s, length in zip(region, shape, strict=True)
        for beyond in [-(-(s.stop - s.start) // AROUND)]
    )
