"""What tables of the core's tests have for classifiers."""

import os
import tempfile
from pathlib import Path

from latviz import core
from latviz.wings.many.classify.classifier import LatticeClassifier
from latviz.wings.many.classify.selecting import Validation, cross_validate
from latviz.wings.many.classify.storage import load_classifier, save_classifier
from tests.core import fuzz
from tests.wings.many.classify import cases


def classifier() -> LatticeClassifier:
    """Return a classifier that has learned: each its own, since learning changes it."""
    settings = {"n_states": 2, "criterion": "windows", "calibrated": False}
    one = LatticeClassifier(core.Encoding("levels", 3), **settings)
    return one.fit(fuzz.pictures(), fuzz.CLASSES)


def head() -> LatticeClassifier:
    one = LatticeClassifier(core.Encoding("levels", 3), n_states=2, head=True)
    return one.fit(fuzz.pictures(), fuzz.CLASSES)


def saved_classifier() -> Path:
    """Return the file of a classifier."""
    path = Path(tempfile.gettempdir()) / f"latviz-fuzz-{os.getpid()}.latclf"
    save_classifier(classifier(), path)
    return path


def validation() -> Validation:
    """Return the scores of two folds."""
    settings = {"n_states": 2, "criterion": "windows", "calibrated": False}
    one = LatticeClassifier(core.Encoding("levels", 3), **settings)
    return cross_validate(one, fuzz.pictures(), fuzz.CLASSES, folds=2)


OWN = {
    "cross_validate.classifier": classifier,
    "select.classifier": classifier,
    "save_classifier.classifier": classifier,
    "cross_validate.labels": lambda: fuzz.CLASSES,
    "select.labels": lambda: fuzz.CLASSES,
    "LatticeClassifier.y": lambda: fuzz.CLASSES,
    "load_classifier.path": saved_classifier,
    "save_classifier.path": saved_classifier,
}
INSTANCES = {"LatticeClassifier": classifier, "LatticeClassifier.head_evidence": head}
TRUSTED = {"LatticeClassifier.set_params": "takes any parameter by its name"}
VALUES = {"LatticeClassifier": [LatticeClassifier, classifier, head], "Validation": [validation]}
IDENTITIES = {"LatticeClassifier": "As in scikit-learn, one that can be fitted again"}
UNCOMPARED = {"Validation": "some of its arrays follow from others"}
READERS = {"a.latclf": load_classifier}
WRITERS = {"a.latclf": lambda place: save_classifier(cases.fitted(), place)}
