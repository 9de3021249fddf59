"""Leaving the highlighted pixels out of the picture, and using all of them again."""

from latviz.app.document.document import Document
from latviz.app.shell.actions import Action, Item
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.core.errors import ParameterError
from latviz.engine.frames.frame import Frame

LEAVE_OUT, USE_ALL = "Leave out the highlighted pixels", "Use all pixels"


class Leaving(Feature):
    """Makes highlighted pixels unknown, so that they count nowhere, and known again."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        document = self._document
        return (
            Action(
                LEAVE_OUT,
                "Make them unknown: they have no part in windows, learning and numbers",
                self.leave_out,
                at=("Edit", 2.1),
                enabled=lambda: document.state.selection is not None,
            ),
            Action(
                USE_ALL,
                "Use the pixels again that were left out",
                document.use_all,
                at=("Edit", 2.2),
                enabled=lambda: document.state.leaves_out,
            ),
        )

    def leave_out(self) -> None:
        """Leave the highlighted pixels out, once they are known."""
        self._document.when_whole(self._leave_out)

    def _leave_out(self, frame: Frame) -> None:
        if frame.lit is None or not frame.lit.n_pixels:
            self._shell.say("No pixels are highlighted")
            return
        try:
            self._document.leave_out(frame.lit.mask)
        except ParameterError as error:
            self._shell.say(f"Nothing is left out: {error}")
