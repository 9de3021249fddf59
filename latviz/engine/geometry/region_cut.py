"""The user's choice of regions to merge."""

import math
from dataclasses import dataclass
from typing import Any, Literal, get_args

from latviz.core.checks import check_integer, check_number, check_word
from latviz.core.segmentation.defaults import LEAST_CONTRAST

SIZES = (1, 1_000_000)
EVIDENCE = (0, 10_000_000)
CONTRAST = (0.0, 0.5)
"""The range of a slider."""
Measure = Literal["evidence", "contrast"]
"""The measure of borders; by contrast, regions do not follow from states."""


@dataclass(frozen=True)
class RegionCut:
    """The limits below which regions are merged."""

    least_size: int = 1  # pixels of the smallest region that is not merged; from 1
    least_evidence: float = 0.0  # bits of the weakest border that separates regions; from 0
    measure: Measure = "evidence"  # the limit of the other one has no effect
    least_contrast: float = LEAST_CONTRAST  # from 0 to 1

    def __post_init__(self) -> None:
        check_integer("the least size of a region", self.least_size, 1)
        check_number("the least evidence of a border", self.least_evidence, 0.0, math.inf)
        check_word("the measure of borders", self.measure, get_args(Measure))
        check_number("the least contrast of a border", self.least_contrast, 0.0, 1.0)

    @property
    def limits(self) -> dict[str, Any]:
        """The limits that have an effect, as arguments of `Regions.merged`."""
        own = f"least_{self.measure}"
        return {"least_size": self.least_size, own: getattr(self, own)}
