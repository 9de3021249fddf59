"""Its row of the table of features."""

from latviz.wings.bench.opener import Bench

ROWS = (Bench,)
