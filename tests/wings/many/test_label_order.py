"""The order of labels and classes in tables."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from latviz.core import Encoding, LatticeClassifier, cross_validate
from latviz.wings.many.results.record import Record
from latviz.wings.many.results.tables import together


def test_the_confusion_of_all_images_is_in_the_order_of_numbers() -> None:
    numbers = ("a.png", 1, 1, 1, 0, (), 0.0, 0.0, 0.0, (1.0,), 1.0, 1.0)
    records = [
        Record(*numbers, ("10", "9"), ((1,), (2,))),
        Record(*numbers, ("-1", "9"), ((4,), (8,))),
    ]
    found = together(records, one_model=True)
    assert found.classes == ("-1", "9", "10")
    assert found.table.tolist() == [[4], [10], [1]]


def test_classes_are_in_the_order_of_scores_of_posteriors() -> None:
    """The order is that of scikit-learn, which sorts labels as they are, numbers included."""
    rng = np.random.default_rng(0)
    labels = ["10", "9", "-1"] * 4
    images = [
        np.clip(rng.normal(60 + 6 * int(k), 8, (12, 12)), 0, 255).astype(np.uint8) for k in labels
    ]
    classifier = LatticeClassifier(Encoding("quantiles", 4), n_states=2, calibrated=False)
    assert classifier.fit(images, labels).classes_.tolist() == ["-1", "10", "9"]
    found = cross_validate(classifier, images, labels, folds=2)
    assert [found.classes[k] for k in found.truth] == labels
    assert found.log_loss == pytest.approx(log_loss(labels, found.posteriors))
