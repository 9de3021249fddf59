"""The document of the main window: the state that the user sets, and its latest frame."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from threading import Event
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PyQt6.QtCore import QObject, pyqtSignal

from latviz.app.document.history import History, Opening, Remembered
from latviz.app.document.inspector import Inspector, Pointer, Slices
from latviz.app.document.worker import Worker
from latviz.app.work.activity import Activity, Failure
from latviz.app.work.latest_only import Follower
from latviz.app.work.timers import once_after
from latviz.core.data.hand_cut import HandCut
from latviz.core.errors import ParameterError
from latviz.core.facts import around_unknown
from latviz.engine.advice.advice import Offer
from latviz.engine.frames.frame import NEEDED, SLOW, Frame
from latviz.engine.frames.requests import asked_by, keep, request_of
from latviz.engine.geometry.selection import Selection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.leaving import without
from latviz.engine.pictures.picture import Picture, Pictures, PictureSet, as_set
from latviz.engine.pictures.shelf import Shelf
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.given import Given, Lock
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, Node, State, ViewerName

Region = tuple[slice, slice]
Needs = Callable[[State], frozenset[str]]
"""Returns the results of a state that visible views need."""

REST_MS = 350
"""Pause after the last change before the codebook is learned from all signatures."""
OPEN = "Open another picture"
GESTURE_MS = 700
"""Changes of the same fields that follow each other faster are undone together."""


Lost = Callable[[PictureSet, Session], object]
"""Called with the pictures and settings of a frame that will not be computed."""


@dataclass(frozen=True)
class _Awaiting:
    """A callback for a whole frame with some results, and one for its failure."""

    take: Callable[[Frame], None]
    lost: Lost
    needs: frozenset[str]


class Document(Follower):
    """Holds the state of the window; methods change it, and signals report changes."""

    # ``needs`` returns the results that views draw. With ``patient`` every request learns from all
    # signatures at once, not from a sample first
    changed = pyqtSignal(object, object)  # State, State: old and new
    opened = pyqtSignal(object)  # State: other pictures were opened, or taken up again
    pointer_changed = pyqtSignal(object)  # Pointer
    # Frame: the answer to a request, never older than the one on screen. Views that must come first
    # follow `frame_came`, all others `frame_changed`
    frame_came = pyqtSignal(object)
    frame_changed = pyqtSignal(object)
    # Failure: the earlier settings could not be computed, but the current ones can
    recovered = pyqtSignal(object)
    locked = pyqtSignal(object)  # Lock or None: the parameters that can be set now, if not all
    refused = pyqtSignal(str)  # str: why a parameter that the user tried to set is locked

    def __init__(
        self,
        worker: Worker,
        parent: QObject | None = None,
        *,
        needs: Needs = lambda _: NEEDED,
        patient: bool = False,
    ) -> None:
        super().__init__(worker, parent)
        self._worker = worker
        self._needs, self._patient = needs, patient
        self.state = State()
        self.pointer = Pointer()
        self.frame: Frame | None = None
        self.inspector = Inspector(self)
        self.undo_stack = History(self._show, self)
        self.opening: Opening | None = None
        self._asked_lock: Lock | None = None
        self._visible: Region | None = None
        self._resumed: Decoding | None = None
        self._followed: Frame | None = None
        self.slices = Slices()
        self._failure: Failure | None = None
        self._declined: Any = None
        self._learns = False
        self._awaiting: list[_Awaiting] = []
        self._number = 0
        self._gesture = 0
        self._rest = once_after(REST_MS, self.learn_from_all, self)
        self._pause = once_after(GESTURE_MS, self._end_gesture, self)
        worker.computed.connect(self._take_frame)
        worker.progressed.connect(self._take_progress)
        worker.broken.connect(self._fail)

    @property
    def is_compiling(self) -> bool:
        """True while processes compile kernels in the background; thread-safe."""
        return self._worker.is_compiling

    @property
    def prepared(self) -> Event:
        """Set once kernels are loaded."""
        return self._worker.prepared

    # Settings

    @property
    def picture(self) -> Picture | None:
        """The picture on screen."""
        return self.state.picture

    @property
    def parameters(self) -> Parameters:
        """The parameters of the model."""
        return self.state.parameters

    @property
    def display(self) -> Display:
        """The display options of the window."""
        return self.state.display

    def open(
        self,
        pictures: Pictures,
        parameters: Parameters | None = None,
        suited: Parameters | None = None,
        shelf: Shelf | None = None,
        given: Given | None = None,
        continues: bool = False,
    ) -> None:
        """Show another picture, or one of a data set or of a shelf; this can be undone."""
        # `State.opened` decides the settings; ``suited`` is its preset. Without ``given``, a model
        # is learned
        opened = as_set(pictures)
        how: dict[str, Any] = {"shelf": shelf, "given": given, "continues": continues}
        index = self.slices.of(opened.picture)
        self._push(OPEN, self.state.opened(opened, parameters, suited, index, **how))
        if not continues:
            self.opened.emit(self.state)

    def show_of_shelf(
        self, text: str, pictures: PictureSet, shelf: Shelf, gesture: object = None
    ) -> None:
        """Show another file of the shelf, or learn from other files; see `change`."""
        how: dict[str, Any] = {"shelf": shelf, "given": self.state.given, "continues": True}
        index = self.slices.of(pictures.picture)
        self._push(text, self.state.opened(pictures, index=index, **how), gesture)

    def apply(self, given: Given | None) -> None:
        """Apply a model to the picture, or stop using it and learn again."""
        text = "Stop using the model" if given is None else "Apply a model"
        self._push(text, self.state.applying(given), object())

    def show_member(self, index: int) -> None:
        """Show another picture of the data set; the learned model stays."""
        pictures = self.state.pictures
        if pictures is not None and 0 <= index < len(pictures.members):
            shown = pictures.showing(index)
            place = self.slices.of(shown.picture)
            self.change("Show another picture", pictures=shown, slice=place)

    def resume(self, session: Session, state: State) -> None:
        """Take up a session where it was left; this can be undone."""
        self._push(OPEN, replace(state, views=self.state.views), session=session)
        self.opened.emit(self.state)

    def session(self) -> Session:
        """Return the session on screen, without its pictures."""
        declined = self.activity.work == "declined"
        return Session.of(self.state, self.frame, declined=declined)

    def begin(self, **changes: Any) -> None:
        """Set fields of the state without an undo command: the user's preferences, at the start."""
        self._take(self.state.changed(**changes))

    def change(self, text: str, gesture: object = None, **changes: Any) -> None:
        """Change fields of the state, with a command called ``text`` that can be undone."""
        # Fast successive changes of the same fields become one command; with a ``gesture``, all
        # with the same one do, at any speed
        self._push(text, self.state.changed(**changes), gesture)

    def set(self, text: str, **changes: Any) -> None:
        """Change parameters of the model, unless one of them is locked; see `change`."""
        wanted = replace(self.parameters, **changes)
        if self._admits(wanted, self.lock):
            self.change(text, parameters=wanted)

    def take(self, offer: Offer) -> None:
        """Set what an offer sets, if it is of the current settings and no parameter is locked."""
        if offer.before == self.parameters and self._admits(offer.after, self.lock):
            more: dict[str, Any] = {}
            if offer.outlines:
                more["region_cut"] = replace(self.state.region_cut, measure="contrast")
                more["display"] = self.display.with_layers("image", regions="borders")
            self.change(offer.text, object(), parameters=offer.after, **more)

    def cut(self, text: str, hand_cut: HandCut, n_states: int, **changes: Any) -> None:
        """Cut the merge tree by hand into N states, and change other fields, unless N is locked."""
        wanted = replace(self.parameters, n_states=n_states)
        if self._admits(wanted, self.lock):
            self.change(text, object(), parameters=wanted, hand_cut=hand_cut, **changes)

    def may_set(self, *names: str) -> bool:
        """Return True if these parameters can be set; emit the reason if not."""
        if self.lock is None or self.lock.free >= {*names}:
            return True
        self.refused.emit(self.lock.reason)
        return False

    def _admits(self, wanted: Parameters, lock: Lock | None) -> bool:
        if lock is None or lock.admits(self.parameters, wanted):
            return True
        self.refused.emit(lock.reason)
        self.changed.emit(self.state, self.state)  # resets the widget that asked
        return False

    @property
    def lock(self) -> Lock | None:
        """The parameters that a lesson or an applied model leaves free; None if all are."""
        asked, given = self._asked_lock, self.state.given
        if given is None or asked is None:
            return asked if given is None else Lock(given.free, given.reason)
        return Lock(given.free & asked.free, asked.reason)

    def set_lock(self, lock: Lock | None) -> None:
        """Allow only some parameters to be set, or all of them again."""
        before, self._asked_lock = self.lock, lock
        if self.lock != before:
            self.locked.emit(self.lock)

    def set_display(self, text: str = "Change the display", **changes: Any) -> None:
        """Change the display options; see `change`."""
        self.change(text, display=replace(self.display, **changes))

    def set_layers(self, viewer: ViewerName, **changes: Any) -> None:
        """Change the layers of a viewer; see `change`."""
        self.change("Change the layers", display=self.display.with_layers(viewer, **changes))

    def reset(self) -> None:
        """Restore the settings that suit the picture, and a straight cut of the tree."""
        self._end_gesture()
        if self._admits(self.state.suited, self.lock):
            new = self.state.as_opened(self.state.pictures)
            new = new.changed(parameters=self.state.suited, hand_cut=HandCut())
            self._push("Reset", new)
        self._end_gesture()

    def set_mean_colors(self, on: bool) -> None:
        """Show each state in the mean colour of its pixels, or in that of the palette."""
        text = "Show mean colours" if on else "Show the palette"
        self._push(text, self.state.in_mean_colors(on), object())

    def leave_out(self, mask: NDArray[np.bool_]) -> None:
        """Make pixels (*shape) of the picture on screen unknown, or raise `ParameterError`."""
        pictures = self.state.pictures
        assert pictures is not None
        shown, kind = pictures.picture, self.parameters.encoding.kind
        if kind.looks_around:
            raise ParameterError(around_unknown(kind.title))
        smaller = without(shown, mask)
        new = self._with_pictures(lambda one: smaller if one is shown else one)
        self._push("Leave pixels out", new, object())

    def take_apart(self, apart: bool) -> None:
        """Make each slice of volumes a lattice of its own, or make all of them one."""
        new = self._with_pictures(lambda one: one.sliced(apart))
        self._push("Change whether slices are apart", new, object())

    def use_all(self) -> None:
        """Use all pixels of the pictures again that were left out."""
        self._push("Use all pixels", self._with_pictures(lambda one: one.whole or one), object())

    def _with_pictures(self, change: Callable[[Picture], Picture]) -> State:
        pictures = self.state.pictures
        assert pictures is not None
        return self.state.with_pictures(pictures.changed(change))

    def keep_settings(self, on: bool) -> None:
        """Choose if the next picture of the same kind opens with these settings."""
        self.change("Keep these settings", object(), keeps_settings=on)

    def set_projection(self, projection: Projection) -> None:
        """Draw the signature space in another way."""
        self.change("Change the projection", projection=projection)

    def select(self, selection: Selection | None) -> None:
        """Highlight the pixels of a selection, or clear the highlight if it is this one."""
        chosen = None if selection == self.state.selection else selection
        self.change("Highlight" if chosen else "Clear the highlight", selection=chosen)

    def pin(self, node: Node) -> None:
        """Pin a pixel, or unpin it."""
        pins = self.state.pins
        others = tuple(pin for pin in pins if pin != node)
        self.change("Pin", pins=others if others != pins else (*pins, node))

    def unpin_all(self) -> None:
        """Unpin all pixels."""
        self.change("Unpin all pixels", pins=())

    def set_slice(self, index: int) -> None:
        """Show another slice of a volume; this computes nothing."""
        picture = self.picture
        if picture is not None and picture.dimensions == 3:
            self.change("Change the slice", slice=self.slices.show(picture, index))

    def freeze(self, frozen: bool) -> None:
        """Keep the decoding on screen as reference, or drop the reference."""
        frame = self.frame
        if frozen == (self.state.compared is not None):
            return
        if not frozen:
            self.change("Stop comparing", compared=None)
        elif frame is not None and not frame.coarse and frame.request.picture is self.picture:
            self.change("Keep as reference", compared=keep(frame))
        else:
            self.changed.emit(self.state, self.state)  # resets the widget that asked

    def point(self, **changes: Any) -> None:
        """Update the pointer."""
        pointer = replace(self.pointer, **changes)
        if pointer != self.pointer:
            self.pointer = pointer
            self.pointer_changed.emit(pointer)

    def _push(
        self, text: str, new: State, gesture: object = None, session: Session | None = None
    ) -> None:
        """Push a command if anything changes; opening the first picture cannot be undone."""
        old = self.state
        if new == old:
            return
        if old.pictures is None and new.pictures is not None:
            self.undo_stack.clear()
            self._take(new, session)
            return
        stands_alone = new.members != old.members or new.compared != old.compared
        if stands_alone:
            self._end_gesture()
        session = session or Session.of(new)
        self.undo_stack.add(text, old, new, session, gesture or self._gesture)
        if stands_alone:  # what is set at once after it is undone without it
            self._end_gesture()
        self._pause.start()

    def _show(self, remembered: Remembered) -> Remembered:
        """Show a state, as commands do; return the one that was there."""
        left = self.undo_stack.remember(self.state, self.session())
        self._take(remembered.state, remembered.session)
        return left

    def _end_gesture(self) -> None:
        self._gesture += 1

    def _take(self, state: State, session: Session | None = None) -> None:
        """Show a state; other pictures with the colours that a session has."""
        old, new = self.state, state
        if new.views != old.views:
            new = replace(new, views=old.views)
        if new == old:
            return
        self.state = new
        self._resume(old, new, session)
        if new.picture is not old.picture:
            self._begin_picture(old)
        if new.slice != old.slice:
            self.inspector.hover_in_slice(new.slice)
        self.inspector.show_pins(new.pins)
        asks = asked_by(new) != asked_by(old) or not self._needs(new) <= self._needs(old)
        # The worker starts while the window still shows the old settings. After a change of the
        # picture, views must first report the visible part.
        at_once = new.picture is old.picture
        if asks and at_once:
            self._request()
        self.changed.emit(old, new)
        if new.given != old.given:
            self.locked.emit(self.lock)
        if asks and not at_once:
            self._request()

    def _resume(self, old: State, new: State, session: Session | None) -> None:
        """Take up the slots of a session, and of other pictures all else."""
        is_other = new.members != old.members
        if new.parameters != old.parameters or is_other:
            self._resumed = None
        if session is not None and (is_other or session.coloring is not None):
            self._resumed = session.shown
        if _whole(new.picture) is not _whole(old.picture):
            self._followed = None
        if is_other:
            self.opening = self.undo_stack.opening_of(new)
            if session is not None:
                self._declined = self._learned_key() if session.declined else None

    def _begin_picture(self, old: State) -> None:
        self.inspector.begin()
        session = Session.of(old, self.frame)
        self.frame = None
        for awaiting in self._taken_awaiting():
            if old.pictures is not None:
                awaiting.lost(old.pictures, session)

    # Computation

    def set_views(self, views: Iterable[str]) -> None:
        """Compute the results for these views only."""
        old, new = self.state, replace(self.state, views=tuple(views))
        self.state = new
        self.changed.emit(old, new)
        if not self._needs(new) <= self._needs(old):
            self._request()

    def set_visible(self, region: Region | None) -> None:
        """Refine this part of a large image first, from the next request on."""
        self._visible = region

    def learn_from_all(self) -> None:
        """Learn from all signatures now."""
        self._rest.stop()
        self._declined = None
        self._request(complete=True)

    def cancel_work(self) -> None:
        """Cancel, and keep the current state: its parameters, or its sample's codebook."""
        if self.activity.work != "decoding":
            self.decline_learning()
            return
        shown, frame = self.parameters, self.frame
        if frame is not None and frame.request.picture is self.picture:
            shown = frame.request.parameters
        if shown == self.parameters:
            shown = replace(shown, decoder="nearest")
        self.change("Cancel", parameters=shown)

    def decline_learning(self) -> None:
        """Keep the codebook from the sample, until another one is needed."""
        self._declined = self._learned_key()
        self._give_up()
        if self.frame is not None and not self.frame.settled:
            self._request()

    @property
    def needed(self) -> frozenset[str]:
        """The results that the visible views draw, except slow ones that can come later."""
        return self._needs(self.state) - SLOW

    def when_whole(
        self,
        take: Callable[[Frame], None],
        lost: Lost = lambda *_: None,
        needs: frozenset[str] = frozenset(),
    ) -> None:
        """Call with the frame of the current settings once it is complete, perhaps now."""
        # ``needs`` are results that it must have, even if they are not visible. If another picture
        # is opened first, ``lost`` is called instead
        self._awaiting.append(_Awaiting(take, lost, needs))
        if self.frame is not None and needs <= self.frame.results.keys():
            self._emit_awaiting()
        else:
            self._request()

    def _request(self, complete: bool = False) -> None:
        if self.picture is None:
            return
        self._rest.stop()
        self._number += 1
        resumed = self._resumed
        at_once = self._patient or (resumed is not None and resumed.quick)
        declined = self._declined == self._learned_key()
        if at_once and not declined:
            complete = complete or resumed is None or resumed.complete
        passing = not complete and not declined and resumed is None
        request = request_of(
            self.state,
            self._needs(self.state).union(*(a.needs for a in self._awaiting)),
            number=self._number,
            complete=complete,
            visible=self._visible,
            coloring=None if resumed is None else resumed.coloring,
            follows=self._followed if resumed is None else None,
            passing=passing,
            axes_window=self._axes_window() if passing else None,
        )
        self._learns = complete
        self._submit(request, Activity("learning" if complete else "computing"))

    def _axes_window(self) -> int | None:
        """Return the w that chose the axes on screen: the space turns once the hand rests."""
        if self.frame is None or self.frame.request.picture is not self.picture:
            return None
        asked = self.frame.request
        held = asked.parameters.window if asked.axes_window is None else asked.axes_window
        return None if held == self.parameters.window else held

    def _take_frame(self, frame: Frame) -> None:
        if frame.request.picture is not self.picture:
            return
        if frame.request.number == self._number:
            self._settle(frame)
        self.frame = frame
        self.frame_came.emit(frame)
        self._worker.paint_ended(frame)
        self.frame_changed.emit(frame)
        self.inspector.show_frame(frame)
        if frame.request.number == self._number:
            failure, self._failure = self._failure, None
            if failure is not None:
                self.recovered.emit(failure)
            if frame.whole:
                self._come_to_rest(frame)

    def _settle(self, frame: Frame) -> None:
        """Follow the slots of a frame, and take names and selections that moved with its states."""
        old, asked = self.state, frame.request
        self._followed = frame.to_follow()
        new = replace(old, looks=asked.looks, selection=asked.selection)
        if new != old:
            self.state = new
            self.changed.emit(old, new)

    def _come_to_rest(self, frame: Frame) -> None:
        if not frame.sampled:
            self._resumed = None
        declined = frame.sampled and self._declined == self._learned_key()
        self._set_activity(Activity("declined" if declined else "idle"))
        if not frame.at_rest and not declined:
            self._rest.start()
        self._emit_awaiting()

    def _learned_key(self) -> Any:
        """Return the key of the complete codebook."""
        parameters = self.parameters
        return self.state.members, parameters.encoding, parameters.fit.learning_window

    def _emit_awaiting(self) -> None:
        if self.frame is None or self.activity.work in ("computing", "decoding", "failed"):
            return
        asked = self.frame.request
        is_set = asked.picture is self.picture and asked.parameters == self.parameters
        if self.frame.finished and self.frame.settled and is_set:
            there = self.frame.results.keys()
            for awaiting in self._taken_awaiting():
                if awaiting.needs <= there:
                    awaiting.take(self.frame)
                else:
                    self._awaiting.append(awaiting)  # another frame brings the missing results

    def _taken_awaiting(self) -> list[_Awaiting]:
        waiting, self._awaiting = self._awaiting, []
        return waiting

    def _take_progress(self, number: int, fraction: float) -> None:
        if number == self._number:
            self._set_activity(Activity("learning" if self._learns else "decoding", fraction))

    def _begin_again(self) -> None:
        self._request()  # the settings may not have been learned from a sample yet

    def _fail(self, failure: Failure) -> None:
        self._failure = failure
        self._awaiting.clear()
        super()._fail(failure)


def _whole(picture: Picture | None) -> Picture | None:
    """Return a picture before pixels were left out of it."""
    return picture and (picture.whole or picture)
