"""Encodings, which turn pictures into observations: the registry, and the choice of one.

This module is light, so that the program's parameters can be read and compared, and encodings
listed, without loading the encoders.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from latviz.core import data, plugins
from latviz.core.data.fences import fenced
from latviz.core.errors import ParameterError
from latviz.core.facts import (
    PictureFacts,
    around_unknown,
    no_colour,
    several_channels,
    too_many_labels,
)
from latviz.core.parameter import SWITCH, Focus, ParameterChoice, check, parameter, row_of
from latviz.core.scalars import plain

if TYPE_CHECKING:  # NumPy, which the command line must not wait for
    from latviz.core.data.method import Method

SYMBOL_RANGE: Final = (2, 64)
SCALE_RANGE: Final = (0.5, 16.0)
FEATURES_RANGE: Final = (1, 8)

GROUP: Final = "latviz.encodings"
"""The entry point group through which another package offers objects of `EncodingKind`."""


@dataclass(frozen=True, kw_only=True)
class EncodingKind:
    """A method of making observations of a picture; `register_encoding` adds one to the program.

    Attributes
    ----------
    name : str
        Its name in the command line, scripts and session files.
    title : str
        The name on screen.
    summary : str
        One sentence on the observations.
    discrete : bool
        True for symbols, False for real vectors.
    uses_symbols, uses_scale, uses_features : bool
        True if `Encoding.n_symbols`, `Encoding.scale` and `Encoding.n_features` have an effect;
        they are then passed to ``of_image`` by these names.
    scaled : bool or None
        The default of `Encoding.scaled`, which is passed to ``of_image``: True to divide channels
        by their spreads. None: they never are.
    looks_around : bool
        True if an observation depends on pixels other than its own. Slices of a volume are then
        encoded one by one, and must all get the same symbols; else as one tall image.
    n_channels : int
        The numbers per pixel of real vectors, to predict memory; if it uses features, their number.
    channels : bool
        True if images of any number of channels can have it, which are then no colours; `of_image`
        takes their ``names``.
    of_image : callable, optional
        Returns the `Method` by which images are encoded. None: images and volumes cannot have
        this encoding.
    of_sequence : callable, optional
        Returns the `Method` by which sequences of symbols, (n,) uint8, are encoded, given the
        names of all M symbols. None: sequences cannot have this encoding.
    sequence_summary : str
        The summary for sequences, if it differs.
    refuses : function of `PictureFacts`
        Returns a sentence on why an image or volume with these facts cannot have it, or "".

    Examples
    --------
    >>> kind = Encoding("levels").kind
    >>> kind.name, kind.discrete, kind.uses_symbols
    ('levels', True, True)
    """

    name: str
    title: str
    summary: str
    discrete: bool
    uses_symbols: bool = False
    uses_scale: bool = False
    uses_features: bool = False
    scaled: bool | None = None
    looks_around: bool = False
    n_channels: int = 3
    channels: bool = False
    of_image: "Callable[..., Method[Any]] | None" = None
    of_sequence: "Callable[[tuple[str, ...]], Method[Any]] | None" = None
    sequence_summary: str = ""
    refuses: Callable[[PictureFacts], str] | None = None

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a registered one by its name, because its functions may have no name."""
        if ENCODINGS.get(self.name) is self:
            return _registered, (self.name,)
        return super().__reduce_ex__(protocol)

    def suits(self, dimensions: int) -> bool:
        """Return True if pictures of d dimensions can have it; sequences have one.

        Parameters
        ----------
        dimensions : int
            d, at least 1.

        Returns
        -------
        bool

        Raises
        ------
        ParameterError
            If ``dimensions`` is not an integer >= 1.
        """
        d = plain(dimensions)
        if isinstance(d, bool) or not isinstance(d, int) or d < 1:
            raise ParameterError(f"dimensions must be an integer >= 1, got {dimensions!r:.60}")
        return (self.of_sequence if d == 1 else self.of_image) is not None

    def refusal(self, facts: PictureFacts) -> str:
        """Return why a picture cannot have it.

        Parameters
        ----------
        facts : PictureFacts

        Returns
        -------
        str
            A sentence without a full stop; empty if the picture can have it.

        Raises
        ------
        ParameterError
            If they are not facts, or have less than one dimension.
        """
        if not isinstance(facts, PictureFacts):
            raise ParameterError(f"facts must be PictureFacts, got {facts!r:.60}")
        if not self.suits(facts.dimensions):
            is_sequence = facts.dimensions == 1
            return "A sequence has its own symbols" if is_sequence else "Only for sequences"
        if bool(facts.n_channels) != self.channels:
            return several_channels(facts)
        if facts.has_unknown and self.looks_around:
            return around_unknown(self.title)
        return "" if facts.dimensions == 1 or self.refuses is None else self.refuses(facts)

    def choice(self, facts: PictureFacts) -> ParameterChoice:
        """Return it as a value of the table of parameters.

        Parameters
        ----------
        facts : PictureFacts
            The facts of the picture.

        Returns
        -------
        Choice
            With a refusal if the picture cannot have it.

        Raises
        ------
        ParameterError
            If they are not facts, or have less than one dimension.
        """
        refusal = self.refusal(facts)
        tip = (facts.dimensions == 1 and self.sequence_summary) or self.summary
        return ParameterChoice(self.name, self.name, self.title, tip, refusal, brief=self.title)


ENCODINGS: Final[dict[str, EncodingKind]] = {}
"""The registry: all encodings by name. `register_encoding` adds to it."""


def register_encoding(kind: EncodingKind) -> EncodingKind:
    """Add an encoding to the panel, the command line, scripts and the manual; return it.

    Parameters
    ----------
    kind : EncodingKind
        Its name must not exist yet.

    Returns
    -------
    EncodingKind
        The same.

    Raises
    ------
    ParameterError
        If its name exists already, or no picture can have it.

    Examples
    --------
    >>> register_encoding(Encoding("levels").kind)
    Traceback (most recent call last):
        ...
    latviz.core.errors.ParameterError: there is an encoding 'levels' already
    """
    if not isinstance(kind, EncodingKind) or not isinstance(kind.name, str):
        raise ParameterError(f"kind must be an EncodingKind with a name, got {kind!r:.60}")
    if kind.name in words():
        raise ParameterError(f"there is an encoding {kind.name!r} already")
    if not kind.suits(1) and not kind.suits(2):
        raise ParameterError(f"the encoding {kind.name!r} needs of_image or of_sequence")
    ENCODINGS[kind.name] = kind
    return kind


def _registered(name: str) -> EncodingKind:
    """Return the encoding of a name, or raise `ParameterError` for an unknown one."""
    return ENCODINGS[Encoding(name).name]


GREY: Final = "grey"
GREYS: Final = {
    "values": EncodingKind(
        name=GREY,
        title="Grey values",
        summary="Each pixel is one real number, its grey value.",
        discrete=False,
        n_channels=1,
        of_image=lambda: data.vectors.Grey(),
    ),
    "levels": EncodingKind(
        name="levels",
        title="Grey levels",
        summary="The range of grey values is split into bins of equal width.",
        discrete=True,
        uses_symbols=True,
        of_image=lambda n_symbols: data.bins.Levels(n_symbols),
    ),
    "quantiles": EncodingKind(
        name="quantiles",
        title="Grey quantiles",
        summary="Grey values are split into bins that hold equal numbers of pixels.",
        discrete=True,
        uses_symbols=True,
        of_image=lambda n_symbols: data.bins.Quantiles(n_symbols),
    ),
}
"""The encoding "grey" by its `Encoding.how`."""
SHORTHANDS: Final[dict[str, dict[str, Any]]] = {
    "quantiles": {"how": "quantiles"},
    "levels": {"how": "levels"},
    "levelled": {"level": True},
}
"""Names that stand for "grey" with these fields, as they did before it had fields."""
LEVELLED: Final = GREY, "lab"
"""The encodings that can subtract uneven light, from grey or from L*."""


def words() -> tuple[str, ...]:
    """Return all names that an `Encoding` can be made with."""
    return *SHORTHANDS, *ENCODINGS


@cache
def _levelled(kind: EncodingKind) -> EncodingKind:
    """Return an encoding of `LEVELLED` after uneven light is subtracted."""
    make = kind.of_image
    assert make is not None
    of_grey = kind.name != "lab"
    return replace(
        kind,
        name="levelled" if kind.name == GREY else f"{kind.name}, levelled",
        title=f"{kind.title}, levelled",
        looks_around=True,
        of_image=lambda **options: (
            data.vectors.Levelled(make(**options)) if of_grey else make(level=True, **options)
        ),
    )


for _kind in (
    replace(
        GREYS["values"],
        title="Grey",
        summary="Each pixel is its grey value, or the number of the bin that holds it.",
    ),
    EncodingKind(
        name="palette",
        title="Colour palette",
        summary="Each pixel takes the nearest of a few colours that suit the image.",
        discrete=True,
        uses_symbols=True,
        of_image=lambda n_symbols: data.palettes.Palette(n_symbols),
    ),
    EncodingKind(
        name="labels",
        title="Labels",
        summary="Each distinct value or colour of the image is its own symbol, at most 64.",
        discrete=True,
        of_image=lambda: data.labels.Labels(),
        of_sequence=lambda names: data.labels.Named(names),
        sequence_summary="Each letter or name of the sequence is its own symbol.",
        refuses=too_many_labels,
    ),
    EncodingKind(
        name="rgb",
        title="Red, green, blue",
        summary="Each pixel is three real numbers, its red, green and blue.",
        discrete=False,
        scaled=False,
        of_image=lambda scaled: data.vectors.Rgb(scaled),
        refuses=no_colour,
    ),
    EncodingKind(
        name="lab",
        title="CIELAB colour",
        summary="Each pixel is its lightness and two colour axes, spaced as the eye sees them.",
        discrete=False,
        scaled=True,
        of_image=lambda scaled, level=False: data.vectors.Lab(scaled, level),
        refuses=no_colour,
    ),
    EncodingKind(
        name="channels",
        title="Channels",
        summary="Each pixel is the vector of its channels, such as stains or spectral bands.",
        discrete=False,
        scaled=True,
        channels=True,
        of_image=lambda scaled, names=(): data.vectors.AnyChannels(scaled, names),
    ),
    EncodingKind(
        name="texture",
        title="Texture",
        summary="Each pixel is its grey value, and the slope and contrast of the grey around it.",
        discrete=False,
        uses_scale=True,
        looks_around=True,
        of_image=lambda scale: data.vectors.Texture(scale),
    ),
    EncodingKind(
        name="filters",
        title="Filters",
        summary="Each pixel holds the responses of oriented filters of several sizes.",
        discrete=False,
        uses_features=True,
        scaled=True,
        looks_around=True,
        of_image=lambda n_features, scaled: data.filters.Filters(n_features, scaled),
    ),
    EncodingKind(
        name="textons",
        title="Textons",
        summary="Each pixel takes the nearest of a few typical responses of oriented filters.",
        discrete=True,
        uses_symbols=True,
        uses_features=True,
        looks_around=True,
        of_image=lambda n_symbols, n_features: data.filters.Textons(n_symbols, n_features),
    ),
    EncodingKind(
        name="patterns",
        title="Local binary patterns",
        summary=(
            "Each pixel is the number of the 8 pixels around it that are as bright or brighter, if "
            "these follow one another. All others share one symbol."
        ),
        discrete=True,
        looks_around=True,
        of_image=lambda: data.patterns.Patterns(),
    ),
):
    register_encoding(_kind)


def _needs(option: str, what: str) -> Callable[["Encoding", int], str]:
    """Return the refusal of a field by encodings that do not use it."""

    def refusal(encoding: "Encoding", dimensions: int) -> str:
        used = dimensions > 1 and option in encoding.options
        return "" if used else f"the encoding {encoding.kind.name} has no {what}"

    return refusal


def _of_grey(encoding: "Encoding", dimensions: int) -> str:
    return "" if dimensions > 1 and encoding.name == GREY else "only the encoding grey has it"


def _of_light(encoding: "Encoding", dimensions: int) -> str:
    used = dimensions > 1 and encoding.name in LEVELLED
    return "" if used else "only the encodings grey and lab have it"


@dataclass(frozen=True)
class Encoding:
    """A choice of encoding; hashable, and valid once it exists.

    Attributes
    ----------
    name : str
        One of the keys of `ENCODINGS`. The former names quantiles, levels and levelled stand for
        grey with this `how`, or with `level`.
    n_symbols : int
        The number of symbols M, 2..64; quantiles, levels and palette use it.
    scale : float
        Standard deviation of the Gaussian windows of texture, in pixels, 0.5..16.
    n_features : int
        The number of principal components of filter responses, 1..8; filters and textons use it.
    scaled : bool or None
        Whether each channel is divided by its standard deviation; rgb, lab, channels and filters
        use it. None: the default of the encoding, False for rgb and True for the others.
    how : {"values", "levels", "quantiles"}
        What grey is taken as: real numbers, bins of equal width, or bins of as many pixels.
    level : bool
        True to subtract a slow field of uneven light first: from grey, or from L* in lab.

    Raises
    ------
    ParameterError
        If a field is invalid.

    Examples
    --------
    >>> Encoding("grey", 4, how="levels").discrete, Encoding("rgb").discrete
    (True, False)
    >>> Encoding("levels", 4) == Encoding("grey", 4, how="levels")
    True
    """

    name: str = parameter(
        "quantiles",
        label="Enco&ding",
        tip="What the model sees of the image",
        formula="o_t, the observation of node t, is a symbol or a vector of real numbers",
        group="Observations",
        flag="--encoding",
        choices=lambda facts: tuple(kind.choice(facts) for kind in ENCODINGS.values()),
        shorthands=tuple(SHORTHANDS),
        resets=("how", "level"),
        explained=True,
        focus=Focus("Focus &encoding", "Give the keyboard to the encoding"),
    )
    n_symbols: int = parameter(
        3,
        label="Sym&bols M",
        short="M",
        tip="How many symbols the image is reduced to",
        formula="o_t is one of 0 to M − 1",
        flag="--symbols",
        metavar="M",
        undo="Change the encoding",
        bounds=SYMBOL_RANGE,
        refusal=_needs("n_symbols", "number of symbols"),
        focus=Focus("Focus symbols &M", "Give the keyboard to the number of symbols"),
    )
    scale: float = parameter(
        2.0,
        name="Texture scale",
        label="Sca&le",
        short="Scale",
        tip="Scale s of the Gaussian for texture features, in pixels",
        formula=(
            "gradient = s · slope of the grey smoothed by s; "
            "contrast = standard deviation of the grey in a Gaussian window of s"
        ),
        metavar="S",
        undo="Change the encoding",
        bounds=SCALE_RANGE,
        decimals=1,
        essential=False,
        refusal=_needs("scale", "scale"),
    )
    n_features: int = parameter(
        4,
        label="Com&ponents",
        tip="How many principal components of the filters' responses are used",
        formula="components of log energies of 4 wavelengths in 6 directions",
        flag="--features",
        metavar="K",
        undo="Change the encoding",
        bounds=FEATURES_RANGE,
        essential=False,
        refusal=_needs("n_features", "components"),
    )
    scaled: bool | None = parameter(
        None,
        label="&Channels",
        tip="Whether channels are compared as they are or in units of their spread",
        formula="o_t / σ, where σ is the standard deviation of a channel over all pixels",
        undo="Change the encoding",
        choices=(
            ParameterChoice(
                None,
                "auto",
                "Automatic",
                "By their spread for CIELAB, channels and filters, as they are for others",
                brief="automatic",
            ),
            ParameterChoice(
                False,
                "no",
                "As they are",
                "Each channel keeps its own units",
                brief="as they are",
            ),
            ParameterChoice(
                True,
                "yes",
                "By their spread",
                "Each channel counts as much as the others",
                brief="by spread",
            ),
        ),
        essential=False,
        refusal=_needs("scaled", "channels to be scaled"),
    )

    how: str = parameter(
        "values",
        after="name",
        name="Grey as",
        label="&Grey as",
        tip="Whether grey values stay numbers or are split into bins",
        formula="o_t is the grey value of t, or the number of its bin",
        flag="--grey-as",
        undo="Change the encoding",
        choices=tuple(
            ParameterChoice(how, how, how.capitalize(), kind.summary) for how, kind in GREYS.items()
        ),
        refusal=_of_grey,
    )
    level: bool = parameter(
        False,
        after="how",
        label="Level the l&ight",
        tip="Subtract a slow field of uneven light from grey or L* first",
        formula="grey, or L*, minus a polynomial of at most the eighth degree",
        flag="--level-light",
        undo="Change the encoding",
        choices=SWITCH,
        refusal=_of_light,
    )

    def __post_init__(self) -> None:
        check(self)
        if (own := SHORTHANDS.get(self.name)) is not None:
            if self.how not in ("values", own.get("how", self.how)):
                name = f"how must be {own['how']} in the encoding {self.name}"
                raise ParameterError(f"{name}, got {self.how}: for others the encoding is {GREY}")
            for field, value in {**own, "name": GREY}.items():
                object.__setattr__(self, field, value)

    def named(self, name: str) -> "Encoding":
        """Return it with another name; grey is then of values, unless the name is a shorthand.

        Parameters
        ----------
        name : str

        Returns
        -------
        Encoding

        Raises
        ------
        ParameterError
            If no encoding has this name.
        """
        return row_of(self, "name").put(self, name)

    @property
    def kind(self) -> EncodingKind:
        """The chosen encoding."""
        own = GREYS[self.how] if self.name == GREY else ENCODINGS[self.name]
        return _levelled(own) if self.is_levelled else own

    @property
    def is_levelled(self) -> bool:
        """True if uneven light is subtracted: `level`, in an encoding that can."""
        return self.level and self.name in LEVELLED

    @property
    def options(self) -> dict[str, Any]:
        """The fields that this encoding uses, by their names."""
        kind, options = self.kind, dict[str, Any]()
        if kind.uses_symbols:
            options["n_symbols"] = self.n_symbols
        if kind.uses_scale:
            options["scale"] = self.scale
        if kind.uses_features:
            options["n_features"] = self.n_features
        if kind.scaled is not None:
            options["scaled"] = kind.scaled if self.scaled is None else self.scaled
        return options

    @property
    def n_channels(self) -> int:
        """The number of real values per pixel; 0 if observations are symbols."""
        if self.kind.discrete:
            return 0
        return self.n_features if self.kind.uses_features else self.kind.n_channels

    @property
    def discrete(self) -> bool:
        """True if observations are symbols, False if they are real vectors."""
        return self.kind.discrete


plugins.load_with_warnings(GROUP, EncodingKind, lambda kind: register_encoding(fenced(kind)))
