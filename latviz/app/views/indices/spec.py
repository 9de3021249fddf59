"""The indices, as a view."""

from functools import partial

from latviz.app.shell.actions import Action
from latviz.app.views.indices.view import QUANTILES, IndicesView, needed
from latviz.app.views.spec import Context, Rows, Verb, ViewSpec
from latviz.app.views.verbs import COMPARING
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.script import decoded, kind_of, learned_from
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
    if frame.law_quantiles:
        call = f"law_quantiles(values, states={decoded(frame)})"
        found += ["", "from latviz.core import law_quantiles", "", f"quantiles = {call}"]
    if frame.noise is None:
        return found
    return [
        *found,
        "",
        "from latviz.core import noise_indices",
        "",
        "noise = noise_indices(",
        f"    {learned_from(frame)},",
        f"    {frame.request.fit.arguments},",
        *([] if parameters.decoding.is_nearest else [f"    decoder={parameters.decoder!r},"]),
        f"    {kind_of(frame)},",
        ")",
        "print('associativity of noise', noise.associativity, 'inertia of noise', noise.inertia)",
    ]


def connect(view: IndicesView, context: Context) -> None:
    """Connect the gauge of the law to the display option."""
    view.law_toggled.connect(lambda on: context.document.set_display(law=on))


def verbs(view: IndicesView, _context: Context) -> tuple[Verb, ...]:
    """Return the commands of the context menu."""
    is_on = view.display.law
    quantiles = Action(
        f"{'Hide' if is_on else 'Show'} the quantiles of the law",
        "The quantiles of the numbers in each state against those of its normal law",
        partial(view.law_toggled.emit, not is_on),
    )
    return "Choose w", quantiles, COMPARING


def asked(state: State) -> frozenset[str]:
    """Return the needed results; with beliefs, code lengths decide if noise reaches as much."""
    needs = needed() if state.knows_truth else needed() - {"truth"}
    needs |= QUANTILES if state.display.law else frozenset()
    return needs | {"code_lengths"} if state.parameters.decoding.has_beliefs else needs


SPEC = ViewSpec(
    name="indices",
    title=IndicesView.TITLE,
    make=IndicesView,
    help=(
        "Associativity: how often neighbours are in the same state. Inertia: how far one state "
        "fills each window. Independence: how independent neighbours are, given their states. Law: "
        "how well numbers follow the law of their state. They show whether the model applies. Next "
        "to them are the values of noise and, if known, of the truth."
    ),
    scrolled=True,
    needs=needed() | QUANTILES,
    asks=asked,
    connect=connect,
    verbs=verbs,
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
