"""Its rows of the table of public names of the core."""

from latviz.core.plugins import PublicName

_OF = {
    "classifier": ("LatticeClassifier",),
    "selecting": ("Validation", "cross_validate", "select"),
    "storage": ("load_classifier", "save_classifier"),
}
ROWS = tuple(
    PublicName(name, f"latviz.wings.many.classify.{module}")
    for module, names in _OF.items()
    for name in names
)
