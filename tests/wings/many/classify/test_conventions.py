"""scikit-learn's conventions, by its own checks: rows of a table are images of a single line."""

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import utils
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.utils.estimator_checks import estimator_checks_generator

from latviz.core import (
    Encoding,
    LatticeClassifier,
    ParameterError,
    load_classifier,
    save_classifier,
)
from latviz.wings.many.classify.classifier import ELSEWHERE
from tests.wings.many.classify import cases


def lines(X: Any) -> Any:
    """Return rows as images of one line, and other values unchanged."""
    if hasattr(X, "toarray"):  # sparse
        return X
    array = np.asarray(X)
    return array[:, None, :] if array.ndim == 2 else array


class Lines(LatticeClassifier):
    """The classifier on tables; learning and refusals are the classifier's own."""

    def __init__(self, n_states: int = 1) -> None:
        super().__init__(
            Encoding("quantiles", 4),
            n_states=n_states,
            window=0,
            criterion="data",
            calibrated=False,
        )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = utils.InputTags()
        return tags

    def fit(self, X, y, sample_weight=None):
        return super().fit(lines(X), y, sample_weight)

    def predict(self, X):
        return super().predict(lines(X))

    def predict_proba(self, X):
        return super().predict_proba(lines(X))

    def predict_log_proba(self, X):
        return super().predict_log_proba(lines(X))

    def score(self, X, y, sample_weight=None):
        return super().score(lines(X), y, sample_weight)


SIZES = "images may be of any size, so there is no number of features to keep to"
FORBIDDEN = {
    "check_n_features_in": SIZES,
    "check_n_features_in_after_fitting": SIZES,
    "check_classifiers_train": SIZES,
}
"""The checks that images forbid, and why. One that passes must be taken off."""

SPARSE = "check_sample_weight_equivalence_on_sparse_data"
"""A check that scikit-learn 1.6 has for classifiers without sparse arrays, too."""


def checks() -> list[Any]:
    found = []
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* does not inherit from")  # it needs no scikit-learn
        given = list(estimator_checks_generator(Lines(), mark=None))
    for one, check in given:
        name = check.func.__name__
        if name == SPARSE:
            continue
        reason = FORBIDDEN.get(name)
        marks = [pytest.mark.xfail(reason=reason, strict=True, raises=AssertionError)]
        found.append(pytest.param(one, check, id=name, marks=marks if reason else []))
    return found


CHECKS = checks()


@pytest.mark.parametrize(("one", "check"), CHECKS)
def test_it_passes_the_checks_of_scikit_learn(one, check):
    check(one)


def test_no_tag_leaves_checks_out():
    """A tag of the classifier for images alone would leave out nearly all."""
    names = [parameter.id for parameter in CHECKS]
    assert len(names) >= 55
    assert FORBIDDEN.keys() <= set(names)
    assert "check_sample_weight_equivalence_on_dense_data" in names


# Checks for images

IMAGES, LABELS = cases.images()
QUICK = {"n_states": 2, "criterion": "windows", "calibrated": False}


def test_what_is_not_fitted_says_so():
    one = LatticeClassifier()
    for ask in (one.predict, one.predict_proba, one.predict_log_proba, one.class_scores):
        with pytest.raises(NotFittedError, match="learned nothing yet") as found:
            ask(IMAGES)
        assert isinstance(found.value, ParameterError)
    for name in ("classes_", "n_features_in_", "coef_", "any_"):
        with pytest.raises(NotFittedError, match="learned nothing yet"):
            getattr(one, name)
        assert not hasattr(one, name)
    learned = LatticeClassifier(**QUICK).fit(IMAGES, LABELS)
    for name in ELSEWHERE:
        with pytest.raises(AttributeError, match=f"has no attribute '{name}': .+"):
            getattr(learned, name)
    assert one.trained is None
    assert not any(name.endswith("_") and not name.endswith("__") for name in vars(one))


WITHOUT = """
import sys
import numpy as np
sys.modules["sklearn"] = None
from latviz.core import LatticeClassifier, ParameterError
try:
    LatticeClassifier().predict([])
except ParameterError as error:
    assert isinstance(error, AttributeError)
    print(hasattr(LatticeClassifier(), "classes_"), error)
images = np.repeat(np.arange(6)[:, None, None], 4, axis=1) % 3
one = LatticeClassifier(None, n_states=2).fit(images, list("abcabc"))
print("".join(one.predict(images)), one.trained_.summary)
"""


def test_scikit_learn_is_not_needed():
    found = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True
    )
    assert found.stdout.splitlines() == [
        "False the classifier has learned nothing yet: call fit first",
        "abcabc logistic regression on observations",
    ]


def test_logarithms_of_posteriors_are_theirs():
    one = cases.fitted()
    logs = one.predict_log_proba(IMAGES)
    np.testing.assert_allclose(np.exp(logs), one.predict_proba(IMAGES), rtol=1e-9, atol=1e-300)
    far = one.class_scores(IMAGES) / one.temperature_ + np.log(one.priors_)
    np.testing.assert_allclose(logs[:, 0] - logs[:, 1], far[:, 0] - far[:, 1], rtol=1e-9)


def test_an_image_of_weight_three_counts_as_three():
    weights = [3, 1, 0, 1, 1, 2, 1, 0]
    repeated = [k for k, weight in enumerate(weights) for _ in range(weight)]
    wanted = LatticeClassifier(**QUICK).fit(
        [IMAGES[k] for k in repeated], [LABELS[k] for k in repeated]
    )
    for given in (weights, np.array(weights, np.int8), (w for w in weights)):
        if not isinstance(given, list | np.ndarray):
            with pytest.raises(ParameterError, match="sample_weight must be an array"):
                LatticeClassifier(**QUICK).fit(IMAGES, LABELS, given)
            continue
        one = LatticeClassifier(**QUICK).fit(IMAGES, LABELS, sample_weight=given)
        assert one.trained == wanted.trained
    halves = LatticeClassifier(**QUICK).fit(IMAGES, LABELS, np.array([0.5, 1.5] * 4))
    assert halves.trained == LatticeClassifier(**QUICK).fit(IMAGES, LABELS, [1, 3] * 4).trained
    right = wanted.predict(IMAGES) == np.array(LABELS)
    found = wanted.score(IMAGES, ["attract"] * 8, sample_weight=[0.5, 0, 0, 0, 0, 0, 0, 1.5])
    assert found == (0.25 if right[0] else 0.0) + (0.0 if right[7] else 0.75)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ([1] * 7, "a weight for each image, got 7 weights"),
        ([1] * 9, "a weight for each of 8 images, got 9"),
        ([[1]] * 8, r"must have shape \(n,\)"),
        ([-1] * 8, "must be finite and >= 0, got -1"),
        ([np.nan] * 8, "must be finite and >= 0, got nan"),
        ([0] * 8, "above zero, got only zeros"),
        ([1, 1.5] * 4, "multiples of the least"),
        ([1, 1001] * 4, "whole numbers up to 1000"),
        (["a"] * 8, "must be an array of real numbers"),
        ([1, 1, 1, 1, 0, 0, 0, 0], "two classes or more, got only 'attract', one class"),
    ],
)
def test_weights_that_are_none(weights, said):
    with pytest.raises(ParameterError, match=said):
        LatticeClassifier(**QUICK).fit(IMAGES, LABELS, weights)


@pytest.mark.parametrize(
    ("labels", "wanted"),
    [
        ([True] * 4 + [False] * 4, [False, True]),
        (np.array([True] * 4 + [False] * 4), [False, True]),
        (np.array([2.0] * 4 + [1.0] * 4), [1.0, 2.0]),
        (np.array(["b"] * 4 + ["a"] * 4, object), ["a", "b"]),
        (np.array([7] * 4 + [-3] * 4, np.int8), [-3, 7]),
    ],
)
def test_labels_come_back_as_what_they_are(labels, wanted, tmp_path):
    one = LatticeClassifier(**QUICK).fit(IMAGES, labels)
    assert one.classes_.tolist() == wanted
    assert [type(label) for label in one.classes_.tolist()] == [type(label) for label in wanted]
    save_classifier(one, tmp_path / "a.latclf")
    again = load_classifier(tmp_path / "a.latclf")
    np.testing.assert_array_equal(again.predict(IMAGES), one.predict(IMAGES))
    assert again.classes_.dtype == one.classes_.dtype
    assert one.score(IMAGES, labels) == again.score(IMAGES, labels)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (np.linspace(0, 1, 8), "Unknown label type: continuous"),
        ([0.5, 1, 0.5, 1] * 2, "Unknown label type: continuous"),
        ([float("inf"), 1] * 4, "a label must be text or a number, got inf"),
        ([1j, 1] * 4, "a label must be text or a number"),
        ([True, 0] * 4, "must all be of one kind, got True or False and numbers"),
        ([True, "a"] * 4, "must all be of one kind, got True or False and text"),
        ([1, True] * 4, "must all be of one kind"),  # which are equal
        (np.zeros((8, 2)), r"y should be a 1d array, got shape \(8, 2\)"),
        ([["a"], ["b"]] * 4, "a label must be text or a number"),
    ],
)
def test_labels_that_are_none(labels, said):
    with pytest.raises(ParameterError, match=said):
        LatticeClassifier(**QUICK).fit(IMAGES, labels)


def test_labels_in_a_column_are_taken_with_a_warning():
    one, column = LatticeClassifier(**QUICK), np.array(LABELS)[:, None]
    with pytest.warns(DataConversionWarning, match="column-vector y") as found:
        one.fit(IMAGES, column)
    assert found[0].filename == __file__
    with pytest.warns(DataConversionWarning):
        assert one.score(IMAGES, column) == one.score(IMAGES, LABELS)


class Boxed:
    """An array by its own word."""

    def __init__(self, array):
        self.array = array

    def __array__(self, dtype=None, copy=None):
        return self.array


def test_what_is_like_an_array_is_taken():
    floats = [image.astype(np.float32) for image in IMAGES]
    wanted = LatticeClassifier(**QUICK).fit(floats, LABELS).predict_proba(floats)
    boxes = np.empty(8, object)
    boxes[:] = [Boxed(one) for one in floats]
    for images in (
        np.stack(floats).tolist(),
        Boxed(np.stack(floats)),
        [Boxed(one) for one in floats],
        boxes,
        np.stack(floats).astype(object),
        np.stack(floats).astype(np.int64),
        [one.astype(np.int32) for one in IMAGES],
        np.stack(floats).astype(np.float64),
    ):
        one = LatticeClassifier(**QUICK).fit(images, Boxed(np.array(LABELS)))
        np.testing.assert_array_equal(one.predict_proba(images), wanted)
        np.testing.assert_array_equal(one.predict_proba(floats), wanted)
    with pytest.raises(ParameterError, match="image 0 is of the kind float, grey, the classifier"):
        cases.fitted().predict(np.stack(IMAGES).tolist())


@pytest.mark.parametrize(
    ("image", "error", "said"),
    [
        (np.array([["1", "2"]], object), ParameterError, "image 0: it must be an array of real"),
        (np.array([[1, {}]], object), TypeError, "image 0: it must hold only numbers: float"),
        (np.array([[1, None]], object), ParameterError, r"finite as float32, got nan at \(0, 1\)"),
        (np.array([[1, 10**400]], object), ParameterError, "image 0: it must hold only numbers"),
        (np.zeros((2, 2)) * 1j, ParameterError, "image 0: Complex data not supported"),
        (3.0, ParameterError, "image 0: it is a single number. Reshape your data"),
        (np.zeros((2, 0)), ParameterError, "image 0: it holds no pixels"),
    ],
)
def test_what_is_no_image_is_refused(image, error, said):
    with pytest.raises(error, match=said):
        LatticeClassifier(**QUICK).fit([image, np.ones((2, 2))], ["a", "b"])
