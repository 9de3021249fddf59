"""Data sets: one lattice, or several that share no windows and no neighbours.

Every public function takes observations, or maps of states, in the same way:

- a ``list`` or ``tuple`` of arrays is a data set: a lattice for each array, all of one dimension.
  Values of nodes are returned as a list of arrays; single numbers count the nodes of all
  lattices;
- a `DataSet` is not checked again;
- anything else is one lattice: an array, or nested Python lists of numbers.

Errors about a data set's lattice name its index.

For use inside: `read_each` checks lattice by lattice, `given_back` returns a list for a list.
"""

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Literal, TypeVar, get_args

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import (
    MOST_SYMBOLS,
    as_lattice,
    as_symbols,
    check_flag,
    check_integer,
    check_spacing,
    check_symbols,
    check_word,
)
from latviz.core.data.fingerprint import fingerprint
from latviz.core.data.fixed_point import (
    FixedPoint,
    Lattice,
    known_of,
    masked,
    part_of,
    shape_of,
    spaced,
    spacing_of,
    to_fixed_point,
    without_mask,
)
from latviz.core.data.lattice import middle_of, n_directions, spread_over
from latviz.core.data.masks import Mask, check_mask, filled, hide, only_known
from latviz.core.data.stacks import gathered
from latviz.core.errors import ParameterError, at_index
from latviz.core.renamed import renamed
from latviz.core.types import Arrays, Floats, Region, Shape, Spacing, States
from latviz.core.values import Value

Kind = Literal["discrete", "gaussian"]
MOST_CHANNELS = 8
"""Channels that vectors have without a question: encodings make no more."""
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class DataSet(Value):
    """Checked observations; make it by `as_data_set`.

    Results by lattice are lists of arrays. If all lattices have one shape, these are the slices of
    one contiguous array, which `stacks.stacked` returns::

        data = as_data_set(list(volume), kind="discrete", n_symbols=8)  # each slice is a lattice
        tree = learn_tree(data.lattices, data.n_symbols, w)     # model.learning
        codebook = codebook_of(tree, 4)                         # model.learning
        states = decode_each(data, codebook, w, progress)       # windows.decoding
        pairs, occupancy = count(states, 4)                     # model.indices
        sigma, ridge = covariances(data, states, means, occupancy)  # model.learning
        model = DiscreteModel.from_states(data, codebook=codebook, states=states, window=w)
        model.evaluate_states(data, states=states)              # an Evaluation with `parts`
        inertia(states, n_states=4, window=w), local_alpha(states, 4, w, 0.5)
        belief_entropy(data, model=model, window=w, progress=progress)
        signatures_of(data, w, nodes)                           # windows.parts; nodes by lattice
        stacked(states)                                         # (n_slices, H, W)

    Attributes
    ----------
    lattices : tuple of ndarray, shape (*shape), or FixedPoint, or SymbolLattice
        The input of window sums: symbols 0..M-1, uint8 or uint16, or vectors.
    values : tuple of ndarray, shape (*shape) or (*shape, M)
        The observations themselves: the symbols, or vectors of uint8, float32 or float64. Unknown
        nodes hold a known observation, which must not be counted.
    n_symbols : int
        M, the number of symbols or channels.
    scalar : bool
        True if the vectors had no axis of channels, but were numbers (*shape).

    Examples
    --------
    >>> data = as_data_set([np.array([0, 1]), np.array([2])], kind="discrete")
    >>> data.shapes, data.n_nodes, data.n_symbols
    ([(2,), (1,)], 3, 3)
    """

    lattices: tuple[Lattice, ...]
    values: tuple[NDArray[Any], ...]
    n_symbols: int
    scalar: bool = False
    _derived: dict[Hashable, Any] = field(default_factory=dict, init=False, repr=False)

    def __len__(self) -> int:
        return len(self.lattices)

    @property
    def kind(self) -> Kind:
        """The variant of the model for it."""
        return "gaussian" if isinstance(self.lattices[0], FixedPoint) else "discrete"

    @property
    def shapes(self) -> list[Shape]:
        """The shapes of the lattices."""
        return [shape_of(lattice) for lattice in self.lattices]

    @property
    def dimensions(self) -> int:
        """The number d of axes of each lattice."""
        return len(self.shapes[0])

    @property
    def n_directions(self) -> int:
        """The number of axes along which lattices have neighbours: 1 for rows of pixels."""
        return n_directions(self.shapes)

    @property
    def n_nodes(self) -> int:
        """U, the number of nodes of all lattices."""
        return sum(map(math.prod, self.shapes))

    @property
    def masks(self) -> list[Mask]:
        """Which nodes of each lattice are known, (*shape) bool; None where all are."""
        return [known_of(lattice) for lattice in self.lattices]

    @property
    def is_masked(self) -> bool:
        """True if a node is unknown."""
        return any(known is not None for known in self.masks)

    @property
    def n_known(self) -> int:
        """The number of known nodes of all lattices."""
        pairs = zip(self.masks, self.shapes, strict=True)
        return sum(math.prod(s) if m is None else int(np.count_nonzero(m)) for m, s in pairs)

    @property
    def rows(self) -> list[NDArray[Any]]:
        """The observations of the known nodes of each lattice, (n,) or (n, M)."""
        rest = [values.shape[self.dimensions :] for values in self.values]
        known = only_known(self.values, self.masks)
        return [one.reshape(-1, *size) for one, size in zip(known, rest, strict=True)]

    @property
    def in_one_state(self) -> list[States]:
        """A map of each lattice with all of its known nodes in state 0."""
        return [
            hide(np.zeros(s, np.uint8), m) for s, m in zip(self.shapes, self.masks, strict=True)
        ]

    def under(self, masks: Sequence[Mask]) -> "DataSet":
        """Return the data set with some nodes unknown.

        Parameters
        ----------
        masks : sequence of ndarray, shape (*shape), bool, or None
            True where a node is known, for each lattice; None where all are.

        Returns
        -------
        DataSet

        Raises
        ------
        ParameterError
            If a mask does not fit, or there are 65536 symbols.
        """
        if all(known is None for known in masks):
            return self
        if self.kind == "discrete":
            check_integer("n_symbols with a mask", self.n_symbols, 1, MOST_SYMBOLS - 1)
        found = list[Lattice]()
        for lattice, given in zip(self.lattices, masks, strict=True):
            known, before = check_mask(given, shape_of(lattice)), known_of(lattice)
            if known is None:
                found.append(lattice)
                continue
            known = known if before is None else known & before
            found.append(spaced(masked(without_mask(lattice), self.n_symbols, known), self.spacing))
        return replace(self, lattices=tuple(found))

    def spaced(self, spacing: Spacing) -> "DataSet":
        """Return the data set with other distances of nodes: windows follow them.

        Parameters
        ----------
        spacing : tuple of float, or None
            The distance of neighbouring nodes along each axis, in any unit; None: all are equal.

        Returns
        -------
        DataSet

        Raises
        ------
        ParameterError
            If there is not one for each axis.

        Examples
        --------
        >>> data = as_data_set(np.arange(60).reshape(3, 4, 5), kind="discrete").spaced((4, 1, 1))
        >>> data.spacing
        (4.0, 1.0, 1.0)
        """
        spacing = check_spacing(spacing, self.dimensions)
        if spacing == self.spacing:
            return self
        return replace(self, lattices=tuple(spaced(one, spacing) for one in self.lattices))

    @property
    def spacing(self) -> Spacing:
        """The distances of nodes along each axis, None if all are equal."""
        return spacing_of(self.lattices[0])

    @property
    def value_range(self) -> tuple[Floats, Floats]:
        """The least and the greatest value of each channel over all lattices, (M,) each.

        Of symbols they are 0 and 1, the least and the greatest share that a signature can hold.
        """
        vectors = [lattice for lattice in self.lattices if isinstance(lattice, FixedPoint)]
        if not vectors:
            return np.zeros(self.n_symbols), np.ones(self.n_symbols)
        low, high = [v.low for v in vectors], [v.high for v in vectors]
        return np.min(low, axis=0), np.max(high, axis=0)

    def each(self, make: Callable[[Lattice], NDArray[Any]]) -> list[NDArray[Any]]:
        """Return an array made from each lattice; see `gathered`.

        Parameters
        ----------
        make : callable
            Returns an array of one lattice.

        Returns
        -------
        list of ndarray
        """
        return gathered(self.shapes, lambda k: make(self.lattices[k]))

    def middle(self, most: int) -> "DataSet":
        """Return the middles of some of its lattices, about ``most`` nodes in all, or itself.

        The choice of lattices does not depend on their order.

        Parameters
        ----------
        most : int
            The approximate limit on nodes, >= 1.

        Returns
        -------
        DataSet

        Raises
        ------
        ParameterError
            If ``most`` is not an integer >= 1.
        """
        if self.n_nodes <= check_integer("most", most, 1):
            return self
        (some,) = middle_of((len(self),), most * len(self) // self.n_nodes)
        order = list(range(len(self)))
        if len(self) > 1:
            order.sort(key=lambda k: fingerprint(self.lattices[k]))
        kept = sorted(order[some])
        size = max(1, most // len(kept))
        regions = [middle_of(self.shapes[k], size) for k in kept]
        return self.parts(list(zip(kept, regions, strict=True)))

    def spread(self, most: int) -> "DataSet":
        """Return parts spread evenly over its lattice, with about ``most`` nodes in all, or itself.

        They represent a varied image better than its middle does. Of several lattices, which are
        spread already, the middle is returned.

        Parameters
        ----------
        most : int
            The approximate limit on nodes, >= 1.

        Returns
        -------
        DataSet

        Raises
        ------
        ParameterError
            If ``most`` is not an integer >= 1.
        """
        if self.n_nodes <= check_integer("most", most, 1) or len(self) > 1:
            return self.middle(most)
        return self.parts([(0, region) for region in spread_over(self.shapes[0], most)])

    def parts(self, places: list[tuple[int, Region]]) -> "DataSet":
        """Return regions of lattices, each as a lattice; not those that are unknown as a whole.

        Parameters
        ----------
        places : list of (int, tuple of slice)
            The index of a lattice, and a slice for each of its axes.

        Returns
        -------
        DataSet
        """
        places = [one for one in places if self._knows(*one)]
        if not places:
            return self
        lattices = tuple(part_of(self.lattices[k], region) for k, region in places)
        values = tuple(self.values[k][region] for k, region in places)
        return DataSet(lattices, values, self.n_symbols, self.scalar)

    def _knows(self, k: int, region: Region) -> bool:
        known = self.masks[k]
        return known is None or bool(known[region].any())

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached value of a key, or make it; it lives as long as the data set.

        Parameters
        ----------
        key : hashable
            The key in the cache.
        make : callable
            Makes the value.

        Returns
        -------
        object
            The value.
        """
        if key not in self._derived:
            self._derived[key] = make()
        found: T = self._derived[key]
        return found


Several = Arrays | DataSet
"""A data set as the public functions take it."""


@renamed("observations kind n_symbols scalar")
def as_data_set(
    observations: Any,
    *,
    kind: str,
    n_symbols: int | None = None,
    scalar: bool | None = None,
    mask: Any = None,
    channel_axis: int | None = None,
) -> DataSet:
    """Check observations and return them as a data set of one lattice or several.

    Parameters
    ----------
    observations : ndarray, nested lists of numbers, list or tuple of ndarrays, or DataSet
        One lattice or several, see the head of this module; results of `encode`, too. Symbols are
        integers (*shape); vectors are real numbers (*shape, M), and arrays (n,) are sequences of
        numbers.
    kind : {"discrete", "gaussian"}
        Symbols or vectors.
    n_symbols : int, optional
        M; by default the largest symbol + 1, or the number of channels.
    scalar : bool, optional
        True if vectors are numbers (*shape), M = 1; False if the last axis holds their channels. By
        default it does. An array with more than 8 channels that has the shape of a picture of
        numbers is refused, unless ``n_symbols`` is given.
    mask : ndarray, shape (*shape), bool, or for a data set a list of them, optional
        True where a node is known. Unknown nodes take no part: in no window, sample, count or
        index. Their observations may be anything, such as NaN.
    channel_axis : int, optional
        The axis of vectors that holds their channels; by default the last one. It says that there
        is one, as ``scalar=False`` does.

    Returns
    -------
    DataSet

    Raises
    ------
    ParameterError
        If the kind is unknown, a lattice is not of it, or lattices do not fit together. The message
        names the index of a data set's lattice.

    Examples
    --------
    >>> as_data_set([np.array([0, 1]), np.array([2])], kind="discrete").n_symbols
    3
    >>> as_data_set(np.zeros((3, 40, 50)), kind="gaussian", channel_axis=0).shapes
    [(40, 50)]
    """
    check_word("kind", kind, get_args(Kind))
    if n_symbols is None and kind == "discrete":
        n_symbols = _encoded_with(observations)
    if n_symbols is not None:
        n_symbols = check_integer("n_symbols", n_symbols, 1, MOST_SYMBOLS)
    scalar = None if scalar is None else check_flag("scalar", scalar)
    if isinstance(observations, DataSet):
        for name, value in (("mask", mask), ("channel_axis", channel_axis)):
            if value is not None:
                raise ParameterError(f"{name} must be given to as_data_set, got one with a DataSet")
        return _checked_again(observations, kind, n_symbols)
    if channel_axis is not None:
        if kind == "discrete" or scalar:
            raise ParameterError("channel_axis is that of vectors: symbols and numbers have none")
        observations, scalar = channels_last(observations, channel_axis), False
    if mask is not None:
        return _masked(observations, mask, kind, n_symbols, scalar)
    if kind == "discrete":
        return _of_symbols(observations, n_symbols)
    return _of_vectors(observations, n_symbols, scalar)


def channels_last(arrays: Any, channel_axis: int) -> Any:
    """Return an array, or each of several, with its axis of channels moved to the end."""

    def moved(array: Any) -> NDArray[Any]:
        given = as_lattice(array)
        axis = check_integer("channel_axis", channel_axis, -given.ndim, given.ndim - 1)
        return np.moveaxis(given, axis, -1)

    return given_back(arrays, read_each(arrays, moved))


def _encoded_with(observations: Any) -> int | None:
    """Return the number of symbols of encoded pictures, which may not all occur."""
    several = isinstance(observations, list | tuple) and observations
    first = observations[0] if several else observations
    return None if isinstance(first, DataSet) else getattr(first, "n_symbols", None)


def _masked(
    observations: Any, mask: Any, kind: str, n_symbols: int | None, scalar: bool | None
) -> DataSet:
    several = is_several(observations)
    if several and not (isinstance(mask, list | tuple) and len(mask) == len(observations)):
        raise ParameterError(
            f"mask must be a list with a mask or None for each of {len(observations)} lattices"
        )
    masks = iter(mask if several else [mask])

    def read(lattice: Any) -> tuple[Any, Mask]:
        shape = as_lattice(lattice).shape
        known = check_mask(next(masks, None), shape, shape[:-1])
        return filled(lattice, known), known

    lattices, found = zip(*read_each(observations, read), strict=True)
    given = given_back(observations, list(lattices))
    return as_data_set(given, kind=kind, n_symbols=n_symbols, scalar=scalar).under(found)


def one_lattice(observations: Any, kind: str, n_symbols: int, scalar: bool = False) -> Lattice:
    """Return observations that must be one lattice as input of sums; see `as_data_set`."""
    if is_several(observations) and len(observations) != 1:
        raise ParameterError(f"there must be one lattice, got {len(observations)} of them")
    return as_data_set(observations, kind=kind, n_symbols=n_symbols, scalar=scalar).lattices[0]


def is_several(observations: Any) -> bool:
    """Return True for a data set, False for one lattice: see the head of this module."""
    if isinstance(observations, list | tuple):
        return any(map(_is_lattice, observations))
    return isinstance(observations, DataSet)


def _first_lattice(given: Any, name: str = "a lattice") -> NDArray[Any]:
    """Return the one lattice, or the first of a data set, as an array."""
    return as_lattice(given[0] if is_several(given) else given, name)


def are_numbers(observations: Any, states: Any) -> bool:
    """Return True if lattices have the axes of their states: vectors have one more."""
    if isinstance(observations, DataSet):
        return observations.scalar
    return _first_lattice(observations).ndim == _first_lattice(states, "states").ndim


def read_each(observations: Any, read: Callable[[Any], T]) -> list[T]:
    """Return ``read`` of the one lattice, or of each of a data set; errors name its index."""
    if not is_several(observations):
        return [read(observations)]
    lattices = observations.values if isinstance(observations, DataSet) else observations
    found = []
    for k, lattice in enumerate(lattices):
        with at_index(k):
            if not _is_lattice(lattice):
                wanted = "must be an array, like the others of its data set"
                raise ParameterError(f"it {wanted}, got a {type(lattice).__name__}")
            found.append(read(lattice))
    return found


def given_back(observations: Any, results: list[T]) -> Any:
    """Return the list of results for a data set, the only one for one lattice."""
    return results if is_several(observations) else results[0]


def _is_lattice(one: Any) -> bool:
    """Return True for arrays and what stands for one, such as encoded pictures; not for numbers."""
    is_array = hasattr(one, "__array__") and not isinstance(one, np.generic)
    return is_array or isinstance(one, FixedPoint)


def _of_symbols(observations: Any, n_symbols: int | None) -> DataSet:
    arrays = read_each(observations, as_symbols)
    _check_alike("dimension", [array.ndim for array in arrays])
    if n_symbols is None:
        most = max(int(array.max()) for array in arrays)
        if not 0 <= most < MOST_SYMBOLS:
            raise ParameterError(f"symbols must be from 0 to {MOST_SYMBOLS - 1}, got {most}")
        n_symbols = most + 1
    check = partial(check_symbols, n_symbols=n_symbols)
    symbols = tuple(read_each(given_back(observations, arrays), check))
    return DataSet(symbols, symbols, n_symbols)


def _of_vectors(observations: Any, n_channels: int | None, scalar: bool | None) -> DataSet:
    def read(lattice: Any) -> tuple[Lattice, NDArray[Any]]:
        given = as_lattice(lattice)
        if scalar is None and n_channels is None:
            check_channels(given.shape)
        vectors = as_vectors(given, bool(scalar))
        if n_channels is not None and vectors.shape[-1] != n_channels:
            raise ParameterError(
                f"observations must have {n_channels} channels along their last axis, got shape "
                f"{vectors.shape}; as_data_set takes a channel_axis"
            )
        return to_fixed_point(vectors), vectors

    lattices, vectors = zip(*read_each(observations, read), strict=True)
    _check_alike("dimension", [array.ndim for array in vectors])
    _check_alike("channels", [array.shape[-1] for array in vectors])
    first = observations[0] if is_several(observations) else observations
    return DataSet(lattices, vectors, vectors[0].shape[-1], bool(scalar) or np.ndim(first) == 1)


def as_vectors(lattice: NDArray[Any], scalar: bool = False) -> NDArray[Any]:
    """Return a lattice as vectors (*shape, M): uint8 or float32 if it is, else float64."""
    vectors = lattice[..., None] if scalar or lattice.ndim == 1 else lattice
    kind = vectors.dtype if vectors.dtype in (np.uint8, np.float32) else np.float64
    with np.errstate(over="ignore"):  # of long doubles: infinity is refused by the next check
        return np.ascontiguousarray(vectors, dtype=kind)


def check_channels(shape: Shape) -> None:
    """Raise `ParameterError` if a shape is as likely that of numbers as that of vectors."""
    *nodes, m = shape
    share = 10 if len(nodes) == 1 else 2
    if nodes and m > MOST_CHANNELS and share * m > min(nodes):
        raise ParameterError(
            f"scalar must be given for an array of shape {shape}: scalar=True for a lattice of "
            f"numbers, such as a grey picture, scalar=False for {m} channels at each of "
            f"{' x '.join(map(str, nodes))} nodes"
        )


def _checked_again(data: DataSet, kind: str, n_symbols: int | None) -> DataSet:
    if data.kind != kind:
        raise ParameterError(f"the data set must be {kind}, got a {data.kind} one")
    if n_symbols not in (None, data.n_symbols):
        what = "symbols" if kind == "discrete" else "channels"
        raise ParameterError(f"the data set must have {n_symbols} {what}, got {data.n_symbols}")
    return data


def _check_alike(what: str, found: Sequence[int]) -> None:
    for k, one in enumerate(found):
        if one != found[0]:
            raise ParameterError(
                f"lattices must have the same {what}, got {found[0]} in lattice 0 and {one} in "
                f"lattice {k}"
            )
