"""The main window: it makes the parts and connects them."""

from itertools import permutations
from typing import TypeVar

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QIcon
from PyQt6.QtWidgets import QMainWindow, QMessageBox, QToolButton, QWidget

import latviz
from latviz.app import docks as docking
from latviz.app import idle_jobs as resting
from latviz.app.banner import Banner
from latviz.app.batch import Batch
from latviz.app.compare.comparison import Comparing
from latviz.app.controls import ControlPanel
from latviz.app.copying import Copier
from latviz.app.document import Document
from latviz.app.exporting import Exporter
from latviz.app.focus import FocusRing, order_tabs
from latviz.app.headers import BlendBar, FacePicker, MapPicker, Sources, side_by_side
from latviz.app.help import HelpDialog
from latviz.app.laboratory.opener import LabOpener
from latviz.app.latency import Latency
from latviz.app.menus import Menus
from latviz.app.opening import Opener
from latviz.app.preferences import Preferences
from latviz.app.session.autosave import Autosave
from latviz.app.session.sessions import Sessions
from latviz.app.settings import Settings
from latviz.app.status import StatusLine, lit_text
from latviz.app.views.adjacency.view import AdjacencyView
from latviz.app.views.base import View
from latviz.app.views.emissions.view import EmissionsView
from latviz.app.views.image.view import ImageView, PictureView
from latviz.app.views.indices.view import IndicesView
from latviz.app.views.likelihood.view import LikelihoodView
from latviz.app.views.map.view import MapView
from latviz.app.views.pins.view import PinsView
from latviz.app.views.pixel.view import PixelView
from latviz.app.views.space.view import SpaceView
from latviz.app.views.states.view import StatesView
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.app.views.tree.view import TreeView
from latviz.app.worker import Worker
from latviz.engine.frame import ALL_VIEWS, Frame
from latviz.engine.picture import Picture
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
    MapView,
    PinsView,
    TreeView,
    TradeOffView,
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
        self.settings = settings or Settings(lasting=False)
        self.worker = Worker()
        self.document = Document(self.worker, self, patient=patient)
        self._help: HelpDialog | None = None
        self._make_views()
        self._make_docks()
        self._make_status_bar()
        self.comparing = Comparing(self.document, self)
        self.opener, self.exporter = Opener(self), Exporter(self)
        self.batch, self.copier = Batch(self), Copier(self)
        self.sessions = Sessions(self)
        self.autosave = Autosave(self)
        self.preferences = Preferences(self, theme)
        self.lab = LabOpener(self)
        self.menus = Menus(self)
        self.paths.setDefaultAction(self.menus.paths)
        self._connect_signals()
        self.preferences.apply()
        self._place()
        self._order_tabs()
        self.focus_ring = FocusRing(self)
        self.setFocus()  # nothing is ringed before a person asks for it
        QTimer.singleShot(0, self.worker.start)  # after the window was painted

    def _make_views(self) -> None:
        self.views: dict[str, View] = {kind.NAME: kind() for kind in VIEWS}

    def _make_docks(self) -> None:
        self.controls = ControlPanel(self.document)
        self.sources = Sources()
        self.blend = BlendBar()
        self.map_picker, self.face_picker = MapPicker(), FacePicker()
        self.paths = QToolButton()
        headers: dict[str, QWidget] = {
            "image": self.sources.of_image,
            "states": side_by_side(self.sources.slice_bars[1], self.blend),
            "map": self.map_picker,
            "adjacency": self.face_picker,
            "space": self.paths,
        }
        self.docks = {
            "controls": docking.Dock("controls", "Controls", docking.scrolled(self.controls), None)
        }
        for name, view in self.views.items():
            content = docking.scrolled(view) if name == "pixel" else view
            self.docks[name] = docking.Dock(name, view.TITLE, content, headers.get(name))
        self._dock_sizes = docking.Sizes(self, self.docks.values())
        self.banner = Banner(self)
        self.latency = Latency(self.document, self.views, self)

    def _order_tabs(self) -> None:
        """Let Tab go from dock to dock, in each from its title to its content."""
        parts: list[QWidget | None] = [self.banner]
        for dock in self.docks.values():
            parts += [dock.titleBarWidget(), dock.widget()]
        order_tabs(part for part in (*parts, self.status) if part is not None)

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
        self.sources.pages.picked.connect(self.opener.open_page)
        self.sources.pages.volume_wanted.connect(self.opener.open_as_volume)
        for bar in self.sources.slice_bars:
            bar.picked.connect(document.set_slice)
        self.blend.changed.connect(lambda opacity: document.set_display(opacity=opacity))
        self.space.projection_changed.connect(document.set_projection)
        self.adjacency.log_scale_toggled.connect(self.menus.log_scale.setChecked)
        for view in self.views.values():
            document.inspector.changed.connect(view.show_inspection)
            view.windowTitleChanged.connect(self.docks[view.NAME].show_heading)
            view.hovered.connect(document.inspector.hover)
            view.picked.connect(document.select)
            view.state_hovered.connect(lambda state: document.set_display(state=state))
            view.symbol_hovered.connect(lambda symbol: document.set_display(symbol=symbol))
        self.map_picker.picked.connect(document.set_map)
        document.map_changed.connect(self.map_picker.show_map)
        self.face_picker.picked.connect(self.menus.graph.setChecked)
        tree = self._view(TreeView)
        tree.n_states_wanted.connect(lambda n: document.set("Change N", n_states=n))
        self._connect_pins()
        self._connect_comparison()
        resting.connect(document, self._view(TradeOffView), self.status)
        canvases = [v.canvas for v in self.views.values() if isinstance(v, PictureView)]
        for here, there in permutations(canvases, 2):
            here.moved.connect(lambda a=here, b=there: b.follow(a))
        canvas = self.states.canvas
        canvas.viewed.connect(lambda: document.set_visible(canvas.region))
        for dock in self.docks.values():
            # Later: a dock tells before what is in it is shown or hidden.
            dock.appeared.connect(lambda: QTimer.singleShot(0, self.tell_views))
            dock.topLevelChanged.connect(self._order_tabs)

    def _connect_comparison(self) -> None:
        comparing, bar = self.comparing, self.states.bar
        comparing.noted.connect(self.status.show_message)
        self.states.split_moved.connect(comparing.set_divider)
        bar.chosen.connect(comparing.choose)
        bar.swapped.connect(comparing.swap)
        bar.let_go.connect(comparing.let_go)

    def _connect_pins(self) -> None:
        pins = self._view(PinsView)
        pins.unpinned.connect(self.document.inspector.pin)
        for view in self.views.values():
            if isinstance(view, PictureView):
                view.pinned.connect(self._pin)
            if isinstance(view, PictureView | PinsView):
                self.document.inspector.pins_changed.connect(view.show_pins)

    def _pin(self, node: tuple[int, ...]) -> None:
        """Pin a pixel, and show the table."""
        self.docks[PinsView.NAME].show()
        self.document.inspector.pin(node)

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

    def dragEnterEvent(self, event: QDragEnterEvent | None) -> None:
        """Accept image files and images."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and (data.hasUrls() or data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent | None) -> None:
        """Open what was dropped."""
        data = event.mimeData() if event is not None else None
        if event is not None and data is not None and self.opener.open_data(data):
            event.acceptProposedAction()

    # Showing

    def _show_picture(self, picture: Picture) -> None:
        for view in self.views.values():
            if isinstance(view, PictureView):
                view.show_picture(picture)
        self.docks["image"].show_heading(f"{picture.name} · {picture.size_text}")
        self.sources.show_picture(picture, self.document.display.slice)
        for action in self.menus.slices:
            action.setEnabled(picture.dimensions == 3)
        self.status.show_notes(picture.notes)
        self.status.end_message()
        self.banner.hide()

    def _show_frame(self, frame: Frame) -> None:
        for view in self.views.values():
            view.show_frame(frame)
        discrete = frame.observations.discrete
        self.docks["space"].show_heading("Signature simplex" if discrete else "Signature space")
        self.status.show_frame(frame)
        notes = (*frame.request.picture.notes, *frame.observations.notes)
        self.status.show_notes((*lit_text(frame), *notes))

    def _show_display(self) -> None:
        display = self.document.display
        for view in self.views.values():
            view.show_display(display)
        self.sources.show_slice(display.slice)
        self.blend.show_value(display.opacity)
        self.menus.show_display(display)
        self.face_picker.show_graph(display.graph)

    def tell_views(self) -> None:
        """Tell the document which views are visible."""
        self.document.set_views(name for name in ALL_VIEWS if self.views[name].isVisible())

    def tell_lost(self, what: str) -> None:
        """Say that something cannot be done any more, once another picture has come."""
        text = f"{what} was given up: another picture was opened"
        QTimer.singleShot(0, lambda: self.status.show_message(text))

    def dismiss(self) -> None:
        """Hide the message across the window, or stop what Esc stops, or let go of what is lit."""
        if self.banner.isVisible():
            self.banner.hide()
        elif self.status.opening.isVisible():
            self.opener.cancel()
        elif self.document.rest.is_choosing:
            self.document.rest.cancel()
        else:
            self.document.select(None)

    # The window itself

    def zoom(self, factor: float) -> None:
        """Magnify image and state map."""
        self.states.canvas.zoom(factor)

    def show_all(self) -> None:
        """Show all of the image."""
        self.states.canvas.show_all()

    def focus_control(self, field: str) -> None:
        """Give the keyboard to a parameter's control, and show the panel if it is hidden."""
        self.docks["controls"].show()
        self.controls[field].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def restore_layout(self) -> None:
        """Put every dock where it is by default."""
        docking.arrange(self, self.docks, (self.width(), self.height() - 60))
        self._dock_sizes.forget()

    def toggle_full_screen(self) -> None:
        """Fill the screen, or no longer."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def show_help(self) -> None:
        """Open the help page."""
        if self._help is None:
            self._help = HelpDialog(self.menus.shortcuts(), self, self.settings)
        self._help.show()
        self._help.raise_()
        self._help.activateWindow()

    def show_about(self) -> None:
        """Say what this program is."""
        QMessageBox.about(self, "About latviz", ABOUT.format(version=latviz.__version__))

    def _place(self) -> None:
        self.restore_layout()
        stored = self.settings.layout()
        if stored is not None:
            geometry, state = stored
            self.restoreGeometry(geometry)
            self.restoreState(state)

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Remember the layout and end the threads."""
        self.settings.save_layout(self.saveGeometry(), self.saveState())
        self.hide()
        self.lab.close()
        self.opener.close()
        self.exporter.background.finish(all_of_it=True)
        self.sessions.background.finish(all_of_it=True)
        self.autosave.close()
        self.worker.stop()
        super().closeEvent(event)
