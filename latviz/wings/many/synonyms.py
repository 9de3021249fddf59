"""Its rows of the table of synonyms."""

ROWS = ("classifier, classification, supervised, training: classify",)
