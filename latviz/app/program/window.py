"""The main window: it makes the parts and connects them."""

from collections.abc import Iterable, Iterator

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QIcon,
    QResizeEvent,
)
from PyQt6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QMainWindow,
    QMenuBar,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from latviz.app.benches.opener import Benches
from latviz.app.by_hand.hand import ByHand
from latviz.app.compare.comparison import Comparing
from latviz.app.compare.race import Race
from latviz.app.detail.magnifier import Magnifier
from latviz.app.docking import docks as docking
from latviz.app.docking.uses import COMPARE, INSPECT, LEARN, Use, UseBar, use_of
from latviz.app.document.document import Document
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.opening import Opener
from latviz.app.document.worker import Worker
from latviz.app.explaining.explainer import Explainer
from latviz.app.explaining.subjects import Subjects
from latviz.app.exporting.copying import Copier
from latviz.app.exporting.exporting import Batch, Exporter
from latviz.app.gallery.gallery import Gallery
from latviz.app.gallery.models import Models
from latviz.app.help.reference import Reference
from latviz.app.lessons.teacher import Teacher
from latviz.app.look import theme as themes
from latviz.app.look.screens import fit
from latviz.app.panels.controls import ControlPanel, edit_actions, focus_actions, step_actions
from latviz.app.panels.preferences import Preferences
from latviz.app.program.collecting import Collector
from latviz.app.program.context_menus import Common, ContextMenus
from latviz.app.program.dock_layout import DockLayout
from latviz.app.program.window_actions import dock_actions, use_actions, window_actions
from latviz.app.scribbling.bar import ScribbleBar
from latviz.app.scribbling.scribbler import Scribbler
from latviz.app.selections.keeper import Keeper
from latviz.app.session.autosave import Autosave
from latviz.app.session.sessions import Sessions
from latviz.app.session.state_text import StateText
from latviz.app.sharing.sharer import Sharer
from latviz.app.shell.actions import Item
from latviz.app.shell.banner import Banner
from latviz.app.shell.focus import DockFocus, FocusRing, order_tabs, stops
from latviz.app.shell.menus import Menus
from latviz.app.shell.settings import Settings
from latviz.app.shell.shell import Shell
from latviz.app.shell.spot import Spot
from latviz.app.shell.status import StatusLine, lit_text
from latviz.app.start.starter import Starter
from latviz.app.views import registry
from latviz.app.views.base import View
from latviz.app.views.picture import PictureView, Registered
from latviz.app.views.rounds import Rounds
from latviz.app.views.spec import AnySpec, Context, needs_of
from latviz.app.views.viewer.view import Viewer
from latviz.app.widgets.formula import Typesetter
from latviz.app.widgets.steady import Steady
from latviz.app.work.timers import once_after
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.section import Section
from latviz.engine.geometry.selection import Selection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.state import State
from latviz.resources import resource

SIZE = (1280, 800)
_GAP = 40
"""Between the menus and the tabs."""
FIRST = "states"
"""The view that is painted before all others."""
SHAPED = ("states", "tree", "space", "adjacency", "emissions")
"""The views whose menus offer what is done to a state."""


class MainWindow(QMainWindow):
    """The program's window.

    Without ``settings`` nothing is kept between runs. ``theme`` forces "light" or "dark"; ``use``
    is the name of the tab to begin with, one of `USES`.
    ``patient`` is the document's; its pictures are few, so that the worker is sparing, too.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        theme: str = "",
        *,
        use: str = INSPECT,
        patient: bool = False,
    ) -> None:
        themes.begin()
        super().__init__()
        self.setObjectName("latviz")
        self.setWindowTitle("latviz")
        self.setWindowIcon(QIcon(str(resource("icon.svg"))))
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(True)
        self.setAnimated(False)  # Qt loses docks if a separator is dragged meanwhile
        fit(self, SIZE)
        self._font, self._rules = QApplication.font(), themes.WindowRules(self)
        self.settings = settings or Settings(lasting=False)
        self._first_use = use_of(use)
        self.worker = Worker(sparing=patient)
        self.specs: dict[str, AnySpec] = {}
        self._may_close = False
        self.document = Document(self.worker, self, needs=self._needs, patient=patient)
        self.idle_jobs = IdleJobs(self.document, self.worker)
        self._make_status_bar()
        self.banner = Banner()
        self.shell = Shell(self, self.status, self.banner)
        self._make_features(theme)
        self._make_top()
        self._make_views()
        self._make_docks()
        self._make_copies()
        self.menus = Menus(self, self._items())
        self._connect_signals()
        self.preferences.apply()
        self._place()
        self._order_tabs()
        for dock in self.docks.values():  # only now: docks are windows until they have a place
            dock.topLevelChanged.connect(self._order_tabs)
        self.focus_ring = FocusRing(self)
        keyboards = {name: view.keyboard for name, view in self.views.items()}
        keyboards["controls"] = stops(self.controls)[0]
        keyboards["lesson"] = self.teacher.panel.next_button
        self.dock_focus = DockFocus(self, self.docks, keyboards)
        self.setFocus()  # nothing is ringed before a person asks for it
        self.collector = Collector(self, self.worker.is_starting)
        QTimer.singleShot(0, self.worker.start)  # after the window was painted

    def _make_status_bar(self) -> None:
        bar = self.statusBar()
        assert bar is not None
        bar.setSizeGripEnabled(False)
        self.status = StatusLine()
        bar.addWidget(Steady(self.status), 1)

    def _make_top(self) -> None:
        """Put what comes and goes below the menus: it takes room of its own, and covers nothing."""
        self._menu_bar, self.use_bar, top = QMenuBar(), UseBar(), QWidget()
        self._menu_bar.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.use_bar.show_use(self._first_use.name)
        self.use_bar.picked.connect(self.enter)
        title = QHBoxLayout()
        title.setSpacing(0)
        title.addWidget(self._menu_bar, 0, Qt.AlignmentFlag.AlignVCenter)
        title.addSpacing(_GAP)
        title.addWidget(self.use_bar, 1)
        layout = QVBoxLayout(top)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        compared = QHBoxLayout()
        compared.addWidget(self.comparing.bar)
        compared.addWidget(self.comparing.invitation)
        compared.addWidget(self.race.bar, 1)
        layout.addLayout(title)
        layout.addWidget(self.banner)
        layout.addWidget(self.models.bar)
        layout.addLayout(compared)
        layout.addWidget(self.scribble_bar)
        self.setMenuWidget(top)

    def menuBar(self) -> QMenuBar:
        """Return the menus, which stand above what comes and goes."""
        return self._menu_bar

    def _make_features(self, theme: str) -> None:
        """Make what views may work with, and what works without them."""
        document, shell, settings = self.document, self.shell, self.settings
        self.comparing = Comparing(document, self)
        self.race = Race(document, shell, self)
        self.scribbler = Scribbler(document, shell)
        self.scribble_bar = ScribbleBar(self.scribbler)
        self.preferences = Preferences(document, settings, self, self._rules, theme)
        self.opener = Opener(document, shell, settings, self.status.opening)
        self.gallery = Gallery(document, shell, settings, self.opener)
        self.models = Models(document, shell, settings, self.opener, self.gallery)
        self.sessions = Sessions(document, shell, settings, self.opener)
        self.state_text = StateText(document, shell, self.sessions, self.opener)
        self.autosave = Autosave(document, shell, settings, self.opener, self.sessions)
        self.spot = Spot(self)
        self.sharer = Sharer(document, shell, settings, self.status.writing)
        self.keeper = Keeper(document, shell, self.sharer)
        self.benches = Benches(self, settings, self.worker.prepared, self.preferences, self.opener)
        self.teacher = Teacher(
            document, shell, settings, self.opener, self.idle_jobs, self._show_alone
        )
        self.starter = Starter(
            self,
            document,
            shell,
            settings,
            self.opener,
            self.autosave.recent,
            self.teacher,
            self.enter,
        )
        self.typesetter = Typesetter(self)
        self.reference = Reference(
            self, settings, lambda: self.menus, lambda: tuple(self.specs.values())
        )
        show_help = self.reference.show_help
        self.explainer = Explainer(self, document, shell, self.typesetter, show_help)
        self.context = Context(
            document,
            shell,
            self.preferences,
            self.opener,
            self.comparing,
            self.idle_jobs,
            self.keeper,
            self.gallery,
            self.explainer.explain_pixel,
        )

    def _make_views(self) -> None:
        found = registry.made_views(self.context)
        self._notes = found.notes
        self.specs = {spec.name: spec for spec, _ in found.made}
        self.views: dict[str, View] = {spec.name: view for spec, view in found.made}
        self.rounds = Rounds(self)
        for view in self.views.values():
            view.rounds = self.rounds

    def _make_docks(self) -> None:
        self.controls = ControlPanel(self.document)
        panel, keep = docking.scrolled(self.controls), self.controls.keep
        self.docks = {"controls": docking.Dock("controls", "Controls", panel, keep, self)}
        for name, spec in self.specs.items():
            view = self.views[name]
            content = docking.scrolled(view) if spec.scrolled else view
            header = None if spec.header is None else spec.header(view, self.context)
            self.docks[name] = docking.Dock(name, spec.title, content, header, self)
        self.docks["lesson"] = docking.Dock("lesson", "Lesson", self.teacher.panel, None, self)
        self.shell.docks.update(self.docks)
        pictures = [name for name, v in self.views.items() if isinstance(v, PictureView)]
        self._dock_layout = DockLayout(
            self, self.docks, self.specs, pictures, self.settings, self._first_use
        )

    def _make_copies(self) -> None:
        document, shell, specs = self.document, self.shell, self.specs.values()
        viewers = [view for view in self.views.values() if isinstance(view, Viewer)]
        bar, label = self.status.finest, self.status.zoomed
        self.magnifier = Magnifier(
            document, shell, self.settings, self.sharer.models, viewers, bar, label
        )
        self.exporter = Exporter(document, shell, self.settings, self.idle_jobs, self.views, specs)
        background = self.exporter.background
        self.batch = Batch(document, shell, self.settings, self.views, specs, background)
        self.copier = Copier(
            document, shell, self.settings, self.sessions, self.views, specs, self.docks
        )
        self.by_hand = ByHand(document, shell)
        self.context_menus = ContextMenus(
            self.context,
            self.views,
            self.specs,
            self.docks,
            (
                Common("Copy the picture", self.copier.copy_view),
                Common("Copy the values", self.copier.copy_values),
                Common("Export…", self.exporter.export_view),
                Common("Export the values…", self.exporter.export_values),
                Common("What is this?", lambda name: self.explainer.explain(self.views[name])),
            ),
            lambda text: self.menus[text],
            lambda name: self.by_hand.verbs(self.views[name]) if name in SHAPED else (),
            self,
        )
        self.explainer.add_menus(Subjects(self.docks, self.specs, self.controls))

    def _items(self) -> Iterator[Item]:
        """Yield what all parts offer in the menus."""
        yield from window_actions(
            self.close, self.dismiss, self.restore_layout, self._toggle_full_screen
        )
        yield from edit_actions(self.document, self)
        yield from step_actions(self.document)
        yield from focus_actions(self.document, self._focus_control)
        features = (
            self.starter,
            self.opener,
            self.gallery,
            self.models,
            self.sessions,
            self.state_text,
            self.autosave,
            self.exporter,
            self.sharer,
            self.magnifier,
            self.keeper,
            self.batch,
            self.copier,
            self.context_menus,
            self.comparing,
            self.race,
            self.preferences,
            self.spot,
            self.benches,
            self.by_hand,
            self.scribbler,
            self.explainer,
            self.reference,
        )
        for feature in features:
            yield from feature.menu_items()
        for name, spec in self.specs.items():
            if spec.actions is not None:
                yield from spec.actions(self.views[name], self.context)
        yield from use_actions(self._pick_use, self._is_on)
        yield from dock_actions(self.docks, self.specs)

    def _order_tabs(self) -> None:
        """Let Tab go from dock to dock, in each from its title to its content."""
        parts: list[QWidget | None] = [
            self.use_bar,
            self.banner,
            self.models.bar,
            self.comparing.bar,
            self.comparing.invitation,
            self.race.bar,
            self.scribble_bar,
            self.starter.page,
        ]
        for dock in sorted(self.docks.values(), key=lambda dock: dock.name != "lesson"):
            parts += [dock.titleBarWidget(), dock.widget()]
        order_tabs(part for part in (*parts, self.status) if part is not None)

    def _connect_signals(self) -> None:
        self._connect_document()
        self._connect_views()
        self.comparing.noted.connect(self.shell.say)
        self.preferences.theme_changed.connect(self.status.apply_theme)
        self.preferences.theme_changed.connect(self.comparing.bar.apply_theme)
        self.preferences.theme_changed.connect(self.teacher.panel.apply_theme)
        self.preferences.theme_changed.connect(self.teacher.examiner.panel.apply_theme)
        self.shell.shown.connect(self.tell_views)
        self.status.opening.cancelled.connect(self.starter.show_if_empty)
        self.starter.page.filled.connect(self._order_tabs)
        # Later, and once: a dock tells before what is in it is shown or hidden.
        self._views_due = once_after(0, self.tell_views, self)
        for dock in self.docks.values():
            dock.appeared.connect(self._views_due.start)
            dock.dragged.connect(self.dragEnterEvent)
            dock.dropped.connect(self.dropEvent)

    def _connect_document(self) -> None:
        document = self.document
        document.changed.connect(self._show_state)
        document.pointer_changed.connect(self.menus.refresh)
        document.frame_changed.connect(self._show_frame)
        document.activity_changed.connect(self.status.show_activity)
        document.compiling.connect(self.status.show_compiling)
        document.ready.connect(self.status.show_ready)
        document.failed.connect(self.shell.fail)
        document.refused.connect(self.shell.say)
        document.recovered.connect(self.banner.withdraw)
        self.idle_jobs.choosing_changed.connect(self.status.show_choosing)
        self.status.learning.declined.connect(document.cancel_work)
        self.status.learning.wanted.connect(document.learn_from_all)

    def _connect_views(self) -> None:
        document = self.document
        document.frame_came.connect(self._show_states)
        for name, view in self.views.items():
            if name != FIRST:
                document.frame_changed.connect(view.show_frame)
            document.pointer_changed.connect(view.show_pointer)
            document.inspector.changed.connect(view.show_inspection)
            document.inspector.pins_changed.connect(view.show_pins)
            self.preferences.theme_changed.connect(view.apply_theme)
            view.windowTitleChanged.connect(self.docks[name].show_heading)
            view.hovered.connect(document.inspector.hover)
            view.picked.connect(self._select)
            view.pinned.connect(self._pin)
            view.state_hovered.connect(lambda state: document.point(state=state))
            view.symbol_hovered.connect(lambda symbol: document.point(symbol=symbol))
            view.placed.connect(self.teacher.place)
            self.teacher.mark_changed.connect(view.show_mark)
        pictures = [view for view in self.views.values() if isinstance(view, PictureView)]
        for view in pictures:
            view.node_clicked.connect(self.teacher.click)
        self.pictures = Registered(pictures, self)
        self.scribbler.add_views(pictures)
        self.scribbler.changed.connect(self.menus.refresh)

    def _select(self, selection: Selection) -> None:
        """Light what was picked out, unless a lesson asks for a pixel."""
        if not self.teacher.awaits_pixel:
            self.document.select(selection)

    def _pin(self, node: tuple[int, ...]) -> None:
        """Pin a pixel, and show the table."""
        self.shell.show("pins")
        self.document.pin(node)

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

    def _show_state(self, old: State, new: State) -> None:
        picture = None if new.picture is old.picture else new.picture
        for view in self.views.values():
            if picture is not None:
                view.show_picture(picture)
            view.show_state(new)
        if picture is not None:
            is_ribbon = picture.dimensions == 1
            self._dock_layout.show_shape(None if is_ribbon else Section(picture.shape).shape)
        self.menus.refresh()
        if picture is not None:
            self._show_picture(picture)

    def _show_picture(self, picture: Picture) -> None:
        self.status.show_notes((*self._notes, *picture.notes))
        self.status.end_message()
        self.banner.hide()

    def _show_states(self, frame: Frame) -> None:
        """Let the state map be on screen before anything else is made of a frame."""
        view = self.views[FIRST]
        assert isinstance(view, PictureView)
        before = view.frame
        view.show_frame(frame)
        if before is None or before.states is not frame.states:
            view.canvas.paint_now()

    def _show_frame(self, frame: Frame) -> None:
        self.status.show_frame(frame)
        notes = (*frame.request.picture.notes, *frame.observations.notes)
        self.status.show_notes((*lit_text(frame), *self._notes, *notes))
        if frame.whole:  # what can be done to a state may have been waited for
            self.menus.refresh()

    def tell_views(self) -> None:
        """Tell the document which views are visible."""
        self.document.set_views(name for name, view in self.views.items() if view.isVisible())

    def _needs(self, state: State) -> frozenset[str]:
        """Return the results that the visible views draw, and that a lesson tells."""
        drawn = needs_of((self.specs[n] for n in state.views if n in self.specs), state)
        return drawn | self.teacher.needs

    def dismiss(self) -> None:
        """Hide the message across the window, or stop what Esc stops, or let go of what is lit."""
        if self.banner.isVisible():
            self.banner.hide()
        elif self.status.opening.isVisible():
            self.opener.cancel()
            self.starter.show_if_empty()
        elif self.starter.may_hide:
            self.starter.hide()
        elif self.race.is_on:
            self.race.cancel()
        elif self.sharer.is_on:
            self.sharer.cancel()
        elif self.idle_jobs.is_choosing:
            self.idle_jobs.cancel()
        elif self.scribbler.is_on:
            self.scribbler.dismiss()
        else:
            self.document.select(None)

    # The window itself

    def _focus_control(self, field: str) -> None:
        """Give the keyboard to a parameter's control, and show the panel if it is hidden."""
        self.shell.show("controls")
        self.controls[field].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def enter(self, name: str) -> None:
        """Lay the window out for another use, as a person left it there, or as it is by default."""
        if name == self.use.name:
            return
        self._dock_layout.leave()
        use = use_of(name)
        self.use_bar.show_use(name)
        self.settings.use = name
        self.teacher.leave()
        self._begin_use(use)
        self._dock_layout.enter(use)
        if name == LEARN:
            self.teacher.enter()
        self.menus.refresh()

    @property
    def use(self) -> Use:
        """What the window is used for now."""
        return self._dock_layout.use

    def _begin_use(self, use: Use) -> None:
        """Let the parts that stay know what the window is used for."""
        self._rules.set("size", themes.font_size(self._font, use.text))
        self.preferences.enter_room(use.contrast)
        self.controls.show_advanced(use.advanced)
        self.comparing.invite(use.name == COMPARE)

    def _show_alone(self, names: Iterable[str]) -> None:
        """Show what a lesson names beside the lesson and the controls, and nothing else."""
        self._dock_layout.show_alone(("lesson", "controls", *names))

    def _pick_use(self, name: str, _on: bool) -> None:
        self.enter(name)

    def _is_on(self, name: str) -> bool:
        return self.use.name == name

    def restore_layout(self) -> None:
        """Put every dock where it is by default."""
        self._dock_layout.restore_default()

    def _toggle_full_screen(self) -> None:
        """Fill the screen, or no longer."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    def _place(self) -> None:
        self._dock_layout.begin()
        self._begin_use(self.use)
        if self.use.name == LEARN:
            self.teacher.enter()

    def resizeEvent(self, event: QResizeEvent | None) -> None:
        """Share the room anew before anything is painted."""
        super().resizeEvent(event)
        self._dock_layout.follow_size()

    def close_now(self) -> None:
        """Close, and ask nothing."""
        self._may_close = True
        self.close()

    def closeEvent(self, event: QCloseEvent | None) -> None:
        """Remember the layout and end the threads; if a session has changes, ask before."""
        if event is not None and not self._may_close and self.sessions.is_changed:
            event.ignore()
            self.sessions.leave(self.close_now)
            return
        self._may_close = True
        self.exporter.draw_rest()
        if not self.isHidden():  # else it was closed before
            self._dock_layout.save()
        self.hide()
        for dock in self.docks.values():  # those that float are windows of their own
            dock.hide()
        self.spot.set_on(False)
        self.benches.close()
        self.opener.close()
        self.gallery.close()
        self.models.close()
        self.starter.close()
        self.race.close()
        self.scribbler.close()
        self.sharer.close()
        self.magnifier.close()
        self.typesetter.close()
        for view in self.views.values():
            view.finish()
        self.exporter.background.finish(all_of_it=True)
        self.sessions.background.finish(all_of_it=True)
        self.autosave.close()
        self.teacher.close()
        self.settings.finish()
        self.worker.stop()
        super().closeEvent(event)
