"""What the window is about: the picture, the parameters, the display options, the last frame."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QUndoStack

from latviz.app.activity import Activity
from latviz.app.commands import SetParameters
from latviz.app.display import Display
from latviz.app.idle_jobs import Rest
from latviz.app.inspector import Inspector
from latviz.app.slices import Slices
from latviz.app.timers import once_after
from latviz.app.timing import Timing
from latviz.app.worker import Failure, Worker
from latviz.engine.frame import VIEWS, Frame, Request
from latviz.engine.parameters import Parameters, suited
from latviz.engine.picture import Picture
from latviz.engine.projection import Projection
from latviz.engine.sample_size import LIVE
from latviz.engine.selection import ChangeSelection, MapKind, RangeSelection, Selection
from latviz.engine.session import Decoding, Session

Region = tuple[slice, slice]
Awaiting = tuple[Callable[[Frame], None], Callable[[], None]]
"""Who takes a whole frame, and what is called if it will not come."""

REST_MS = 350
"""How long the hand must rest before the codebook is learned from all signatures."""
MOST_UNDONE = 500
"""Commands that can be undone."""
GESTURE_MS = 700
"""Changes of the same parameters that follow each other faster are undone together."""


class Document(QObject):
    """Holds the state of the window; changes go through its methods, news through its signals.

    Signals
    -------
    picture_changed(Picture)
    parameters_changed(Parameters)
    projection_changed(Projection)
    display_changed(Display)
    map_changed(MapKind)
    frame_changed(Frame)
        The answer to a request; never one older than what is shown.
    views_changed
        Other views are visible.
    activity_changed(Activity)
    compiling, ready
        See `Worker`.
    failed(Failure), recovered(Failure)
        What is set cannot be computed; something else that is set now can.

    With ``patient`` every request learns from all signatures at once, not from a sample first.
    """

    picture_changed = pyqtSignal(object)
    parameters_changed = pyqtSignal(object)
    projection_changed = pyqtSignal(object)
    display_changed = pyqtSignal(object)
    map_changed = pyqtSignal(object)
    frame_changed = pyqtSignal(object)
    views_changed = pyqtSignal()
    activity_changed = pyqtSignal(object)
    compiling = pyqtSignal()
    ready = pyqtSignal()
    failed = pyqtSignal(object)
    recovered = pyqtSignal(object)

    def __init__(
        self, worker: Worker, parent: QObject | None = None, *, patient: bool = False
    ) -> None:
        super().__init__(parent)
        self._patient = patient
        self.picture: Picture | None = None
        self.parameters = Parameters()
        self.defaults = Parameters()
        self.projection = Projection()
        self.display = Display()
        self.sample = LIVE
        self.map: MapKind = "likelihood"
        self.frame: Frame | None = None
        self.activity = Activity("idle")
        self.views: frozenset[str] = frozenset(VIEWS)
        self.inspector = Inspector(self)
        self.undo_stack = QUndoStack(self)
        self.undo_stack.setUndoLimit(MOST_UNDONE)
        self._worker = worker
        self._visible: Region | None = None
        self._resumed: Decoding | None = None
        self._slices = Slices()
        self._failure: Failure | None = None
        self._declined: Any = None
        self._awaiting: list[Awaiting] = []
        self.timing = Timing()
        self._number = 0
        self._gesture = 0
        self._rest = once_after(REST_MS, self.learn_from_all, self)
        self._pause = once_after(GESTURE_MS, self._end_gesture, self)
        self._connect_signals()
        self.rest = Rest(self, worker)

    def _connect_signals(self) -> None:
        self._worker.computed.connect(self._take_frame)
        self._worker.progressed.connect(self._take_progress)
        self._worker.cancelled.connect(self._take_cancellation)
        self._worker.failed.connect(self._take_failure)
        self._worker.broken.connect(self._fail)
        self._worker.compiling.connect(self.compiling)
        self._worker.ready.connect(self.ready)

    def open(self, picture: Picture, parameters: Parameters | None = None) -> None:
        """Show another picture, with other parameters if any are given."""
        self._take_picture(picture, parameters or self.parameters)
        self.picture_changed.emit(picture)
        self._request()

    def resume(self, picture: Picture, session: Session, display: Display) -> None:
        """Take up a session where it was left, with its display options."""
        self._take_picture(picture, session.shown.parameters)
        self.defaults, self.sample, self.map = session.defaults, session.shown.sample, session.map
        self.projection = session.projection
        self.inspector.begin(session.pins)
        self._resumed = session.shown
        self._declined = self._learned_key() if session.declined else None
        self.set_display(**vars(display))
        self.projection_changed.emit(self.projection)
        self.map_changed.emit(self.map)
        self.picture_changed.emit(picture)
        self._request()

    def _take_picture(self, picture: Picture, parameters: Parameters) -> None:
        for _, lost in self._taken_awaiting():
            lost()
        self.picture = picture
        self.set_display(selection=None, frozen=None, slice=self._slices.of(picture))
        parameters = suited(parameters, picture.dimensions)
        if parameters is not self.parameters:
            self.take_parameters(parameters, request=False)
        self.defaults = self.parameters
        self._resumed = None
        self.undo_stack.clear()
        self.inspector.begin()

    def set(self, text: str, **changes: Any) -> None:
        """Change parameters, with a command that can be undone and is called ``text``."""
        new = replace(self.parameters, **changes)
        if new != self.parameters:
            self.undo_stack.push(SetParameters(self, new, text, self._gesture))
            self._pause.start()

    def reset(self) -> None:
        """Return to the picture's default parameters."""
        if self.defaults != self.parameters:
            self._end_gesture()
            self.undo_stack.push(SetParameters(self, self.defaults, "Reset", self._gesture))
            self._end_gesture()

    def set_projection(self, projection: Projection) -> None:
        """Draw the simplex in another way."""
        if projection != self.projection:
            self.projection = projection
            self.projection_changed.emit(projection)
            self._request()

    def select(self, selection: Selection | None) -> None:
        """Light the pixels of a selection; none, if it is selected already."""
        before = self.display.selection
        self.set_display(selection=None if selection == before else selection)
        if self.display.selection != before:
            self._request()

    def set_display(self, **changes: Any) -> None:
        """Change display options."""
        display = replace(self.display, **changes)
        if display != self.display:
            self.display = display
            self.display_changed.emit(display)

    def show_paths(self, shown: bool) -> None:
        """Draw the paths of the states as w grows, or do not."""
        if shown != self.display.paths:
            self.set_display(paths=shown)
            self._request()

    def set_slice(self, index: int) -> None:
        """Show another slice of a volume; nothing is computed for it."""
        if self.picture is not None and self.picture.dimensions == 3:
            index = self._slices.show(self.picture, index)
            self.set_display(slice=index)
            self.inspector.hover_in_slice(index)

    def set_map(self, kind: MapKind) -> None:
        """Show another map."""
        if kind != self.map:
            self.map = kind
            self.map_changed.emit(kind)
            if isinstance(self.display.selection, RangeSelection):
                self.set_display(selection=None)
            self._request()

    def set_views(self, views: Iterable[str]) -> None:
        """Compute what these views need, and no more."""
        needed = frozenset(views)
        grown = not needed <= self.views
        self.views = needed
        self.views_changed.emit()
        if grown:
            self._request()

    def freeze(self, frozen: bool) -> None:
        """Keep the decoding on screen as A, to compare what comes with; or let go of it."""
        if frozen == (self.display.frozen is not None):
            return
        frame = self.frame
        if not frozen:
            self.compare(frozen=None)
        elif frame is not None and not frame.coarse and frame.request.picture is self.picture:
            self.compare(frozen=frame.to_keep())
        else:
            self.display_changed.emit(self.display)

    def compare(self, **changes: Any) -> None:
        """Change which decodings are compared, and how; compute what that needs."""
        before = self.display
        if isinstance(before.selection, ChangeSelection):
            changes["selection"] = None
        self.set_display(**changes)
        if self.display != before:
            self._request()

    def set_visible(self, region: Region | None) -> None:
        """Refine this part of a large image first, from the next request on."""
        self._visible = region

    def set_sample(self, size: int) -> None:
        """Learn from this many signatures while the hand moves."""
        if size != self.sample:
            self.sample = size
            self._request()

    def learn_from_all(self) -> None:
        """Learn from all signatures now."""
        self._declined = None
        self._request(complete=True)

    def decline_learning(self) -> None:
        """Keep what was learned from the sample, until something else has to be learned."""
        self._declined = self._learned_key()
        self._worker.cancel(self._number)

    def when_whole(
        self, take: Callable[[Frame], None], lost: Callable[[], None] = lambda: None
    ) -> None:
        """Call with the frame of what is set as soon as all of it is there; it may be now.

        If another picture is opened first, ``lost`` is called instead, while all is still set.
        """
        self._awaiting.append((take, lost))
        self._tell_awaiting()

    def _end_gesture(self) -> None:
        self._gesture += 1

    def take_parameters(self, parameters: Parameters, request: bool = True) -> None:
        """Set the parameters, as a command does or undoes."""
        if parameters.encoding != self.parameters.encoding:
            self.set_display(selection=None)
        self._resumed = None
        self.parameters = parameters
        self.parameters_changed.emit(parameters)
        if request:
            self._request()

    def _request(self, complete: bool = False) -> None:
        if self.picture is None:
            return
        self._rest.stop()
        self._number += 1
        resumed = self._resumed
        at_once = self._patient or (resumed is not None and resumed.quick)
        if at_once and self._declined != self._learned_key():
            complete = complete or resumed is None or resumed.complete
        self._set_activity(Activity("learning" if complete else "computing"))
        self.timing.ask(self._number)
        self._worker.submit(
            Request(
                number=self._number,
                picture=self.picture,
                parameters=self.parameters,
                projection=self.projection,
                complete=complete,
                sample=self.sample,
                visible=self._visible,
                views=self.views,
                selection=self.display.selection,
                map=self.map,
                compared=self.display.frozen,
                difference=self.display.comparison == "difference",
                paths=self.display.paths,
                coloring=None if resumed is None else resumed.coloring,
            )
        )

    def _take_frame(self, frame: Frame) -> None:
        self.timing.answer(frame.request.number)
        if frame.request.picture is not self.picture:
            return
        self.frame = frame
        self.frame_changed.emit(frame)
        self.inspector.show_frame(frame)
        if frame.request.number == self._number:
            self._recover()
            if frame.whole:
                self._come_to_rest(frame)

    def _come_to_rest(self, frame: Frame) -> None:
        partly = frame.n_learned < frame.n_nodes
        if not partly:
            self._resumed = None
        declined = partly and self._declined == self._learned_key()
        self._set_activity(Activity("declined" if declined else "idle"))
        if partly and not declined:
            self._rest.start()
        self._tell_awaiting()

    def _learned_key(self) -> Any:
        """Return what the complete codebook depends on."""
        parameters = self.parameters
        return self.picture, parameters.encoding, parameters.effective_learning_window

    def _tell_awaiting(self) -> None:
        if self.frame is None or self.activity.work in ("computing", "failed"):
            return
        if self.frame.whole and self.frame.request.picture is self.picture:
            for take, _ in self._taken_awaiting():
                take(self.frame)

    def _taken_awaiting(self) -> list[Awaiting]:
        waiting, self._awaiting = self._awaiting, []
        return waiting

    def _take_progress(self, number: int, fraction: float) -> None:
        if number == self._number:
            self._set_activity(Activity("learning", fraction))

    def _take_cancellation(self, request: Request) -> None:
        if request.number == self._number:
            self._request()  # what is set may not have been learned from a sample yet

    def _take_failure(self, request: Request, failure: Failure) -> None:
        if request.number == self._number:
            self._fail(failure)

    def _fail(self, failure: Failure) -> None:
        self._failure = failure
        self._awaiting.clear()
        self._set_activity(Activity("failed"))
        self.failed.emit(failure)

    def _recover(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            self.recovered.emit(failure)

    def _set_activity(self, activity: Activity) -> None:
        if activity != self.activity:
            self.activity = activity
            self.activity_changed.emit(activity)
