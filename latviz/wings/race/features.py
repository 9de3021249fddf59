"""Its row of the table of features."""

from latviz.wings.race.race import Race

ROWS = (Race,)
