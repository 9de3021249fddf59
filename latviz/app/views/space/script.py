"""Where states are drawn, as Python."""

import numpy as np
from numpy.typing import NDArray

from latviz.engine.frame import Frame
from latviz.engine.projection import ProjectionKind

_DRAWN: dict[ProjectionKind | None, str] = {
    None: "all of the space",
    "polygon": "symbols are the corners of a polygon",
    "tetrahedron": "symbols are the corners of a tetrahedron, seen from one side",
    "principal": "the first two principal components of a sample",
    "components": "three components, seen from one side",
    "symbols": "three symbols are the corners of a triangle, all others are in its middle",
}


def lines(frame: Frame) -> list[str]:
    """Return where the states are in the signature space as it is drawn, if it is shown."""
    space, projection = frame.space, frame.request.projection
    if space is None:
        return []
    observations = frame.observations
    drawn = projection.drawn(observations.n_symbols, observations.discrete)
    lines = ["", f"# Where the states are drawn: {_DRAWN[drawn]}."]
    if space.corners is not None:  # a mixture of symbols is drawn at that mixture of the corners
        lines += _literal("corners", space.corners)
        return [*lines, "codewords = B @ corners  # a corner for each symbol"]
    lines += _literal("matrix", space.matrix)
    return [
        *lines,
        f"codewords = {space.origin.tolist()} + means @ matrix.T",
        "ellipses = matrix @ model.covariances @ matrix.T",
    ]


def _literal(name: str, matrix: NDArray[np.float64]) -> list[str]:
    rows = [f"        {row}," for row in matrix.tolist()]
    return [f"{name} = np.array(", "    [", *rows, "    ]", ")"]
