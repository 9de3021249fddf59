"""The pictures of the bench, which `tests.screenshots` draws."""

from collections.abc import Iterator
from contextlib import contextmanager

from PyQt6.QtGui import QImage

from latviz.app.exporting.drawing import image_of
from latviz.wings.bench.document import keep
from latviz.wings.bench.experiment import PRESETS, Experiment
from latviz.wings.bench.opener import Bench
from latviz.wings.bench.window import SIZE, BenchWindow
from tests.screenshots import Shot, shown, wait_until

STROKES = (
    (0, 64, ((64, 64), (64, 64))),
    (1, 14, ((100, 12), (84, 40), (92, 70), (76, 100), (86, 122))),
    (2, 10, ((18, 10), (30, 34), (22, 64), (34, 96), (20, 120))),
    (2, 18, ((64, 64), (64, 66))),
    (1, 5, ((46, 46), (82, 82))),
)
"""Painted strokes: states, sizes of the brush, and the pixels along them."""


@contextmanager
def shown_bench(experiment: Experiment) -> Iterator[BenchWindow]:
    with shown("blobs") as window:
        window.worker.prepared.set()  # a patient window loads only its picture's kernels
        keep(window.settings, experiment)
        window.parts[Bench].open()
        bench = window.parts[Bench].window
        bench.resize(*SIZE)
        yield bench


def laboratory() -> QImage:
    """Draw the usual experiment, with all of its copies."""
    with shown_bench(Experiment()) as bench:
        wait_until(lambda: bench.document.activity.work == "idle")
        return image_of(bench)


def drawing() -> QImage:
    """Draw the bench with a truth that was painted."""
    with shown_bench(Experiment(region=40)) as bench:
        wait_until(lambda: bench.document.activity.work == "idle")
        brush = bench.draw_bar
        bench.controls.draw.click()
        for state, size, nodes in STROKES:
            brush.pick(state)
            brush.size_.set_value(size)
            brush.press(nodes[0])
            for node in nodes[1:]:
                brush.move_to(node)
            brush.release()
        wait_until(lambda: bench.document.activity.work == "idle")
        return image_of(bench)


def playground() -> QImage:
    """Draw the bench near the critical strength, after 300 sweeps."""
    with shown_bench(PRESETS["critical"].experiment(window=2)) as bench:
        document = bench.document
        document.run(False)
        for _ in range(300):
            document.step()

        def is_read() -> bool:
            moment, order = document.moment, document.order
            at_rest = moment is not None and moment.order is order and moment.sweeps == order.sweeps
            return at_rest and moment.reading.truth is moment.states

        wait_until(is_read)
        return image_of(bench)


SHOTS = {
    "wings/bench/lab.png": Shot(laboratory, SIZE),
    "wings/bench/drawn.png": Shot(drawing, SIZE),
    "wings/bench/playground.png": Shot(playground, SIZE),
}
