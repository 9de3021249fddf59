"""The indices, as a view."""

from latviz.app.views.indices.view import IndicesView, needed
from latviz.app.views.spec import Rows, ViewSpec
from latviz.app.views.verbs import COMPARING
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import kind_of, learned_from
from latviz.engine.indices import INDICES, gauges
from latviz.engine.settings.state import State


def table_rows(frame: Frame) -> Rows:
    """Return the known indices, with those of noise and of the truth."""
    own = [gauge for gauge in gauges(frame) if gauge.value is not None]
    columns = {"value": "Value", "noise": "Noise", "truth": "Truth"}
    kept = [name for name in columns if any(getattr(g, name) is not None for g in own)]
    found: Rows = [["Index", *(columns[name] for name in kept)]]
    found += [[g.index.title, *(_cell(getattr(g, name)) for name in kept)] for g in own]
    if frame.truth is not None:
        rest = [""] * (len(kept) - 1)
        found.append(["Accuracy", frame.truth.accuracy, *rest])
        found.append(["Adjusted Rand", frame.truth.rand, *rest])
    return found


def _cell(value: float | None) -> float | str:
    return "" if value is None else value


def script_lines(frame: Frame) -> list[str]:
    """Return lines that compute the indices that are not in the script yet, and those of noise."""
    parameters = frame.request.parameters
    found = [line for row in INDICES.values() for line in row.script(frame)]
    if frame.noise is None:
        return found
    return [
        *found,
        "",
        "from latviz.core import noise_indices",
        "",
        "noise = noise_indices(",
        f"    {learned_from(frame)},",
        f"    {parameters.fit.arguments()},",
        *([] if parameters.decoding.is_nearest else [f"    decoder={parameters.decoder!r},"]),
        f"    {kind_of(frame)},",
        ")",
        "print('associativity of noise', noise.associativity, 'inertia of noise', noise.inertia)",
    ]


def asked(state: State) -> frozenset[str]:
    """Return the needed results; with beliefs, code lengths decide if noise reaches as much."""
    needs = needed() if state.knows_truth else needed() - {"truth"}
    return needs | {"code_lengths"} if state.parameters.decoding.speaks else needs


SPEC = ViewSpec(
    name="indices",
    title=IndicesView.TITLE,
    make=IndicesView,
    explains=("associativity", "inertia", "code_length"),
    help=(
        "Associativity: how often neighbours are in the same state. Inertia: how far one state "
        "fills each window. Independence: how independent neighbours are, given their states. Law: "
        "how well numbers follow the law of their state. They show whether the model applies. Next "
        "to them are the values of noise and, if known, of the truth."
    ),
    scrolled=True,
    needs=needed(),
    asks=asked,
    verbs=lambda _view, _context: ("Choose w", COMPARING),
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
