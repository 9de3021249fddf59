"""Its rows of the table of features."""

from latviz.wings.scale.magnifier import Magnifier
from latviz.wings.scale.whole import WholeImages

ROWS = (WholeImages, Magnifier)
