"""Classifiers in files, and cross-validation."""

import json

import numpy as np
import pytest

from latviz.core import (
    Encoding,
    LatticeClassifier,
    ParameterError,
    Validation,
    cross_validate,
    load_classifier,
    save_classifier,
    select,
)
from latviz.wings.many.classify import selecting
from tests.core import cases as core_cases
from tests.wings.many.classify import cases

WAYS = {
    "cavity": {},
    "shared": {"shared": True},
    "windows": {"criterion": "windows", "priors": "uniform"},
    "head": {"head": True},
    "several": {"encoding": (Encoding("quantiles", 2), Encoding("patterns")), "head": True},
}


def _listed(encoding):
    """Return a sequence as JSON gives it back."""
    return list(encoding) if isinstance(encoding, tuple) else encoding


@pytest.mark.parametrize("way", WAYS)
def test_a_classifier_comes_back_as_it_was(way, tmp_path):
    one, path = cases.fitted(**WAYS[way]), tmp_path / "a.latclf"
    save_classifier(one, path)
    found, (unseen, _) = load_classifier(path), cases.images(2, start=70)
    np.testing.assert_array_equal(found.predict_proba(unseen), one.predict_proba(unseen))
    np.testing.assert_array_equal(found.classes_, one.classes_)
    wanted = one.get_params()
    assert found.get_params() == {**wanted, "encoding": _listed(wanted["encoding"])}
    assert [p.name for p in tmp_path.iterdir()] == ["a.latclf"]
    with np.load(path, allow_pickle=False) as archive:  # numbers and text alone
        assert json.loads(str(archive["header"]))["version"] == 2


def test_priors_come_back(tmp_path):
    quick = {"n_states": 2, "criterion": "windows", "calibrated": False}
    one = LatticeClassifier(**quick, priors=(0.25, 0.75)).fit(*cases.images())
    save_classifier(one, tmp_path / "p.latclf")
    found = load_classifier(tmp_path / "p.latclf")
    np.testing.assert_array_equal(found.priors_, [0.25, 0.75])
    assert found.fit(*cases.images()).priors_.tolist() == [0.25, 0.75]


def test_vectors_and_numbers_as_labels_come_back(tmp_path):
    images, labels = cases.images()
    numbers = [1.0 if label == "repel" else 2.0 for label in labels]
    one = LatticeClassifier(Encoding("texture"), n_states=2, head=False, calibrated=False)
    one.fit(images, numbers)
    save_classifier(one, tmp_path / "b.latclf")
    found = load_classifier(tmp_path / "b.latclf")
    np.testing.assert_array_equal(found.predict(images), one.predict(images))
    assert found.classes_.dtype == np.float64


def changed(path, arrays=None, first=False, **header):
    """Write a classifier's file with another header or other arrays."""
    # With ``first`` it becomes one of version 1, whose only encoding is in the header itself
    with np.load(path) as archive:
        kept = {name: archive[name] for name in archive.files}
    told = json.loads(str(kept.pop("header")))
    of_encoding = {k: header.pop(k) for k in [*header] if k in told["encoded"][0]}
    told["encoded"][0] |= of_encoding
    told |= header
    if first:
        (own,) = told.pop("encoded")
        told |= {**own, "version": 1}
    kept |= arrays or {}
    with open(path, "wb") as stream:
        np.savez(stream, header=np.array(json.dumps(told)), **kept)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 3}, "saved by a newer latviz"),
        ({"format": "latviz model"}, "holds no classifier of latviz"),
        ({"classes": ["a"]}, "holds no classifier: its header is damaged"),
        ({"classes": ["a", "b", "c"]}, "do not fit together"),
        ({"classes": [["a"], ["b"]]}, "its classes are not valid labels"),
        ({"observations": "words"}, "its header is damaged"),
        ({"parameters": {}}, "holds no classifier"),
        ({"encoder": 3}, "written must be a dictionary"),
        ({"temperature": 0.0}, "temperature must be"),
        ({"models": []}, "do not fit together"),
        ({"encoded": []}, "do not fit together"),
        ({"size": 9}, "has another shape"),
        ({"arrays": {"priors": np.array([1.0])}}, "do not fit together"),
        ({"arrays": {"0.B": np.ones((2, 8))}}, "each row of B must sum to 1"),
        ({"arrays": {"1.potentials": np.zeros((2, 2))}}, "potentials of model 1"),
    ],
)
def test_other_contents_are_refused(change, said, tmp_path):
    path = tmp_path / "c.latclf"
    save_classifier(cases.fitted(), path)
    changed(path, **change)
    with pytest.raises(ParameterError, match=f"c.latclf.*{said}"):
        load_classifier(path)


@pytest.mark.parametrize("way", ["windows", "head"])
def test_files_of_version_1_still_open(way, tmp_path):
    one = cases.fitted(**{"encoding": Encoding("quantiles", 2)} | WAYS[way])
    path = tmp_path / "a.latclf"
    save_classifier(one, path)
    changed(path, first=True)
    found, (unseen, _) = load_classifier(path), cases.images(2, start=70)
    np.testing.assert_array_equal(found.predict_proba(unseen), one.predict_proba(unseen))


def test_damaged_files_are_refused(tmp_path):
    path = tmp_path / "d.latclf"
    with pytest.raises(ParameterError, match="cannot be read: there is no such file"):
        load_classifier(path)
    save_classifier(cases.fitted(), path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ParameterError, match="holds no classifier of latviz, or is damaged"):
        load_classifier(path)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path):
    path = tmp_path / "e.latclf"
    save_classifier(cases.fitted(), path)
    before = path.read_bytes()
    with pytest.raises(ParameterError, match="learned nothing yet"):
        save_classifier(LatticeClassifier(), path)
    with pytest.raises(ParameterError, match="must be a LatticeClassifier"):
        save_classifier("text", path)
    with pytest.raises(ParameterError, match=r"path must end in .latclf"):
        save_classifier(cases.fitted(), tmp_path / "e.npz")
    assert path.read_bytes() == before


def test_of_a_class_without_images_nobody_knows_recall_and_precision():
    posteriors = np.array([[0.9, 0.1, 0.0], [0.8, 0.2, 0.0], [0.1, 0.9, 0.0]])
    found = Validation({}, np.array(["a", "b", "c"]), posteriors, np.array([0, 1, 1]))
    np.testing.assert_array_equal(found.recalls, [1.0, 0.5, np.nan])
    np.testing.assert_array_equal(found.precisions, [0.5, 1.0, np.nan])


QUICK = LatticeClassifier(n_states=2, criterion="windows", calibrated=False)


def test_cross_validation_asks_of_what_was_not_seen():
    images, labels = cases.images()
    found = cross_validate(QUICK, images, labels, folds=4, random_state=3)
    assert found.posteriors.shape == (8, 2)
    assert list(found.classes) == ["attract", "repel"]
    assert found.confusion.sum() == 8
    assert found.accuracy == np.trace(found.confusion) / 8
    (a, b), (c, d) = found.confusion.tolist()
    np.testing.assert_allclose(found.recalls, [a / (a + b), d / (c + d)], rtol=1e-12)
    np.testing.assert_allclose(found.precisions, [a / (a + c), d / (b + d)], rtol=1e-12)
    own = found.posteriors[range(8), found.truth]
    assert found.log_loss == pytest.approx(-np.log(own).mean())
    # An image is the only one of its fold and class: leave it and one of the other class out.
    rest = [k for k in range(8) if k != 0]
    others = []
    for other in range(4, 8):
        some = [k for k in rest if k != other]
        one = LatticeClassifier(**QUICK.get_params())
        one.fit([images[k] for k in some], [labels[k] for k in some])
        others.append(one.predict_proba([images[0]])[0])
    assert min(np.abs(found.posteriors[0] - other).max() for other in others) < 1e-12


def test_the_best_of_all_combinations_comes_first():
    images, labels = cases.images()
    found = select(QUICK, images, labels, choices={"n_states": [1, 2], "window": [0, 1]}, folds=2)
    assert len(found) == 4
    scores = [(-one.accuracy, one.log_loss) for one in found]
    assert scores == sorted(scores)
    assert (found[0].parameters["n_states"], found[0].parameters["window"]) == (2, 1)
    assert {(one.parameters["n_states"], one.parameters["window"]) for one in found} == {
        *((1, 0), (1, 1), (2, 0), (2, 1))
    }


@pytest.mark.parametrize("together", [1, 1 << 22])
def test_folds_side_by_side_are_the_same_on_any_number_of_threads(together, monkeypatch):
    monkeypatch.setattr(selecting, "TOGETHER", together)
    images, labels = cases.images()

    def found():
        each = select(QUICK, images, labels, choices={"window": [0, 1]}, folds=2)
        return [(one.parameters["window"], one.posteriors) for one in each]

    core_cases.assert_same_with_threads(found)


@pytest.mark.parametrize(
    ("labels", "given", "said"),
    [
        (cases.images()[1], {"folds": 5}, "images as there are folds, 5, got 4 of attract"),
        (cases.images()[1], {"folds": 1}, "folds must be"),
        (cases.images()[1][:-1], {}, "there must be 8 labels, got 7"),
    ],
)
def test_folds_that_cannot_be(labels, given, said):
    with pytest.raises(ParameterError, match=said):
        cross_validate(QUICK, cases.images()[0], labels, **given)
    with pytest.raises(ParameterError, match="at least one value of window, got none"):
        select(QUICK, *cases.images(), choices={"window": []})
