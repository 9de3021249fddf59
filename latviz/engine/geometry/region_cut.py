"""The user's choice of regions to merge."""

import math
from dataclasses import dataclass

from latviz.core.checks import check_integer, check_number

SIZES = (1, 1_000_000)
EVIDENCE = (0, 10_000_000)
"""The range of a slider."""


@dataclass(frozen=True)
class RegionCut:
    """The limits below which regions are merged."""

    least_size: int = 1  # pixels of the smallest region that is not merged; from 1
    least_evidence: float = 0.0  # bits of the weakest border that separates regions; from 0

    def __post_init__(self) -> None:
        check_integer("the least size of a region", self.least_size, 1)
        check_number("the least evidence of a border", self.least_evidence, 0.0, math.inf)
