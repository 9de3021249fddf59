"""Models in files: save them, apply them to the picture or other images, stop using them."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PyQt6.QtCore import Qt
from PyQt6.QtWidgets import QFileDialog, QFrame, QSizePolicy, QWidget

from latviz import collection
from latviz.app.document.document import Document
from latviz.app.document.opening import Opener
from latviz.app.gallery.gallery import Gallery
from latviz.app.shell.actions import OTHERS, Item, Submenu, plain
from latviz.app.shell.dialogs import ask_files, ask_folder
from latviz.app.shell.feature import Feature, Parts, in_menu
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.widgets import layouts
from latviz.app.widgets.buttons import small_button
from latviz.app.widgets.elided import ElidedLabel
from latviz.app.work.activity import Failure
from latviz.app.work.background import Background
from latviz.core.errors import ParameterError
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.given import Given
from latviz.engine.settings.state import State
from latviz.files.names import safe_name
from latviz.files.suffixes import holds_images

SUFFIX = ".npz"
MENU = "&Images and models"


class GivenBar(QFrame):
    """Names the applied model, with a button to stop using it; hidden without one."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("strip", True)
        tip = "Learn a model from the images again; N, w and the encoding stay"
        self.message, self.stop = ElidedLabel(), small_button("Stop using this model", tip)
        self.message.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        parts = ((self.message, 1), (self.stop, 0, Qt.AlignmentFlag.AlignRight))
        layouts.row(*parts, of=self, margins=(12, 4, 8, 4))
        self.hide()

    def show_given(self, given: Given | None) -> None:
        """Name the applied model, if there is one."""
        if given is not None:
            n, w = given.model.n_states, given.model.window
            self.message.show_text(
                f"The model {given.name} is applied: {n} states, learned with w = {w}. "
                "Nothing is learned from this picture."
            )
        self.setVisible(given is not None)


def _has_frame(models: "Models") -> bool:
    return models._document.frame is not None


class Models(Feature):
    """Saves the model on screen, and applies models from files."""

    def __init__(self, parts: Parts) -> None:
        document, shell, opener = parts[Document], parts[Shell], parts[Opener]
        self._document, self._shell, self._settings = document, shell, parts[Settings]
        self._opener, self._gallery = opener, parts[Gallery]
        self.bar = GivenBar()
        self.bar.stop.clicked.connect(self.stop_using)
        self.background = Background(shell)
        self.background.failed.connect(shell.fail)
        opener.add_kind(_is_model, self.open)
        document.changed.connect(self._follow)

    def menu_items(self) -> Iterator[Item]:
        """Yield the menu items."""
        yield Submenu(MENU, "Images to learn from, and model files", ("Model", 5.9))
        yield from super().menu_items()

    @in_menu(
        "&Save model…",
        "Save the model with its encoder and the names and colours of its states (.npz)",
        (plain(MENU), 0.0),
        enabled=_has_frame,
    )
    def save(self) -> None:
        """Ask for a file, and write the model on screen once it is complete."""
        picture = self._document.picture
        if picture is None:
            return
        stem = safe_name(f"{Path(picture.name).stem}-model")
        path = self._shell.ask_target(self._settings, stem, SUFFIX)
        if path:
            lost = partial(self._shell.say_lost, "Saving the model")
            self._document.when_whole(partial(self._write, path), lost)

    @in_menu(
        "&Apply a model…",
        "Decode the picture with a model from a file; nothing is learned then",
        (plain(MENU), 0.1),
        enabled=_has_frame,
    )
    def choose(self) -> None:
        """Ask for a model, and apply it to the picture."""
        path = self._shell.ask(ask_model, self._settings.export_folder)
        if path:
            self.open(path)

    def open(self, path: str) -> None:
        """Apply a model from a file to the picture."""
        if self._document.picture is None:
            self._shell.fail(Failure("Open an image first: a model is applied to what is open."))
        else:
            self.background.start(lambda: collection.models.read_model(path), self._apply)

    @in_menu(
        "Apply this model to &images…",
        "Open other images, and decode them with the model on screen",
        (plain(MENU), 1.0),
        enabled=_has_frame,
    )
    def apply_to_images(self) -> None:
        """Ask for images, and decode them by the model on screen."""
        paths = self._shell.ask(ask_files, self._settings.folder)
        if paths:
            self._apply_to(paths)

    @in_menu(
        "Apply this model to a &folder…",
        "Open the images of a folder, and decode them with the model on screen",
        (plain(MENU), 1.1),
        enabled=_has_frame,
    )
    def apply_to_folder(self) -> None:
        """Ask for a folder, and decode its images by the model on screen."""
        folder = self._shell.ask(ask_folder, "Open a folder of images", self._settings.folder)
        if folder:
            self._apply_to([folder])

    @in_menu(
        "Stop using this &model",
        "Learn a model from the images again",
        (OTHERS, 3.5),
        enabled=lambda self: self._document.state.given is not None,
    )
    def stop_using(self) -> None:
        """Learn again."""
        if self._document.state.given is not None:
            self._document.apply(None)

    def bar_below_menus(self) -> QWidget:
        """Return the bar of a model that is applied."""
        return self.bar

    def close(self) -> None:
        """Finish files being written."""
        self.background.finish(all_of_it=True)

    def _write(self, path: str, frame: Frame) -> None:
        def write() -> None:
            collection.models.write_model(path, collection.models.model_of(frame, Path(path).name))

        self.background.start(write, lambda _: self._shell.say(f"Wrote {path}"))

    def _apply(self, given: Given) -> None:
        picture = self._document.picture
        reason = "nothing is open" if picture is None else given.refusal(picture)
        if reason:
            self._shell.fail(Failure(f"The model cannot be applied: {reason}."))
            return
        self._document.apply(given)
        self._shell.say(f"The model {given.name} is applied")

    def _apply_to(self, places: list[str]) -> None:
        """Open images with the current model, once it is complete."""
        lost = partial(self._shell.say_lost, "Applying the model")
        self._document.when_whole(partial(self._open_with, places), lost)

    def _open_with(self, places: list[str], frame: Frame) -> None:
        given = self._document.state.given or self._made(frame)
        if given is None:
            return
        if len(places) == 1 and not holds_images(places[0]):
            self._opener.open_path(places[0], given=given)
        else:
            self._gallery.open(places, given=given)

    def _made(self, frame: Frame) -> Given | None:
        """Return the model of a frame, or report why it has none."""
        try:
            name = f"of {frame.request.picture.name}"
            found: Given = collection.models.model_of(frame, name)
        except ParameterError as error:
            self._shell.fail(Failure(f"{error}."))
            return None
        return found

    def _follow(self, old: State, new: State) -> None:
        if new.given is not old.given:
            self.bar.show_given(new.given)


def ask_model(parent: QWidget, folder: str) -> str:
    """Ask for a model; return its path, or "" on Cancel."""
    kinds = f"Models (*{SUFFIX});;All files (*)"
    path, _ = QFileDialog.getOpenFileName(parent, "Apply a model", folder, kinds)
    return path


def _is_model(path: str) -> bool:
    return path.lower().endswith(SUFFIX)
