"""The latent-variable lattice model, without any window: ``from latviz.core import ...``.

Names are loaded at first use, so that a program can import parts that need no compiled kernel
(`lattice`, `encoding`, `errors`) without waiting for the compiler.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from latviz.core.agreement import adjusted_rand as adjusted_rand
    from latviz.core.agreement import contingency as contingency
    from latviz.core.agreement import disagreement as disagreement
    from latviz.core.agreement import matched_accuracy as matched_accuracy
    from latviz.core.belief import belief_entropy as belief_entropy
    from latviz.core.boundaries import boundary_f_score as boundary_f_score
    from latviz.core.bounds import accuracy_bound as accuracy_bound
    from latviz.core.bounds import bound_map as bound_map
    from latviz.core.choosing import Choice as Choice
    from latviz.core.choosing import choose as choose
    from latviz.core.decomposition import BiasVariance as BiasVariance
    from latviz.core.decomposition import bias_variance as bias_variance
    from latviz.core.decomposition import bias_variance_levels as bias_variance_levels
    from latviz.core.emission import NormalEmission as NormalEmission
    from latviz.core.emission import emit as emit
    from latviz.core.encoding import Encoding as Encoding
    from latviz.core.errors import ParameterError as ParameterError
    from latviz.core.evaluation import Evaluation as Evaluation
    from latviz.core.indices import associativity as associativity
    from latviz.core.indices import inertia as inertia
    from latviz.core.indices import local_inertia as local_inertia
    from latviz.core.indices import pair_counts as pair_counts
    from latviz.core.markov import sample_chain as sample_chain
    from latviz.core.markov import sample_potts as sample_potts
    from latviz.core.markov import stationary_distribution as stationary_distribution
    from latviz.core.models import DiscreteModel as DiscreteModel
    from latviz.core.models import GaussianModel as GaussianModel
    from latviz.core.normalization import NormalisingAlpha as NormalisingAlpha
    from latviz.core.normalization import normalising_alpha as normalising_alpha
    from latviz.core.observations import Observations as Observations
    from latviz.core.observations import encode as encode
    from latviz.core.observations import named_symbols as named_symbols
    from latviz.core.progress import Cancelled as Cancelled
    from latviz.core.progress import Progress as Progress
    from latviz.core.progressive import Level as Level
    from latviz.core.quadtree import Leaves as Leaves
    from latviz.core.quadtree import quadtree_leaves as quadtree_leaves
    from latviz.core.quantization import MergeTree as MergeTree
    from latviz.core.quantization import fast_pnn as fast_pnn
    from latviz.core.sampling import checkerboard as checkerboard
    from latviz.core.sampling import sample_blobs as sample_blobs
    from latviz.core.sampling import sample_voronoi as sample_voronoi
    from latviz.core.sampling import stripes as stripes
    from latviz.core.signature import window_signature as window_signature
    from latviz.core.tradeoff import Setting as Setting
    from latviz.core.tradeoff import sweep as sweep

_HOME = {
    "BiasVariance": "decomposition",
    "Cancelled": "progress",
    "Choice": "choosing",
    "DiscreteModel": "models",
    "Encoding": "encoding",
    "Evaluation": "evaluation",
    "GaussianModel": "models",
    "Leaves": "quadtree",
    "Level": "progressive",
    "MergeTree": "quantization",
    "NormalEmission": "emission",
    "NormalisingAlpha": "normalization",
    "Observations": "observations",
    "ParameterError": "errors",
    "Progress": "progress",
    "Setting": "tradeoff",
    "accuracy_bound": "bounds",
    "adjusted_rand": "agreement",
    "associativity": "indices",
    "belief_entropy": "belief",
    "bias_variance": "decomposition",
    "bias_variance_levels": "decomposition",
    "bound_map": "bounds",
    "boundary_f_score": "boundaries",
    "checkerboard": "sampling",
    "choose": "choosing",
    "contingency": "agreement",
    "disagreement": "agreement",
    "emit": "emission",
    "encode": "observations",
    "fast_pnn": "quantization",
    "inertia": "indices",
    "local_inertia": "indices",
    "matched_accuracy": "agreement",
    "named_symbols": "observations",
    "normalising_alpha": "normalization",
    "pair_counts": "indices",
    "quadtree_leaves": "quadtree",
    "sample_blobs": "sampling",
    "sample_chain": "markov",
    "sample_potts": "markov",
    "sample_voronoi": "sampling",
    "stationary_distribution": "markov",
    "stripes": "sampling",
    "sweep": "tradeoff",
    "window_signature": "signature",
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
