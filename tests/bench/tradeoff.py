"""The sweep over windows and numbers of states, and leave-one-out decoding."""

from collections.abc import Iterator

from latviz.core.choice.leave_one_out import decode_both
from latviz.core.choice.settings import sweep
from latviz.core.data.data_set import as_data_set
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import Encoding
from latviz.core.model.learning import learn_from_sample
from latviz.core.windows.decoding import decode
from tests.bench.harness import Result, against, box_filter, settings
from tests.bench.pictures import photograph

M = N = 8
WINDOWS = range(1, 17)
STATES = range(1, 9)


def tradeoff(repeats: int) -> Iterator[Result]:
    """Sweep a photograph; decode it with and without each node against plain decoding."""
    symbols = encode(photograph(1024), Encoding("quantiles", M)).values
    notes = settings("1024² quantiles", M=M, w="1..16", N="1..8")
    task = lambda: list(sweep(symbols, WINDOWS, STATES))  # noqa: E731
    yield against("sweep", task, box_filter(), "F", 40.0, repeats=repeats, settings=notes)
    vectors = encode(photograph(1024, colour=True), Encoding("lab")).values
    notes = settings("1024² CIELAB", w="1..16", N="1..8")
    task = lambda: list(sweep(vectors, WINDOWS, STATES, kind="gaussian"))  # noqa: E731
    line = "sweep, CIELAB"
    yield against(line, task, box_filter(), "F", 120.0, repeats=repeats, settings=notes)
    tree = learn_from_sample(as_data_set(symbols, "discrete", M), 5)
    codebooks = [tree.codebook(n) for n in STATES]
    notes = settings("1024² quantiles", M=M, N=N, w=5)
    yield against(
        "leave-one-out and plain, one N",
        lambda: decode_both(symbols, tree, [N], 5),
        lambda: decode(symbols, codebooks[-1], 5),
        "plain decode",
        1.5,
        repeats=repeats,
        settings=notes,
    )
    notes = settings("1024² quantiles", M=M, N="1..8", w=5)
    yield against(
        "leave-one-out and plain, all N",
        lambda: decode_both(symbols, tree, STATES, 5),
        lambda: [decode(symbols, codebook, 5) for codebook in codebooks],
        "plain decodes",
        1.5,
        repeats=repeats,
        settings=notes,
    )
