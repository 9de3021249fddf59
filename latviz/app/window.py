"""The main window: it makes the parts and connects them."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PyQt6.QtCore import QMimeData, Qt, QTimer
from PyQt6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QGuiApplication, QIcon, QImage
from PyQt6.QtWidgets import QApplication, QFileDialog, QMainWindow, QMessageBox, QWidget

import latviz
from latviz.app import docks as docking
from latviz.app import theme as themes
from latviz.app.banner import Banner
from latviz.app.controls import ControlPanel
from latviz.app.document import Document
from latviz.app.exporting import export_view, picture_of_view
from latviz.app.headers import BlendBar, PagePicker
from latviz.app.help import HelpDialog
from latviz.app.menus import Menus
from latviz.app.opening import SUFFIXES, Background, picture_of
from latviz.app.settings import Settings
from latviz.app.status import StatusLine
from latviz.app.style import stylesheet
from latviz.app.views.adjacency import AdjacencyView
from latviz.app.views.base import View
from latviz.app.views.emissions import EmissionsView
from latviz.app.views.image import ImageView, PictureView
from latviz.app.views.indices import IndicesView
from latviz.app.views.likelihood import LikelihoodView
from latviz.app.views.pixel import PixelView
from latviz.app.views.space import SpaceView
from latviz.app.views.states import StatesView
from latviz.app.worker import Failure, Worker
from latviz.core.encoding import Encoding
from latviz.files.errors import ExportError
from latviz.headless import export_frame, make_picture, read_picture
from latviz.live.frame import Frame
from latviz.live.parameters import Parameters, Picture
from latviz.resources import resource

SIZE = (1280, 800)
VIEWS: tuple[type[View], ...] = (
    ImageView,
    StatesView,
    SpaceView,
    AdjacencyView,
    IndicesView,
    LikelihoodView,
    EmissionsView,
    PixelView,
)
ABOUT = (
    "<h3>latviz {version}</h3><p>An interactive visualizer for the latent-variable lattice model "
    "of R. Masatran.</p><p>Free software under the GNU General Public License, version 3 or "
    "later.</p>"
)
V = TypeVar("V", bound=View)


class MainWindow(QMainWindow):
    """The program's window.

    Without ``settings`` nothing is kept between runs. ``theme`` forces "light" or "dark";
    ``patient`` is the document's.
    """

    def __init__(
        self, settings: Settings | None = None, theme: str = "", *, patient: bool = False
    ) -> None:
        super().__init__()
        self.setObjectName("latviz")
        self.setWindowTitle("latviz")
        self.setWindowIcon(QIcon(str(resource("icon.svg"))))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.resize(*SIZE)
        self._remembers = settings is not None
        self.settings = settings or Settings()
        self.worker = Worker()
        self.document = Document(self.worker, self, patient=patient)
        self.background = Background(self)
        self.theme = themes.LIGHT
        self._forced_theme = theme
        self._make_views()
        self._make_docks()
        self.menus = Menus(self)
        self._make_status_bar()
        self._connect_signals()
        self._apply_theme()
        self._place()
        QTimer.singleShot(0, self.worker.start)  # after the window was painted

    def _make_views(self) -> None:
        self.views: dict[str, View] = {kind.NAME: kind() for kind in VIEWS}

    def _make_docks(self) -> None:
        self.controls = ControlPanel(self.document)
        self.page_picker = PagePicker()
        self.blend = BlendBar()
        headers: dict[str, QWidget] = {"image": self.page_picker, "states": self.blend}
        self.docks = {
            "controls": docking.Dock("controls", "Controls", docking.scrolled(self.controls), None)
        }
        for name, view in self.views.items():
            content = docking.scrolled(view) if name == "pixel" else view
            self.docks[name] = docking.Dock(name, view.TITLE, content, headers.get(name))
        self.banner = Banner(self)

    def _make_status_bar(self) -> None:
        bar = self.statusBar()
        assert bar is not None
        bar.setSizeGripEnabled(False)
        self.status = StatusLine()
        bar.addWidget(self.status, 1)

    def _connect_signals(self) -> None:
        document = self.document
        document.picture_changed.connect(self._show_picture)
        document.frame_changed.connect(self._show_frame)
        document.projection_changed.connect(self.space.show_projection)
        document.display_changed.connect(self._show_display)
        document.activity_changed.connect(self.status.show_activity)
        document.compiling.connect(self.status.show_compiling)
        document.ready.connect(self.status.show_ready)
        document.failed.connect(self.banner.show_failure)
        document.recovered.connect(self.banner.withdraw)
        self.status.learning.declined.connect(document.decline_learning)
        self.status.learning.wanted.connect(document.learn_from_all)
        self.background.failed.connect(self.banner.show_failure)
        self.page_picker.picked.connect(self._open_page)
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        self.space.projection_changed.connect(document.set_projection)
        self.adjacency.log_scale_toggled.connect(self.menus.log_scale.setChecked)
        for view in self.views.values():
            document.inspection_changed.connect(view.show_inspection)
            view.windowTitleChanged.connect(self.docks[view.NAME].setWindowTitle)
            view.hovered.connect(document.hover)
            view.state_hovered.connect(lambda state: document.set_display(state=state))
        for here, there in ((self.image, self.states), (self.states, self.image)):
            here.canvas.moved.connect(lambda a=here, b=there: b.canvas.follow(a.canvas))
        canvas = self.states.canvas
        canvas.viewed.connect(lambda: document.set_visible(canvas.region))
        for dock in self.docks.values():
            # Later: a dock tells before what is in it is shown or hidden.
            dock.appeared.connect(lambda: QTimer.singleShot(0, self._tell_views))
        hints = QGuiApplication.styleHints()
        assert hints is not None
        hints.colorSchemeChanged.connect(self._apply_theme)

    @property
    def image(self) -> ImageView:
        """The view of the image."""
        return self._view(ImageView)

    @property
    def states(self) -> StatesView:
        """The view of the state map."""
        return self._view(StatesView)

    @property
    def space(self) -> SpaceView:
        """The view of the signature space."""
        return self._view(SpaceView)

    @property
    def adjacency(self) -> AdjacencyView:
        """The view of A."""
        return self._view(AdjacencyView)

    def _view(self, kind: type[V]) -> V:
        view = self.views[kind.NAME]
        assert isinstance(view, kind)
        return view

    # Opening

    def choose_image(self) -> None:
        """Ask for an image file and open it."""
        patterns = " ".join(f"*.{suffix}" for suffix in SUFFIXES)
        path, _ = QFileDialog.getOpenFileName(
            self, "Open an image", self.settings.folder, f"Images ({patterns});;All files (*)"
        )
        if path:
            self.open_path(path)

    def open_path(self, path: str, page: int = 0, parameters: Parameters | None = None) -> None:
        """Open an image file; what is on screen stays until it is read.

        Without ``parameters`` those that are set are kept, unless a demo's are.
        """
        self.status.show_message(f"Opening {Path(path).name}…")
        self.background.start(
            lambda: read_picture(path, page),
            lambda picture: self._take_picture(picture, parameters),
        )

    def open_demo(
        self, name: str, adjust: Callable[[Parameters], Parameters] | None = None
    ) -> None:
        """Open a demo with the parameters that suit it, adjusted if so asked."""

        def take(made: tuple[Picture, Parameters]) -> None:
            picture, parameters = made
            self.document.open(picture, adjust(parameters) if adjust else parameters)

        self.background.start(lambda: make_picture(name), take)

    def paste(self) -> None:
        """Open the image, or the first image file, that the clipboard holds."""
        clipboard = QGuiApplication.clipboard()
        data = clipboard.mimeData() if clipboard is not None else None
        if data is None or not self._open_data(data):
            message = "The clipboard holds no image. Copy an image or an image file first."
            self.banner.show_failure(Failure(message))

    def _open_data(self, data: QMimeData) -> bool:
        paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
        if paths:
            self.open_path(paths[0])
            return True
        image = data.imageData() if data.hasImage() else None
        if not isinstance(image, QImage) or image.isNull():
            return False
        self._take_picture(picture_of(image))
        return True

    def _take_picture(self, picture: Picture, parameters: Parameters | None = None) -> None:
        last = self.document.picture
        if parameters is None and (last is None or "demo" in last.origin):
            parameters = Parameters()
        elif parameters is None and self.document.parameters.encoding.name == "labels":
            # Labels suit few pictures; one that they do not suit could not be shown at all.
            parameters = replace(self.document.parameters, encoding=Encoding())
        self.document.open(picture, parameters)
        if self._remembers and "path" in picture.origin:
            self.settings.add_recent(picture.origin["path"])

    def _open_page(self, page: int) -> None:
        assert self.document.picture is not None
        self.open_path(self.document.picture.origin["path"], page)

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept image files and images."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and (data.hasUrls() or data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open what was dropped."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and self._open_data(data):
            event.acceptProposedAction()

    # Showing

    def _show_picture(self, picture: Picture) -> None:
        for view in self.views.values():
            if isinstance(view, PictureView):
                view.show_picture(picture)
        height, width = picture.shape
        self.docks["image"].setWindowTitle(f"{picture.name} · {width} × {height}")
        self.setWindowTitle(f"{picture.name} – latviz")
        self.page_picker.show_pages(picture.origin.get("page", 0), picture.origin.get("pages", 1))
        self.status.show_notes(picture.notes)
        self.banner.hide()

    def _show_frame(self, frame: Frame) -> None:
        for view in self.views.values():
            view.show_frame(frame)
        discrete = frame.observations.discrete
        self.docks["space"].setWindowTitle("Signature simplex" if discrete else "Signature space")
        self.status.show_frame(frame)

    def _show_display(self) -> None:
        display = self.document.display
        for view in self.views.values():
            view.show_display(display)
        self.blend.show_value(display.opacity)
        self.menus.borders.setChecked(display.borders)
        self.menus.leaves.setChecked(display.leaves)
        self.menus.log_scale.setChecked(display.log_scale)

    def _tell_views(self) -> None:
        visible = [name for name, view in self.views.items() if view.isVisible()]
        self.document.set_views(visible)

    # Exporting

    def export_results(self, suffix: str) -> None:
        """Ask for a file and write the state map, the arrays or the summary to it."""
        frame = self.document.frame
        if frame is None:
            return
        path = self._ask_where(f"{Path(frame.request.picture.name).stem}-latviz{suffix}", suffix)
        if path:
            self.background.start(
                lambda: export_frame(frame, path),
                lambda _: self.status.show_message(f"Wrote {path}"),
            )

    def export_view(self, name: str) -> None:
        """Ask for a file and draw a view (or, without a name, the window) to it."""
        widget: QWidget = self.views[name] if name else self
        path = self._ask_where(f"{name or 'latviz'}.png", ".png", ".svg")
        if not path:
            return
        try:
            export_view(widget, path)
        except ExportError as error:
            self.banner.show_failure(Failure(f"{error}."))
        else:
            self.status.show_message(f"Wrote {path}")

    def _ask_where(self, name: str, *suffixes: str) -> str:
        patterns = ";;".join(f"{suffix[1:].upper()} (*{suffix})" for suffix in suffixes)
        start = str(Path(self.settings.folder) / name)
        path, _ = QFileDialog.getSaveFileName(self, "Export", start, patterns)
        if path and not Path(path).suffix:
            path += suffixes[0]
        return path

    def copy_states(self) -> None:
        """Copy the view of the state map as a picture."""
        clipboard = QGuiApplication.clipboard()
        assert clipboard is not None
        clipboard.setImage(picture_of_view(self.states))
        self.status.show_message("Copied the state map")

    # The window itself

    def zoom(self, factor: float) -> None:
        """Magnify image and state map."""
        self.states.canvas.zoom(factor)

    def show_all(self) -> None:
        """Show all of the image."""
        self.states.canvas.show_all()

    def focus_control(self, name: str) -> None:
        """Give the keyboard to a control, and show the panel if it is hidden."""
        self.docks["controls"].show()
        getattr(self.controls, name).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def restore_layout(self) -> None:
        """Put every dock where it is by default."""
        docking.arrange(self, self.docks, (self.width(), self.height() - 60))

    def toggle_full_screen(self) -> None:
        """Fill the screen, or no longer."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def choose_theme(self, name: str) -> None:
        """Use the light or dark theme, or the system's."""
        self._forced_theme = ""
        self.settings.theme = name
        self._apply_theme()

    def show_help(self) -> None:
        """Open the help page."""
        HelpDialog(self.menus.shortcuts(), self).show()

    def show_about(self) -> None:
        """Say what this program is."""
        QMessageBox.about(self, "About latviz", ABOUT.format(version=latviz.__version__))

    def _apply_theme(self) -> None:
        chosen = self._forced_theme or (self.settings.theme if self._remembers else "system")
        known = {"light": themes.LIGHT, "dark": themes.DARK}
        self.theme = known.get(chosen) or themes.system_theme()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.setPalette(themes.palette(self.theme))
        application.setStyleSheet(stylesheet(self.theme))
        for view in self.views.values():
            view.apply_theme(self.theme)
        self.status.apply_theme(self.theme)

    def _place(self) -> None:
        self.restore_layout()
        stored = self.settings.layout() if self._remembers else None
        if stored is not None:
            geometry, state = stored
            self.restoreGeometry(geometry)
            self.restoreState(state)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Remember the layout and end the threads."""
        if self._remembers:
            self.settings.save_layout(self.saveGeometry(), self.saveState())
        self.background.finish()
        self.worker.stop()
        super().closeEvent(event)
