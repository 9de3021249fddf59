"""Run the robot, and report failures: ``python -m tests.bench.soak --count 10000``.

An act depends only on the seed and its number, so ``--seed`` and ``--first`` repeat a run, as far
as the threads allow. Ctrl+C ends the run after the current act; SIGUSR1 prints its position.
"""

import argparse
import faulthandler
import os
import signal
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from latviz import wings
from latviz.app.document.opening import Opener
from latviz.app.help.reference import Reference

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


from latviz.app.program.main import application
from tests.bench.soak.acts import ACTS
from tests.bench.soak.robot import Robot
from tests.bench.soak.watch import Watch, watching

LEVEL_EVERY = 100
GROWTH, GROWTH_MIB = 0.05, 20.0
"""Growth of memory to report as trouble: as a share, and in MiB."""
JOURNAL = 25
"""Lines of the journal that are printed when something went wrong."""


def options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.soak", description=__doc__)
    parser.add_argument("--count", type=int, default=1000, help="acts (default: 1000)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first act")
    parser.add_argument("--only", default="", help="do only acts whose name has this in it")
    parser.add_argument("--reopen", type=int, default=0, help="only close and reopen so often")
    parser.add_argument("--seconds", type=float, default=1e9, help="act no longer than this")
    parser.add_argument(
        "--busy", action="store_true", help="fail neither for stalls nor for memory"
    )
    return parser.parse_args()


@contextmanager
def apart_from_the_person() -> Iterator[Path]:
    """Keep settings, kept sessions and files in a folder of their own; yield it."""
    with tempfile.TemporaryDirectory(prefix="latviz-soak-") as name:
        folder = Path(name)
        os.environ["LATVIZ_HOME"] = os.environ["HOME"] = name
        os.chdir(folder)
        yield folder


def main() -> int:
    asked, watch, start = options(), Watch(), time.monotonic()
    with apart_from_the_person() as folder, os.fdopen(os.dup(2), "w") as screen:
        faulthandler.enable(screen)
        faulthandler.register(signal.SIGUSR1, screen, all_threads=False)
        application()
        with watching(watch) as look:
            acts = [act for act in ACTS if asked.only in act.name]
            robot = Robot(asked.seed, folder, watch, acts)
            robot.rest(-1)
            print(f"seed {asked.seed}", flush=True)  # a fault may end the process
            if asked.reopen:
                reopen(robot, asked.reopen)
            else:
                run(robot, asked, look, time.monotonic() + asked.seconds)
            robot.leave()
            look()
        written = Counter(path.suffix for path in robot.out.rglob("*") if path.is_file())
        faulthandler.disable()
    print(f"seed {asked.seed}, {time.monotonic() - start:.0f} s")
    print(f"files written: {dict(written)}")
    return report(robot, watch, asked.busy)


def run(robot: Robot, asked: argparse.Namespace, look: Callable[[], None], end: float) -> None:
    known, stalls, stopped = 0, 0, threading.Event()
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    for done, step in enumerate(range(asked.first, asked.first + asked.count), start=1):
        robot.act(step)
        look()
        for trouble in robot.watch.troubles[known:]:
            print(f"\n*** {trouble.kind} during {trouble.during}\n{trouble.text}")
            print("\n".join(list(robot.journal)[-JOURNAL:]), flush=True)
        known = len(robot.watch.troubles)
        for stall in robot.sections.stalls[stalls:]:
            print(f"\n*** {1000 * stall.seconds:.0f} ms during {stall.during}\n{stall.where}")
        stalls = len(robot.sections.stalls)
        if done % LEVEL_EVERY == 0:
            memory = f"{robot.rest(step):.0f} MiB"
            print(f"{done} acts: {memory}, {known} troubles, {stalls} stalls", flush=True)
        if stopped.is_set() or time.monotonic() > end:
            break
    robot.rest(asked.first + asked.count)


def reopen(robot: Robot, count: int) -> None:
    """Close and reopen the window, each time with something on screen."""
    for step in range(count):
        with robot.sections.apart():
            robot.watch.step, robot.watch.act = step, "close and reopen"
            robot.close_window()
            robot.open_window()
            robot.main.parts[Opener].open_file(str(robot.files[step % 20]))
            if step % 3 == 0:
                for wing in wings.rows("features", type):
                    for item in robot.main.parts[wing].menu_items():
                        item.run()
            else:
                robot.main.parts[Reference].show_help()
            robot.settle()
        if step % 10 == 9:
            print(f"{step + 1} windows: {robot.rest(step):.0f} MiB", flush=True)


def report(robot: Robot, watch: Watch, busy: bool) -> int:
    """Print the acts and failures; return 1 if there are failures.

    On a ``busy`` machine, times and memory do not count as failures.
    """
    n = sum(robot.counts.values())
    print(f"{n} acts, of which missed {sum(robot.missed.values())}")
    for name, count in robot.counts.most_common():
        print(f"  {count:5} {name}" + (f", missed {robot.missed[name]}" * (name in robot.missed)))
    events = robot.events | Counter({"items chosen in menus": len(robot.usher.chosen)})
    print(", ".join(f"{name}: {count}" for name, count in events.items()))
    kinds = Counter(trouble.kind for trouble in watch.troubles)
    found = ", ".join(f"{count} x {kind}" for kind, count in sorted(kinds.items()))
    print(f"troubles: {found or 'none'}\nstalls: {len(robot.sections.stalls)}")
    slow = not busy and (robot.sections.stalls or grew(robot.levels))
    return int(bool(watch.troubles or slow))


def grew(levels: list[float]) -> bool:
    """Print the growth of memory; return True if it is too much."""
    if len(levels) < 3:
        return False
    part = max(1, len(levels) // 5)
    before, after = (median(some) for some in (levels[part : 2 * part], levels[-part:]))
    print(f"memory: {before:.0f} MiB early, {after:.0f} MiB late: {after / before - 1:+.1%}")
    return after - before > max(GROWTH * before, GROWTH_MIB)


if __name__ == "__main__":
    sys.exit(main())
