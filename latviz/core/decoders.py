"""The decoders, which give nodes their states: one row each, for the whole program.

This module is light, so that parameters can be listed before NumPy is loaded: code for decoding is
imported when it is used.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, cast

from latviz.core import inference, windows
from latviz.core.errors import ParameterError

if TYPE_CHECKING:  # NumPy, which the command line must not wait for
    from latviz.core.data.data_set import DataSet
    from latviz.core.inference.emission import Densities
    from latviz.core.progress import Progress
    from latviz.core.types import Matrix, States, Window

Evidence = Literal["window", "node"]
DecoderName = Literal["nearest", "likelihood", "belief", "refined", "scales", "viterbi"]
"""What type checkers accept; rows that other packages add have names of their own."""


class Decodable(Protocol):
    """The part of a model that decoders read."""

    A: "Matrix"

    @property
    def codewords(self) -> "Matrix":
        """The codewords of all windows, shape (N, k M)."""

    @property
    def emission(self) -> "Densities":
        """The evidence of a node's observation for its state."""

    def strength(self, observations: Any, *, progress: "Progress | None" = None) -> float:
        """Return the exponent of A that couples neighbours."""


@dataclass(frozen=True, kw_only=True)
class Decoder:
    """A method of giving nodes their states: a row of `DECODERS`.

    Attributes
    ----------
    name : str
        Its name in functions, the command line, scripts and session files.
    title : str
        The name on screen.
    tip : str
        One sentence on the state that a node gets.
    decode : callable
        Takes a model, a `DataSet`, progress or None, and the arguments that it uses, by name.
        Returns the states of each lattice.
    left_out : callable or None
        For decoders by window: takes a `DataSet`, the codewords of all windows, the window and
        progress. Returns the states of windows without their middle, for code lengths. A decoder
        without it cannot be offered.
    uses : frozenset of {"window", "strength", "passes"}
        The arguments of a model's ``decode`` that it uses.
    evidence : {"window", "node"}
        The evidence for a state: the observations in the node's window, all equally; or the node's
        own, and all others through the states of neighbours, which A couples.
    is_nearest : bool
        True if each state is that of the codeword nearest to the window's signature. A is counted
        over these states, so they exist with every model.
    is_believed : bool
        True if each state is the most probable one by its node's belief.
    several : bool
        True if it uses all windows of a model, not only the first.
    most_dimensions : int or None
        Most dimensions of its lattices; None: any number.
    in_parts : bool
        True if chunks of an array can be decoded one by one, with their surroundings.
    after_refining : str
        If the model is refined first: the decoder for the refined model.
    has_scales : bool
        True if the states of the refined model may be tuples of two chains.
    state_bytes : int
        Bytes per node and state during decoding, for plans.
    offered : bool
        True if the window and the command line offer it.
    """

    name: str
    title: str
    tip: str
    decode: "Callable[..., list[States]]"
    uses: frozenset[str]
    evidence: Evidence
    left_out: "Callable[..., list[States]] | None" = None
    is_nearest: bool = False
    is_believed: bool = False
    several: bool = False
    most_dimensions: int | None = None
    in_parts: bool = False
    after_refining: str = ""
    has_scales: bool = False
    state_bytes: int = 0
    offered: bool = False

    @property
    def by_window(self) -> bool:
        """True if the node's window is the evidence."""
        return self.evidence == "window"

    @property
    def has_beliefs(self) -> bool:
        """True if each node has a belief, which the states of its neighbours affect."""
        return self.evidence == "node"

    @property
    def refines(self) -> bool:
        """True if the model is refined first."""
        return bool(self.after_refining)

    @property
    def refining(self) -> str:
        """The name of the function of `latviz.core` that refines the model first."""
        return "refine_scales" if self.has_scales else "refine"

    @property
    def plain(self) -> DecoderName:
        """The name of the decoder with an unchanged model, refined or not."""
        return cast("DecoderName", self.after_refining or self.name)

    def used(self, **arguments: Any) -> dict[str, Any]:
        """Return those of some arguments of ``decode`` that it uses."""
        return {name: value for name, value in arguments.items() if name in self.uses}

    def check(self, dimensions: int, /, **arguments: Any) -> None:
        """Raise `ParameterError` for lattices or arguments (None: absent) it cannot take."""
        if self.refines:
            raise ParameterError(
                f"decoder={self.name!r} needs a refined model: decode by the model of "
                f"refine(observations, model=...), with decoder={self.plain!r}"
            )
        for name, value in arguments.items():
            if value is not None and name not in self.uses:
                raise ParameterError(f"{name} has no effect with decoder={self.name!r}")
        if reason := self.refusal(dimensions):
            raise ParameterError(
                f"decoder={self.name!r} is {reason}, got lattices of {dimensions} dimensions"
            )

    def refusal(self, dimensions: int) -> str:
        """Return why lattices of d dimensions cannot have it, or nothing."""
        most = self.most_dimensions
        if most is None or dimensions <= most:
            return ""
        return "for sequences" if most == 1 else f"for lattices of 1 to {most} dimensions"


def _nearest(
    model: Decodable, data: "DataSet", progress: "Progress | None", window: "Window"
) -> "list[States]":
    return windows.decoding.decode_each(data, model.codewords, window, progress)


def _nearest_left_out(
    data: "DataSet", codewords: "Matrix", window: "Window", progress: "Progress | None"
) -> "list[States]":
    book = windows.leave_one_out.apart([codewords])
    return [
        windows.leave_one_out.decode_both_in_bands(lattice, book, window, progress)[1][0]
        for lattice in data.lattices
    ]


def _likeliest_windows(
    model: Decodable, data: "DataSet", progress: "Progress | None", window: int
) -> "list[States]":
    return inference.window_beliefs.likeliest_each(model.emission, data, window, progress)


def _most_believed(
    model: Decodable,
    data: "DataSet",
    progress: "Progress | None",
    strength: float | None = None,
    passes: int | None = None,
) -> "list[States]":
    chosen = model.strength(data, progress=progress) if strength is None else strength
    fields = inference.beliefs.settled(
        model.emission, model.A, data, chosen, progress, passes=passes
    )
    return [field.states() for field in fields]


def _most_probable(
    model: Decodable,
    data: "DataSet",
    progress: "Progress | None",
    strength: float | None = None,
) -> "list[States]":
    chosen = model.strength(data, progress=progress) if strength is None else strength
    return inference.beliefs.most_probable(model.emission, model.A, data, chosen, progress)


_BELIEF = Decoder(
    name="belief",
    title="belief",
    tip=(
        "The state with the highest belief, given all observations. P(Q, O) is the product of "
        "b(q_t, o_t) over pixels and of a(q_t, q_r) to a power over neighbours"
    ),
    decode=_most_believed,
    uses=frozenset({"strength", "passes"}),
    evidence="node",
    is_believed=True,
    most_dimensions=3,
    in_parts=True,
    state_bytes=20,
    offered=True,
)
DECODERS: Final[dict[str, Decoder]] = {
    row.name: row
    for row in (
        Decoder(
            name="nearest",
            title="nearest codeword",
            tip="The state whose codeword is nearest to the signature of the pixel's window",
            decode=_nearest,
            left_out=_nearest_left_out,
            uses=frozenset({"window"}),
            evidence="window",
            is_nearest=True,
            several=True,
            in_parts=True,
            offered=True,
        ),
        Decoder(
            name="likelihood",
            title="likeliest window",
            tip="The state under which the observations in the window are the likeliest",
            decode=_likeliest_windows,
            uses=frozenset({"window"}),
            evidence="window",
            in_parts=True,
        ),
        _BELIEF,
        replace(
            _BELIEF,
            name="refined",
            title="belief, refined",
            tip=(
                "Belief, with emissions that were estimated again from beliefs: the most accurate "
                "decoder, and the slowest"
            ),
            in_parts=False,
            after_refining="belief",
        ),
        replace(
            _BELIEF,
            name="scales",
            title="belief, two scales",
            tip=(
                "Refined belief whose states may be pairs of a coarse and a fine state, if these "
                "predict hidden pixels better"
            ),
            in_parts=False,
            after_refining="belief",
            has_scales=True,
        ),
        Decoder(
            name="viterbi",
            title="most probable sequence",
            tip="The states of a sequence that are most probable together",
            decode=_most_probable,
            uses=frozenset({"strength"}),
            evidence="node",
            most_dimensions=1,
        ),
    )
}
"""All decoders by their names."""
