"""Classifiers as values: copied, and with settings of NumPy."""

import joblib
import numpy as np

from latviz import core
from latviz.wings.many.classify.classifier import LatticeClassifier
from tests.core import fuzz
from tests.core.test_values import WAYS
from tests.wings.many.tables import classifier


def test_a_file_that_is_mapped_into_memory_is_read(tmp_path):
    """All arrays are read-only then, even if they were writable."""
    path = tmp_path / "one.joblib"
    joblib.dump(classifier(), path)
    found = joblib.load(path, mmap_mode="r")
    wanted = classifier().predict_proba(fuzz.pictures())
    np.testing.assert_array_equal(found.predict_proba(fuzz.pictures()), wanted)


def test_the_parameters_of_classifiers_may_be_of_numpy() -> None:
    given = {"n_states": 2, "window": 1, "dimensions": 2, "most_nodes": 120}
    settings = {"encoding": core.Encoding("levels", 3), "criterion": "windows"}
    one, other = (
        LatticeClassifier(**settings, **numbers).fit(fuzz.pictures(), fuzz.CLASSES)
        for numbers in (given, {name: np.uint8(value) for name, value in given.items()})
    )
    assert fuzz.same(one.fitted, other.fitted)
    assert type(other.get_params()["n_states"]) is np.uint8  # what was given, as scikit-learn does


def test_copies_do_as_the_original_does() -> None:
    one, images = classifier(), fuzz.pictures()
    for copied in WAYS.values():
        np.testing.assert_array_equal(copied(one).predict_proba(images), one.predict_proba(images))
