"""Shows the document's news in the status line, the banner and the menus."""

from latviz.app.compare.racing import Racing
from latviz.app.document.document import Document
from latviz.app.document.worker import Worker
from latviz.app.look.theme import Theme
from latviz.app.shell.banner import Banner
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.menus import Menus
from latviz.app.shell.shell import Shell
from latviz.app.shell.status import StatusLine
from latviz.app.views.registry import Views
from latviz.app.widgets.accessible_text import highlight, place_of, pointed_text
from latviz.app.widgets.shortcuts import keyed
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.inspection import Inspection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import Node, State


class News(Feature):
    """Shows frames, failures and activity when the document emits them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts  # menus are made after it
        self._document, self._shell = parts[Document], parts[Shell]
        self._status, self._banner, self._views = parts[StatusLine], parts[Banner], parts[Views]
        self.left_out = [*parts[Racing].left_out]  # wings of other packages

    def connect(self, parts: Parts) -> None:
        """Follow the document."""
        document, status = self._document, self._status
        document.changed.connect(self._show_state)
        document.pointer_changed.connect(parts[Menus].refresh)
        document.frame_changed.connect(self._show_frame)
        document.activity_changed.connect(status.show_activity)
        parts[Worker].compiling.connect(status.show_compiling)
        parts[Worker].ready.connect(status.show_ready)
        document.inspector.changed.connect(self._show_pointed)
        document.inspector.unknown_changed.connect(self._show_unknown)
        document.failed.connect(self._shell.fail)
        document.refused.connect(self._shell.say)
        document.recovered.connect(self._banner.withdraw)
        status.learning.declined.connect(document.cancel_work)
        status.learning.wanted.connect(document.learn_from_all)

    def apply_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self._status.apply_theme(theme)

    def dismiss(self) -> bool:
        """Clear the highlight."""
        self._document.select(None)
        return True

    def _show_state(self, old: State, new: State) -> None:
        self._parts[Menus].refresh()
        if new.picture is not None and new.picture is not old.picture:
            self._show_picture(new.picture)

    def _absent(self) -> tuple[str, ...]:
        """Return a line for each view and wing of another package that failed."""
        failed = dict.fromkeys(self.left_out)  # some in several tables
        wings = (f"the wing “{name}” could not be loaded: {why}" for name, why in failed)
        return (*self._views.notes, *wings)

    def _show_picture(self, picture: Picture) -> None:
        self._status.show_no_frame()
        self._status.show_notes((*self._absent(), *picture.notes))
        self._status.end_message()
        self._banner.hide()

    def _show_pointed(self, _found: Inspection | None) -> None:
        frame, found = self._document.frame, self._document.inspector.pointed
        text = "" if frame is None or found is None else pointed_text(frame, found)
        self._status.show_pointed(text)

    def _show_unknown(self, node: Node | None) -> None:
        frame = self._document.frame
        if frame is not None and node is not None:
            self._status.show_pointed(f"{place_of(frame, node)}: unknown")
        elif node is None:
            self._show_pointed(None)

    def _show_frame(self, frame: Frame) -> None:
        self._status.show_frame(frame)
        lit, clears = highlight(frame), keyed("`Esc` clears it")
        notes = (*self._absent(), *frame.request.picture.notes, *frame.observations.notes)
        self._status.show_notes((f"{lit} ({clears})", *notes) if lit else notes)
        if frame.whole:  # commands on a state may have waited for it
            self._parts[Menus].refresh()
