"""The methods that the model is compared with: the one place to add another."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from latviz import peers
from latviz.core.errors import ParameterError
from latviz.core.progress import Progress
from latviz.core.types import States

EXTRA = "latviz[compare]"
GRAPH_CUTS = {"maxflow": "PyMaxflow"}
CLUSTERS = {"sklearn": "scikit-learn", "skimage": "scikit-image"}


@dataclass(frozen=True)
class Peer:
    """A method that gives states to the nodes of a problem.

    Attributes
    ----------
    name : str
        What commands and figures call it.
    title : str
        As menus say it.
    tip : str
        What it does, and what it is told.
    label : callable
        Takes the problem and who is told how far it is; returns the states of each lattice.
    needs : Mapping of str to str
        The modules that it imports, and the names under which they are installed.
    sees_signatures : bool
        Whether it is told signatures, and neither emissions nor the strength of the coupling.
    axes : tuple of int
        The dimensions of lattices that it takes.
    """

    name: str
    title: str
    tip: str
    label: Callable[["peers.problem.Problem", Progress | None], list[States]]
    needs: Mapping[str, str] = field(default_factory=dict)
    sees_signatures: bool = False
    axes: tuple[int, ...] = (1, 2, 3)

    @property
    def missing(self) -> list[str]:
        """The packages that it needs and that are not installed."""
        return [
            package
            for module, package in self.needs.items()
            if importlib.util.find_spec(module) is None
        ]

    def check(self, dimensions: int) -> None:
        """Raise `ParameterError` if it cannot label lattices of so many dimensions here.

        The message says which package to install, or which lattices it takes.
        """
        if missing := " and ".join(self.missing):
            raise ParameterError(
                f"{self.title} needs {missing}, not installed here: pip install '{EXTRA}'"
            )
        if dimensions not in self.axes:
            wanted = " or ".join(map(str, self.axes))
            raise ParameterError(
                f"{self.title} takes lattices of {wanted} dimensions, got {dimensions}"
            )


PEERS: dict[str, Peer] = {
    peer.name: peer
    for peer in (
        Peer(
            "expansion",
            "Alpha-expansion",
            "Graph cuts: states of nearly the least energy, told the emissions and the strength",
            lambda problem, progress: peers.expansion.expanded(problem, progress),
            GRAPH_CUTS,
        ),
        Peer(
            "icm",
            "ICM",
            "Iterated conditional modes: each node takes the best state given its neighbours, told "
            "the emissions and the strength",
            lambda problem, progress: peers.icm.modes(problem, progress),
        ),
        Peer(
            "kmeans",
            "KMeans",
            "Clusters of the signatures, told N and w alone",
            lambda problem, progress: peers.partitions.clustered(problem, progress),
            CLUSTERS,
            sees_signatures=True,
        ),
        Peer(
            "felzenszwalb",
            "Felzenszwalb",
            "Regions of the image of signatures by a minimum spanning forest, clustered by their "
            "means, told N and w alone",
            lambda problem, progress: peers.partitions.graph_regions(problem, progress),
            CLUSTERS,
            sees_signatures=True,
            axes=(2,),
        ),
        Peer(
            "slic",
            "SLIC",
            "Superpixels of the image of signatures, clustered by their means, told N and w alone",
            lambda problem, progress: peers.partitions.superpixels(problem, progress),
            CLUSTERS,
            sees_signatures=True,
            axes=(2, 3),
        ),
    )
}
"""By name, in the order of the menu."""
