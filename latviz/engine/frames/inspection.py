"""All facts on one pixel of a frame."""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import inference
from latviz.core.types import Region
from latviz.engine.frames.frame import Frame
from latviz.engine.settings.appearance import called


@dataclass(frozen=True, eq=False)
class Inspection:
    """One pixel of a frame."""

    node: tuple[int, ...]  # row and column; or slice, row and column
    window: tuple[slice, ...]  # clipped
    value: NDArray[Any]  # of the image: one number, or three
    observation: Any  # the symbol, or the vector
    signature: Annotated[NDArray[np.float64], "(M,)"]
    state: int  # the decoded one
    # The two nearest states and their distances to the signature, nearest first (one, if N = 1);
    # where windows decide, its own state is the first
    nearest: tuple[tuple[int, float], ...]
    name: str = ""  # that the user gave its state
    # belief and messages, if states are by belief
    node_belief: "inference.field.NodeBelief | None" = None
    n_pixels: int = 0  # known ones in the clipped window

    @property
    def called(self) -> str:
        """Its state in a text: "state 3", or "state 3 (sky)"."""
        return called(self.state + 1, self.name)

    @property
    def ranked(self) -> tuple[tuple[int, float], ...]:
        """Its state and the next one, with their distances or beliefs."""
        if self.node_belief is None:
            return self.nearest
        belief = self.node_belief.belief
        others = np.argsort(-belief, kind="stable").tolist()
        others.remove(self.state)
        return tuple((j, float(belief[j])) for j in (self.state, *others[:1]))


def further_signature(frame: Frame, node: tuple[int, ...]) -> NDArray[np.float64]:
    """Return the signature of the windows beyond the first, end to end; may be empty."""
    sums = [sum_over(frame, frame.request.window_of(node, w)) for w in frame.further]
    return np.concatenate([np.empty(0), *(total / n_pixels for total, n_pixels in sums)])


def sum_over(frame: Frame, region: Region) -> tuple[NDArray[np.float64], int]:
    """Return the count of each symbol in a region, or sums of channels, and its known pixels."""
    observations, known = frame.observations, frame.request.picture.known
    inside = observations.values[region]
    inside = inside if known is None else inside[known[region]]
    if observations.discrete:
        counts = np.bincount(inside.reshape(-1), minlength=observations.n_symbols)
        return counts.astype(np.float64), inside.size
    rows = inside.reshape(-1, inside.shape[-1])
    return rows.sum(axis=0, dtype=np.float64), len(rows)


def inspect(frame: Frame, node: tuple[int, ...]) -> Inspection:
    """Return the inspection of a known pixel; takes the time of one window."""
    request, observations = frame.request, frame.observations
    parameters = request.parameters
    where = request.window_of(node, parameters.window)
    total, n_pixels = sum_over(frame, where)
    signature = total / n_pixels
    ends = np.concatenate([signature, further_signature(frame, node)])
    distances = np.sqrt(((frame.codewords - ends) ** 2).sum(axis=1))
    ranked = np.argsort(distances, kind="stable").tolist()
    state = ranked[0] if frame.coarse else int(frame.states[node])
    nearest = sorted(ranked, key=lambda j: parameters.decoding.by_window and j != state)[:2]
    return Inspection(
        node=node,
        window=where,
        value=np.asarray(request.picture.pixels[node]),
        observation=observations.values[node],
        signature=signature,
        state=state,
        nearest=tuple((j, float(distances[j])) for j in nearest),
        name=frame.names[state],
        node_belief=None if frame.believed is None else frame.believed.at(node),
        n_pixels=n_pixels,
    )
