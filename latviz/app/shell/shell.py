"""The services of the window for its features: messages, failures, dialogs."""

from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

from PyQt6.QtCore import QObject, QTimer, pyqtSignal
from PyQt6.QtWidgets import QMainWindow, QWidget

from latviz.app.shell.banner import Banner
from latviz.app.shell.dialogs import ask_where
from latviz.app.shell.settings import Settings
from latviz.app.shell.status import StatusLine
from latviz.app.work.activity import Failure
from latviz.core.disk.errors import TargetError
from latviz.core.disk.inputs import check_kept

P = ParamSpec("P")
T = TypeVar("T")


class Shell(QObject):
    """Shows messages, questions and docks for parts that know no more of the window."""

    # ``main_window`` is the parent of dialogs
    dock_wanted = pyqtSignal(str)  # str: the name of a dock to show
    keyboard_wanted = pyqtSignal(str)  # str: the name of a dock to give the keyboard to
    use_wanted = pyqtSignal(str)  # str: another tab
    alone_wanted = pyqtSignal(object)  # names: docks without others

    def __init__(self, main_window: QMainWindow, status: StatusLine, banner: Banner) -> None:
        super().__init__(main_window)
        self.main_window = main_window
        self._status, self._banner = status, banner

    def say(self, text: str) -> None:
        """Show a message in the status line for a few seconds."""
        self._status.show_message(text)

    def say_nothing_to(self, act: str) -> None:
        """Report that there is nothing to copy, save or export before an image is opened."""
        self.say(f"There is nothing to {act} yet: open an image first")

    def say_lost(self, what: str, *_: object) -> None:
        """Report that another picture cancelled a command."""
        text = f"{what} was cancelled: another picture was opened"
        QTimer.singleShot(0, lambda: self.say(text))

    @property
    def shows_failure(self) -> bool:
        """True while a failure is shown."""
        return self._banner.isVisible()

    def fail(self, failure: Failure) -> None:
        """Show a failure across the window, with remedies."""
        self._banner.show_failure(failure)

    def ask(
        self, dialog: Callable[Concatenate[QWidget, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Open a dialog over the window; return the answer."""
        return dialog(self.main_window, *args, **kwargs)

    def ask_target(self, settings: Settings, stem: str, *suffixes: str) -> str:
        """Ask for a file to write; return "" on Cancel, or if it belongs to the work on screen."""
        path = self.ask(ask_where, settings.export_folder, stem, suffixes)
        if not path or not self.may_write(path):
            return ""
        settings.export_folder = str(Path(path).parent)
        return path

    def may_write(self, path: str) -> bool:
        """Return True if a file is not one of the work on screen; otherwise report it."""
        try:
            check_kept(path)
        except TargetError as error:
            self.fail(Failure(f"{error}."))
            return False
        return True

    def show(self, *names: str) -> None:
        """Show the docks with these names, if they exist; the last in front."""
        for name in names:
            self.dock_wanted.emit(name)

    def enter(self, name: str) -> None:
        """Show a dock that the user asked for, and give it the keyboard."""
        self.show(name)
        self.keyboard_wanted.emit(name)
