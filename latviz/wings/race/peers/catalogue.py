"""The methods that the model is compared with: the one place to add another."""

import importlib.util
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from latviz.core.errors import ParameterError
from latviz.core.extras import install
from latviz.core.progress import Progress
from latviz.core.types import States
from latviz.wings.race import peers

INSTALL = install("compare")
"""The command in any shell: cmd of Windows passes single quotes on."""
GRAPH_CUTS = {"maxflow": "PyMaxflow"}
CLUSTERS = {"sklearn": "scikit-learn", "skimage": "scikit-image"}


@dataclass(frozen=True)
class Peer:
    """A method that gives states to the nodes of a problem."""

    name: str  # in commands and figures; ``title`` in menus
    title: str
    also: str  # other words that people search it by
    tip: str  # its method, and the information that it gets
    # returns the states of each lattice; the progress gets its fraction done
    label: Callable[["peers.problem.Problem", Progress | None], list[States]]
    # the modules that it imports, and the names under which they are installed
    needs: Mapping[str, str] = field(default_factory=dict)
    sees_signatures: bool = False  # without emissions and the strength of the coupling
    axes: tuple[int, ...] = (1, 2, 3)  # dimensions of lattices that it takes

    @property
    def missing(self) -> list[str]:
        """The packages that it needs and that are not installed."""
        needs = self.needs.items()
        return [package for name, package in needs if importlib.util.find_spec(name) is None]

    def check(self, dimensions: int) -> None:
        """Raise `ParameterError` if it cannot label lattices of this number of dimensions here.

        The message names the package to install, or the lattices that it takes.
        """
        if missing := " and ".join(self.missing):
            raise ParameterError(f"{self.title} needs {missing}, which is not installed: {INSTALL}")
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
            "graph cuts",
            "Graph cuts: states with nearly the least energy, given the emissions and the strength",
            lambda problem, progress: peers.expansion.expanded(problem, progress),
            GRAPH_CUTS,
        ),
        Peer(
            "icm",
            "ICM",
            "iterated conditional modes",
            "Iterated conditional modes: each node takes the best state given its neighbours, the "
            "emissions and the strength",
            lambda problem, progress: peers.icm.modes(problem, progress),
        ),
        Peer(
            "kmeans",
            "K-means",
            "clusters",
            "Clusters of the signatures, given only N and w",
            lambda problem, progress: peers.partitions.clustered(problem, progress),
            CLUSTERS,
            sees_signatures=True,
        ),
        Peer(
            "felzenszwalb",
            "Felzenszwalb",
            "minimum spanning forest",
            "Regions of the image of signatures by a minimum spanning forest, clustered by their "
            "means, given only N and w",
            lambda problem, progress: peers.partitions.graph_regions(problem, progress),
            CLUSTERS,
            sees_signatures=True,
            axes=(2,),
        ),
        Peer(
            "slic",
            "SLIC",
            "superpixels",
            "Superpixels of the image of signatures, clustered by their means, given only N and w",
            lambda problem, progress: peers.partitions.superpixels(problem, progress),
            CLUSTERS,
            sees_signatures=True,
            axes=(2, 3),
        ),
    )
}
"""By name, in the order of the menu."""
