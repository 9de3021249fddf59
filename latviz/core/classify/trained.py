"""What a classifier learned, as a frozen value."""

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
    """What a classifier learned.

    Attributes
    ----------
    classes : ndarray, shape (K,)
        The labels, sorted.
    encoded : Encoded
        What makes observations of images.
    kind : str
        Of which kind images are.
    models : list of ClassModel
        That of each class; of a head, that of all.
    priors : ndarray, shape (K,), float64
        Of the classes; they sum to 1.
    temperature : float
        What scores are divided by.
    head : Head or None
        What weighs shares of states and pairs in place of Bayes' rule.
    """

    classes: NDArray[Any]
    encoded: Encoded
    kind: str
    models: list[ClassModel]
    priors: Floats
    temperature: float = 1.0
    head: Head | None = None
