"""The sweep over windows and numbers of states, leave-one-out decoding, and choosing."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from latviz.core import choose, sample_blobs
from latviz.core.choice.settings import sweep
from latviz.core.data.data_set import as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.model.learning import learn_from_sample
from latviz.core.windows.decoding import decode
from latviz.core.windows.leave_one_out import decode_both
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.frames.listener import Watch
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from tests.bench.cases import Case
from tests.bench.fields import symbol_model, vector_model
from tests.bench.harness import Result, against, settings
from tests.bench.pictures import photograph

M = N = 8
WINDOWS = range(1, 17)
STATES = range(1, 9)


def tradeoff() -> Iterator[Result]:
    """Sweep a photograph; decode it with and without each node against plain decoding."""
    symbols = encode(photograph(1024), Encoding("quantiles", M)).values
    notes = settings("1024² quantiles", M=M, w="1..16", N="1..8")
    task = lambda: list(sweep(symbols, WINDOWS, STATES))  # noqa: E731
    yield against("sweep", task, limit=35.0, settings=notes)
    vectors = encode(photograph(1024, colour=True), Encoding("lab")).values
    notes = settings("1024² CIELAB", w="1..16", N="1..8")
    task = lambda: list(sweep(vectors, WINDOWS, STATES, kind="gaussian"))  # noqa: E731
    line = "sweep, CIELAB"
    yield against(line, task, limit=60.0, settings=notes)
    yield from (whole(name, levels) for name, levels in (("lab", 0), ("quantiles", M)))
    tree = learn_from_sample(as_data_set(symbols, "discrete", M), 5)
    codebooks = [tree.codebook(n) for n in STATES]
    notes = settings("1024² quantiles", M=M, N=N, w=5)
    yield against(
        "leave-one-out and plain, one N",
        lambda: decode_both(symbols, tree.codewords_of([N]), 5),
        lambda: decode(symbols, codebooks[-1], 5),
        "plain decode",
        2.25,  # it gives two maps, and runs twice through the scores of all states
        settings=notes,
    )
    notes = settings("1024² quantiles", M=M, N="1..8", w=5)
    yield against(
        "leave-one-out and plain, all N",
        lambda: decode_both(symbols, tree.codewords_of(STATES), 5),
        lambda: [decode(symbols, codebook, 5) for codebook in codebooks],
        "plain decodes",
        1.5,
        settings=notes,
    )
    yield from choices()


def whole(name: str, levels: int) -> Result:
    """Fill the trade-off of a photograph, as the window does in idle time, with its codebook."""
    encoding = Encoding(name, levels) if levels else Encoding(name)
    picture = Picture(photograph(512, colour=not levels), "photograph")
    parameters = Parameters(encoding, n_states=4, window=7, learning_window=7)
    frame = Pipeline().run(Request(1, picture, parameters, complete=True))

    def fill() -> None:
        sweeping = Sweeping()
        while sweeping.next(frame, Watch(lambda: False)) is not None:
            pass

    line, notes = f"whole trade-off, {name}", settings("512²", w="0..20", N="1..8", w_l=7)
    return against(line, fill, limit=25.0, settings=notes)


def choices() -> Iterator[Result]:
    """Choose N and w of a field of six states, of symbols and of vectors, and of photographs."""
    truth = sample_blobs((512, 512), 6, scale=12, seed=3)
    subjects = [
        (f"field of {what}", Case.emitted(model, truth, seed=4))
        for what, model in (
            ("symbols", symbol_model(6)),
            ("vectors", vector_model(6, np.random.default_rng(1))),
        )
    ]
    for name, levels in (("quantiles", 8), ("lab", None)):
        image = photograph(512, colour=name == "lab")
        subjects.append((f"photograph, {name}", Case.encoded(image, truth, name, levels)))
    for line, case in subjects:
        yield against(
            f"choose, 512², {line}",
            partial(choose, case.observations, kind=case.kind, n_symbols=case.n_symbols),
            limit=300.0,
            settings=settings("512²", N="1..8", w="1..20"),
        )
