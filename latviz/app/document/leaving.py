"""Leaving the highlighted pixels out of the picture, and using all of them again."""

from latviz.app.document.document import Document
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.shell import Shell
from latviz.core.errors import ParameterError
from latviz.engine.frames.frame import Frame

LEAVE_OUT, USE_ALL = "Leave out the highlighted pixels", "Use all pixels"


class Leaving(Feature):
    """Makes highlighted pixels unknown, so that they count nowhere, and known again."""

    def __init__(self, parts: Parts) -> None:
        self._document, self._shell = parts[Document], parts[Shell]

    @in_menu(
        LEAVE_OUT,
        "Make them unknown: they have no part in windows, learning and numbers",
        ("Edit", 2.1),
        enabled=lambda self: self._document.state.selection is not None,
    )
    def leave_out(self) -> None:
        """Leave the highlighted pixels out, once they are known."""
        self._document.when_whole(self._leave_out)

    @in_menu(
        USE_ALL,
        "Use the pixels again that were left out",
        ("Edit", 2.2),
        enabled=lambda self: self._document.state.leaves_out,
    )
    def use_all(self) -> None:
        """Use all pixels of the pictures again."""
        self._document.use_all()

    def _leave_out(self, frame: Frame) -> None:
        if frame.lit is None or not frame.lit.n_pixels:
            self._shell.say("No pixels are highlighted")
            return
        try:
            self._document.leave_out(frame.lit.mask)
        except ParameterError as error:
            self._shell.say(f"Nothing is left out: {error}")
