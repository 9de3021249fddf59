"""Racing another method against belief: the menu, the background work and its results."""

from functools import partial
from weakref import WeakKeyDictionary

from PyQt6.QtCore import QObject

from latviz.app.compare.comparison import Comparing
from latviz.app.document.document import Document
from latviz.app.shell.actions import Action, Item, Submenu
from latviz.app.shell.feature import Feature, Parts
from latviz.app.shell.shell import Shell
from latviz.app.work.background import Background, Task
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.kept import keep
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.state import State
from latviz.wings import race
from latviz.wings.race.peers.catalogue import INSTALL, PEERS, Peer
from latviz.wings.race.race_bar import RaceBar
from latviz.wings.race.scores import Labelled

MENU = "Compare with"
LEFT_S = 10.0
"""Seconds to wait for a computation in progress when the window closes."""


class Race(QObject, Feature):
    """Lets another method label the picture; its labels become A. `bar` shows the scores."""

    # Belief in the same problem comes first. The method runs in a process of its own, which
    # cancelling ends

    def __init__(self, parts: Parts) -> None:
        document, shell = parts[Document], parts[Shell]
        super().__init__(shell.main_window)
        self._document, self._shell = document, shell
        self._task: Task | None = None
        self._peer: Peer | None = None
        self._waits = False
        self._scores: WeakKeyDictionary[DecodingA, Labelled] = WeakKeyDictionary()
        self.bar = RaceBar()
        self.bar.cancel.clicked.connect(self.cancel)
        self.background = Background(self)
        self.background.failed.connect(lambda _: self._end())
        self.background.failed.connect(shell.fail)
        self.background.reported.connect(self._take_progress)
        document.changed.connect(self._follow)
        document.failed.connect(self._stumble)

    def menu_items(self) -> tuple[Item, ...]:
        """Return the menu items."""
        tip = (
            "Label the same picture with another method and with belief; the labels of the other "
            "method become the reference"
        )
        return (
            Submenu("Compare w&ith", tip, ("View", 2.2)),
            *(
                Action(_text(peer), _tip(peer), partial(self.start, peer), at=(MENU, place / 100))
                for place, peer in enumerate(PEERS.values())
            ),
        )

    def connect(self, parts: Parts) -> None:
        """Show its bar next to that of the comparison."""
        parts[Comparing].row.addWidget(self.bar, 1)

    def dismiss(self) -> bool:
        """Cancel a method that is being run."""
        was_on = self.is_on
        if was_on:
            self.cancel()
        return was_on

    @property
    def is_on(self) -> bool:
        """True while a method runs or is about to."""
        return self._peer is not None

    @property
    def scores(self) -> Labelled | None:
        """The scores of the race whose labels are the reference."""
        compared = self._document.state.compared
        return None if compared is None else self._scores.get(compared)

    def start(self, peer: Peer) -> None:
        """Run a method once the current settings are computed; cancel another one."""
        if self._document.picture is None:
            self._shell.say("There is nothing to compare with yet: open an image first")
            return
        self._give_up()
        self._peer, task = peer, self.background.task()
        self._task = task
        self.bar.begin(peer.title)
        self._waits = True
        self._document.when_whole(partial(self._set_up, peer, task))

    def cancel(self) -> None:
        """Cancel the method, and keep the comparison on screen."""
        title = "" if self._peer is None else self._peer.title
        self._give_up()
        self._shell.say(f"Comparing with {title} was cancelled")

    def close(self) -> None:
        """Cancel the running method, and wait until it has ended."""
        self._give_up()
        self.background.finish(seconds=LEFT_S)

    def _set_up(self, peer: Peer, task: Task, frame: Frame) -> None:
        if task is self._task:
            self._waits = False
            self.background.start(
                lambda: race.contest.set_up(peer, frame, task),
                partial(self._run, task),
                task=task,
            )

    def _run(self, task: Task, contest: "race.contest.Contest") -> None:
        if task is self._task:
            self.bar.show_belief(contest.belief, contest.shown)
            self.background.start(
                lambda: race.contest.race(contest, task),
                partial(self._finish, task),
                task=task,
            )

    def _finish(self, task: Task, found: tuple[Frame, Labelled]) -> None:
        if task is self._task and self._peer is not None:
            title, compared = self._peer.title, keep(found[0])
            self._scores[compared] = found[1]
            self._end()
            self._document.change(f"Compare with {title}", compared=compared)

    def _take_progress(self, task: Task, fraction: float) -> None:
        if task is self._task:
            self.bar.show_fraction(fraction)

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.give_up()
        self._end()

    def _stumble(self, _: object) -> None:
        """Cancel a waiting run if its input cannot be computed; a running one continues."""
        if self._waits:
            self._give_up()

    def _end(self) -> None:
        self._task = self._peer = None
        self._waits = False
        self._show()

    def _follow(self, old: State, new: State) -> None:
        """Cancel runs on another picture; show the scores of the labels in the reference."""
        if new.picture is not old.picture and self._peer is not None:
            self._shell.say_lost(f"Comparing with {self._peer.title}")
            self._give_up()
        elif not self.is_on and new.compared != old.compared:
            self._show()

    def _show(self) -> None:
        self.bar.show_scores(self.scores)


def _text(peer: Peer) -> str:
    missing = " and ".join(peer.missing)
    return f"{peer.title} (needs {missing})" if missing else peer.title


def _tip(peer: Peer) -> str:
    return f"{peer.tip}. To install: {INSTALL}" if peer.missing else peer.tip
