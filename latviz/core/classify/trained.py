"""The results of learning of a classifier, as a frozen value."""

from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from latviz.core.classify.class_models import ClassModel
from latviz.core.classify.gathering import Encoded
from latviz.core.classify.head import Head
from latviz.core.types import Floats
from latviz.core.values import Value


@dataclass(frozen=True, eq=False)
class Trained(Value):
    """The results of learning of a classifier."""

    classes: NDArray[Any]  # (K,): the labels, sorted
    encoded: Encoded  # makes observations of images
    kind: str  # of images
    models: list[ClassModel]  # one a class; with a head one for all
    priors: Floats  # (K,), sum 1
    temperature: float = 1.0  # divides scores
    head: Head | None = None  # weighs shares of states and pairs in place of Bayes' rule
