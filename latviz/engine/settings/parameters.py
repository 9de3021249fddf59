"""The parameters of the model: the table that all of the program's texts on them follow from."""

from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from latviz.core import model
from latviz.core.data.encoding import ENCODINGS, Encoding
from latviz.core.decoders import DECODERS, Decoder
from latviz.core.facts import N_GREYS, PictureFacts
from latviz.core.parameter import (
    Focus,
    ParameterChoice,
    Step,
    check,
    nested,
    parameter,
    row_of,
    rows,
)

STATES_RANGE = (1, 32)
WINDOW_RANGE = (0, 64)
"""The w of images, volumes and short sequences."""
MOST_WINDOW = 1 << 16
"""The greatest w of a sequence."""
PASSES_RANGE = (0, 10)
ALPHA_RANGE = (0.01, 1.0)
SMOOTHING_RANGE = (0.0, 10.0)

AlphaMode = Literal["constant", "local"]
NormalizerName = Literal["neighbours", "states"]


def window_range(longest: int) -> tuple[int, int]:
    """Return the range of w for sequences up to a length: an eighth of it, but 64 at least."""
    return WINDOW_RANGE[0], min(MOST_WINDOW, max(WINDOW_RANGE[1], longest // 8))


def _reach(facts: PictureFacts) -> int:
    return window_range(facts.longest)[1]


_ANY_WINDOW = WINDOW_RANGE[0], MOST_WINDOW
_BEYOND = ", or an eighth of a sequence"


def _of_windows(parameters: "Parameters", _dimensions: int) -> str:
    return "" if "window" in parameters.decoding.uses else "not used by this decoder"


def _of_several_windows(parameters: "Parameters", dimensions: int) -> str:
    found = _of_windows(parameters, dimensions)
    return found or ("" if parameters.decoding.several else "this decoder uses only one window")


def _unrefined(parameters: "Parameters", _dimensions: int) -> str:
    return "a refined model needs no smoothing" if parameters.decoding.refines else ""


def _of_passes(parameters: "Parameters", dimensions: int) -> str:
    if "passes" not in parameters.decoding.uses:
        return "only belief decoders use passes"
    return "" if dimensions > 1 else "one pass is exact for a sequence"


def _decoders(facts: PictureFacts) -> tuple[ParameterChoice, ...]:
    offered = [row for row in DECODERS.values() if row.offered]
    return tuple(
        ParameterChoice(row.name, row.name, row.title, row.tip, row.refusal(facts.dimensions))
        for row in offered
    )


@dataclass(frozen=True)
class Parameters:
    """The parameters of the model and the encoding; hashable.

    Each field has its row of the table: its name, meaning, range, option, command and so on.
    `latviz.core.parameter.rows` returns all of them.

    Raises
    ------
    ParameterError
        If a value is outside its range.
    """

    encoding: Encoding = nested(Encoding())
    n_states: int = parameter(
        4,
        label="States &N",
        short="N",
        tip="How many kinds of region to look for",
        formula="the merge tree of the signatures is cut into N codewords, the codebook",
        group="Model",
        learned=True,
        flag="--states",
        metavar="N",
        undo="Change N",
        subject="the number of states N",
        bounds=STATES_RANGE,
        steps=(
            Step("&More states", "Raise N by one", 1),
            Step("&Fewer states", "Lower N by one", -1),
        ),
        focus=Focus("Focus &N", "Give the keyboard to the number of states"),
    )
    window: int = parameter(
        3,
        label="Window &w",
        short="w",
        tip="Half-width w of the window that decides each pixel's state, in pixels",
        formula="state of t = the codeword nearest to the mean of o over t's window",
        metavar="W",
        undo="Change w",
        subject="the window half-width w",
        bounds=_ANY_WINDOW,
        reach=_reach,
        beyond=_BEYOND,
        spacing="log",
        steps=(
            Step("&Larger window", "Raise w by one", 1),
            Step("&Smaller window", "Lower w by one", -1),
        ),
        focus=Focus("Focus &w", "Give the keyboard to the window half-width"),
    )
    learning_window: int | None = parameter(
        None,
        name="Learning window",
        label="Learning w<sub>l</sub>",
        short="Learning w",
        tip="Half-width w_l of the window that the states are learned with",
        formula="the merge tree is built from all signatures with w_l",
        learned=True,
        metavar="W",
        subject="the learning window",
        bounds=_ANY_WINDOW,
        reach=_reach,
        beyond=_BEYOND,
        spacing="log",
        follows="window",
        essential=False,
    )
    second_window: int | None = parameter(
        None,
        name="Joined window",
        label="Joined w<sub>2</sub>",
        short="Joined w",
        tip="Half-width w_2 of a second window, whose signature is joined to that of w",
        formula="state of t = the codeword nearest to both signatures, end to end",
        learned=True,
        metavar="W",
        subject="the joined window",
        bounds=_ANY_WINDOW,
        reach=_reach,
        beyond=_BEYOND,
        spacing="log",
        follows="window",
        essential=False,
        refusal=_of_several_windows,
    )
    decoder: str = parameter(
        "nearest",
        label="Decoder",
        tip="How each pixel is given its state",
        formula="by its window, or by belief, which also uses its neighbours",
        subject="the decoder",
        choices=_decoders,
    )
    passes: int = parameter(
        PASSES_RANGE[1],
        label="Passes",
        tip="How often neighbours exchange their beliefs; with 0 each pixel decides alone",
        formula="in each pass, messages go along every axis",
        metavar="P",
        subject="the number of passes",
        bounds=PASSES_RANGE,
        essential=False,
        refusal=_of_passes,
    )
    smoothing: float = parameter(
        0.0,
        label="Smoothing",
        tip="A number that is added to each count of symbols and of neighbours",
        formula="A'(i, j) + smoothing, and as much for each symbol in each state",
        learned=True,
        metavar="S",
        subject="the smoothing",
        bounds=SMOOTHING_RANGE,
        decimals=1,
        essential=False,
        refusal=_unrefined,
    )
    alpha: float = parameter(
        1.0,
        name="Markov correction alpha",
        label="&Alpha α",
        short="α",
        tip="Corrects the likelihood for the Markov assumption; 1 means no correction",
        formula="each pair of neighbours adds log α to log P",
        effect=(
            "Changes the pair term of the log-likelihood. States, A and indices do not depend on "
            "it."
        ),
        group="Likelihood",
        metavar="A",
        undo="Change alpha",
        subject="alpha",
        bounds=ALPHA_RANGE,
        decimals=2,
        focus=Focus("Focus &alpha", "Give the keyboard to the Markov correction"),
    )
    alpha_mode: AlphaMode = parameter(
        "constant",
        name="Kind of alpha",
        label="α is",
        short="α is",
        tip="Whether alpha depends on the inertia of the pixel's window",
        formula="α_t is the α of node t",
        undo="Change alpha's kind",
        subject="the kind of alpha",
        choices=(
            ParameterChoice("constant", "constant", "the same everywhere", "α_t = α"),
            ParameterChoice(
                "local",
                "local",
                "by the window's inertia",
                "α_t = α to the power of (i_t − 1/√N) / (1 − 1/√N), "
                "where i_t is the inertia of t's window",
            ),
        ),
        essential=False,
    )
    normalizer: NormalizerName = parameter(
        "neighbours",
        name="Normaliser",
        label="Normalised",
        short="Normalised over",
        tip="How the pair term of the log-likelihood is normalised",
        formula="log a(q_t, q_r) − log k_t for each neighbour r of t",
        subject="the normaliser",
        choices=(
            ParameterChoice(
                "neighbours",
                "neighbours",
                "over the neighbours",
                "k_t = sum of a(q_t, q_r) over the neighbours r of t",
            ),
            ParameterChoice(
                "states",
                "states",
                "over all states",
                "k_t = sum of a(q_t, j) over all states j",
            ),
        ),
        essential=False,
    )

    # In place of the picture's, so that windows have any half-width along each axis.
    # Older programs read files without it
    spacing: tuple[float, ...] | None = field(default=None, metadata={"sparse": True})

    def __post_init__(self) -> None:
        check(self)
        if self.spacing is not None:
            from latviz.core.checks import check_spacing  # not above: it loads NumPy

            check_spacing(self.spacing)

    @property
    def decoding(self) -> Decoder:
        """The row of the decoder."""
        return DECODERS[self.decoder]

    @property
    def is_moved_by_window(self) -> bool:
        """True if the map depends on w: by the decoder, or by a codebook that is learned with w."""
        return "window" in self.decoding.uses or self.learning_window is None

    @property
    def effective_learning_window(self) -> int:
        """The half-width w_l in force."""
        return self.window if self.learning_window is None else self.learning_window

    @property
    def further_windows(self) -> tuple[int, ...]:
        """The half-widths of windows beyond the first: two that are equal are one."""
        return () if self.second_window is None else (self.second_window,)

    @property
    def windows(self) -> int | tuple[int, ...]:
        """The half-widths that nodes are decoded from: one, or several."""
        return (self.window, *self.further_windows) if self.further_windows else self.window

    @property
    def fit(self) -> "model.fitting.FitSettings":
        """The settings for fitting a model."""
        # Each is the parameter of its name, but for the windows, which two parameters make, and
        # the spacing, which is that of pictures
        kind, w_l = model.fitting.FitSettings, self.effective_learning_window
        found: dict[str, Any] = {"window": self.windows, "codebook_window": w_l, "spacing": None}
        names = (one.name for one in fields(kind) if one.name not in found)
        return kind(**found, **{name: getattr(self, name) for name in names})


LOCKED = frozenset(row.field for row in rows(Parameters) if row.learned or "." in row.field)
"""Parameters that only learning reads, those of the encoding among them: a given model has its own.
"""

_DEFAULTS = Parameters()


def in_force(parameters: Parameters, dimensions: int) -> Parameters:
    """Return the parameters of a picture of d dimensions; those without effect are the defaults."""
    own = (row for row in rows(parameters) if "." not in row.field)
    refused = [row for row in own if row.refused(parameters, dimensions)]
    changed = {row.field: row.of(_DEFAULTS) for row in refused}
    return replace(parameters, **changed) if changed else parameters


def moved_window(old: Parameters, new: Parameters) -> tuple[str, int] | None:
    """Return the short name and the value of the changed half-width, or None.

    A half-width that only follows w does not count.
    """
    for name in ("window", "learning_window"):
        row = row_of(Parameters, name)
        value = row.in_force(new)
        if value != row.in_force(old):
            return row.short, int(value)
    return None


PHOTOGRAPH = 7
"""Initial half-width of windows for photographs.

With N = 4 it did better than the choice by code length, over 40 photographs that people had cut
into regions."""
LEARNED = 3
"""Half-width of windows, decoded and learned from, that other pictures open with."""
LEAST_SIDE = 64
"""Pixels of the shorter side from which on such a window is a small part of the image."""


def opening(facts: PictureFacts) -> Parameters:
    """Return the parameters that a picture opens with."""
    # Pictures of few values are maps or drawings: each value is a symbol. Up to the largest N, each
    # is also a state. All open with the nearest codeword, so that w moves the map; belief has a
    # better adjusted Rand index on 29 maps, drawings and noisy fields, .85, and the adviser offers
    # it.
    # In colour, CIELAB holds most of what people see. Of grey photographs eight symbols keep
    # brightness as well as texture; `informative_bins` says which ones. A window of a volume has as
    # many nodes at a smaller half-width. The codebook is learned with the same window, and stays
    # when w moves
    if facts.are_labels:
        few = facts.dimensions > 1 and facts.n_labels <= STATES_RANGE[1]
        labels = Parameters(Encoding("labels"), learning_window=LEARNED)
        return replace(labels, n_states=facts.n_labels) if few else labels
    encoding = Encoding(facts.grey_as, N_GREYS) if facts.is_grey else Encoding("lab")
    if facts.n_channels:
        encoding = Encoding("channels")
    is_photograph = facts.dimensions == 2 and not facts.n_channels
    wide = is_photograph and facts.least_side >= LEAST_SIDE
    w = PHOTOGRAPH if wide else LEARNED
    return Parameters(encoding, window=w, learning_window=w)


def check_range(parameters: Parameters, facts: PictureFacts) -> None:
    """Raise `ParameterError` if a number is outside its range for a picture."""
    for row in rows(parameters):
        row.check(row.of(parameters), facts)


def within_reach(parameters: Parameters, facts: PictureFacts) -> Parameters:
    """Return the parameters with no number beyond its range for a picture."""
    for row in rows(parameters):
        if row.reach is not None and row.in_force(parameters) > row.reach(facts):
            parameters = row.put(parameters, row.reach(facts))
    return parameters


def suited(parameters: Parameters, facts: PictureFacts) -> Parameters:
    """Return the parameters with values that a picture can have: symbols for symbols."""
    parameters = within_reach(parameters, facts)
    kind = parameters.encoding.kind
    if not kind.refusal(facts):
        return parameters
    every = (parameters.encoding.named(name) for name in ("quantiles", *ENCODINGS))
    fitting = [other for other in every if not other.kind.refusal(facts)]
    alike = [other for other in fitting if other.discrete == kind.discrete]
    return replace(parameters, encoding=Encoding((alike or fitting)[0].kind.name))
