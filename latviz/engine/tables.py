"""What the views show, as tables of numbers.

States, symbols and merges are counted from 1, as on screen.
"""

from collections.abc import Callable, Sequence

import numpy as np

from latviz.core.model.models import GaussianModel
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection
from latviz.engine.results import settings_table
from latviz.engine.tradeoff import TradeOff

Cell = str | int | float
Rows = list[list[Cell]]


def as_text(rows: Rows) -> str:
    """Return rows of cells separated by tabs; numbers in full, with a point."""
    return "".join("\t".join(map(str, row)) + "\n" for row in rows)


def table(
    view: str, frame: Frame, pixels: Sequence[Inspection], trade_off: TradeOff | None = None
) -> Rows:
    """Return the numbers of a view, the first row naming the columns.

    Parameters
    ----------
    view : str
        The view's name.
    frame : Frame
    pixels : sequence of Inspection
        The pixels that the view shows, for those that show single ones.
    trade_off : TradeOff, optional
        What the view of it shows.

    Returns
    -------
    list of lists
        Empty if the view has no numbers, or they were not computed.
    """
    if view in ("pins", "pixel"):
        return _pixels(frame, pixels)
    if view == "tradeoff":
        return [] if trade_off is None else _settings(trade_off)
    return _TABLES[view](frame) if view in _TABLES else []


def _states(frame: Frame) -> Rows:
    occupancy = frame.occupancy.tolist()
    n_nodes = max(1, sum(occupancy))
    rows = [[k, n, n / n_nodes] for k, n in enumerate(occupancy, start=1)]
    return [["State", "Pixels", "Share"], *rows]


def _space(frame: Frame) -> Rows:
    if frame.space is None:
        return []
    places, codebook = frame.space.codewords.tolist(), frame.codebook.tolist()
    rows = [[k, *places[k - 1], *codebook[k - 1]] for k in range(1, len(places) + 1)]
    return [["State", "x", "y", *frame.observations.names], *rows]


def _adjacency(frame: Frame) -> Rows:
    rows = frame.model.A.tolist()
    numbers = list(range(1, len(rows) + 1))
    return [["A", *numbers], *([k, *row] for k, row in zip(numbers, rows, strict=True))]


def _indices(frame: Frame) -> Rows:
    found: Rows = [["Index", "Value"], ["Associativity", frame.associativity]]
    return found if frame.inertia is None else [*found, ["Inertia", frame.inertia]]


def _likelihood(frame: Frame) -> Rows:
    e = frame.evaluation
    if e is None:
        return []
    unit = e.states.size * float(np.log(2.0))
    terms = (("Data", e.data_term), ("Pairs", e.pair_term), ("Total", e.log_likelihood))
    rows: Rows = [[name, nats / unit, nats] for name, nats in terms]
    return [["Term", "Bits per pixel", "Nats"], *rows]


def _emissions(frame: Frame) -> Rows:
    names, model = list(frame.observations.names), frame.model
    values = frame.codebook
    if isinstance(model, GaussianModel):
        deviations = np.sqrt(np.diagonal(model.covariances, axis1=1, axis2=2))
        names = [*(f"Mean of {n}" for n in names), *(f"Deviation of {n}" for n in names)]
        values = np.concatenate([values, deviations], axis=1)
    return [["State", *names], *([k, *row] for k, row in enumerate(values.tolist(), start=1))]


def _map(frame: Frame) -> Rows:
    if frame.map is None:
        return []
    edges = np.linspace(frame.map.low, frame.map.high, frame.map.counts.size + 1).tolist()
    rows = zip(edges[:-1], edges[1:], frame.map.counts.tolist(), strict=True)
    return [["From", "To", "Pixels"], *map(list, rows)]


def _tree(frame: Frame) -> Rows:
    if frame.tree is None:
        return []
    costs = enumerate(frame.tree.costs.tolist())
    return [["N", "Cost of merging N + 1 to N"], *([n, cost] for n, cost in costs if n)]


def _settings(trade_off: TradeOff) -> Rows:
    """Return a row for each N and w; what is not known is left empty."""
    names, rows = settings_table(trade_off)
    return [list(names), *(["" if cell is None else cell for cell in row] for row in rows)]


_TABLES: dict[str, Callable[[Frame], Rows]] = {
    "states": _states,
    "space": _space,
    "adjacency": _adjacency,
    "indices": _indices,
    "likelihood": _likelihood,
    "emissions": _emissions,
    "map": _map,
    "tree": _tree,
}


_PLACES = ("Position",), ("Row", "Column"), ("Slice", "Row", "Column")


def _pixels(frame: Frame, pixels: Sequence[Inspection]) -> Rows:
    """Return a row for each pixel; a next state that there is none of is left empty."""
    if not pixels:
        return []
    n_values = pixels[0].value.size
    n_observed = 1 if frame.observations.discrete else frame.observations.n_symbols
    head: list[Cell] = [
        *_PLACES[len(pixels[0].node) - 1],
        *_numbered("Value", n_values),
        *_numbered("Observed", n_observed),
        *("State", "Distance", "Next", "Distance to it"),
        *(f"Share of {n}" if frame.observations.discrete else n for n in frame.observations.names),
    ]
    return [head, *(_pixel(frame, pixel) for pixel in pixels)]


def _numbered(name: str, n: int) -> list[str]:
    return [name] if n == 1 else [f"{name} {k + 1}" for k in range(n)]


def _pixel(frame: Frame, pixel: Inspection) -> list[Cell]:
    observed = np.atleast_1d(pixel.observation) + int(frame.observations.discrete)
    nearest: list[Cell] = []
    counted = (0,) if len(pixel.node) != 2 else ()  # positions and slices, from 1
    for state, distance in pixel.nearest:
        nearest += [state + 1, distance]
    return [
        *(at + (axis in counted) for axis, at in enumerate(pixel.node)),
        *pixel.value.reshape(-1).tolist(),
        *observed.tolist(),
        *[*nearest, "", ""][:4],
        *pixel.signature.tolist(),
    ]
