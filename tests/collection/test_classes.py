"""Classes in files: held out, learned from, classified, or left out with a reason."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from latviz.collection import classes
from latviz.collection.classes import Plan
from latviz.core import (
    Encoding,
    LatticeClassifier,
    ParameterError,
    load_classifier,
    save_classifier,
)
from latviz.core.progress import Cancelled
from latviz.files.errors import ImageSetError
from tests import naive
from tests.core.classify import cases

QUICK = Plan(encoding=Encoding("quantiles", 2), n_states=2, head=False, test_share=0.4, seed=3)


def put(folder: Path, n: int = 5) -> Path:
    """Write a folder for each of two classes that differ only in A."""
    images, labels = cases.images(n)
    for k, (image, label) in enumerate(zip(images, labels, strict=True)):
        (folder / label).mkdir(parents=True, exist_ok=True)
        PIL.Image.fromarray(image).save(folder / label / f"{k}.png")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("classes"))


@pytest.fixture(scope="module")
def trained(folder: Path) -> classes.ClassOutcome:
    return classes.train(classes.open_set(folder), QUICK)


def test_a_share_of_each_class_is_held_out() -> None:
    labels = ["b"] * 10 + ["a"] * 3 + ["c"]
    learned, tested = classes.held_out(labels, 0.3, seed=4)
    assert sorted(learned + tested) == list(range(14))
    assert [labels[k] for k in tested] == ["b"] * 3 + ["a"]
    assert (learned, tested) == classes.held_out(labels, 0.3, seed=4)
    assert tested != classes.held_out(labels, 0.3, seed=5)[1]
    assert [labels[k] for k in classes.held_out(labels, 0.99, seed=0)[0]] == ["b", "a", "c"]
    assert len(classes.held_out(labels, 0.001, seed=0)[1]) == 2


def test_what_is_held_out_is_classified(folder: Path) -> None:
    data = classes.open_set(folder)
    assert {name: len(own) for name, own in data.classes.items()} == {"attract": 5, "repel": 5}
    told = list[float]()

    class Told:
        def report(self, fraction: float) -> None:
            told.append(fraction)

        def cancelled(self) -> bool:
            return False

    found = classes.train(data, QUICK, Told())
    _, tested = classes.held_out(data.labels, 0.4, 3)
    assert list(found.tested) == tested
    assert found.is_held_out
    assert not found.failures
    assert told == sorted(told)
    assert told[-1] == pytest.approx(1.0)
    assert [(one.name, one.n_images) for one in found.learned] == [("attract", 3), ("repel", 3)]
    assert found.learned[0].indices["associativity"] > 0.5
    assert found.learned[1].indices["associativity"] < 0.5
    validation = found.validation
    assert validation is not None
    images = [cases.images(5)[0][k] for k in tested]
    wanted = found.classifier.predict_proba(images)
    np.testing.assert_allclose(validation.posteriors, wanted, rtol=1e-12)
    assert [found.classes[k] for k in validation.truth] == [data.labels[k] for k in tested]


def test_a_classifier_of_a_file_says_what_it_learned(
    folder: Path, trained: classes.ClassOutcome, tmp_path: Path
) -> None:
    data, first = classes.open_set(folder), trained
    save_classifier(first.classifier, tmp_path / "a.latclf")
    again = load_classifier(tmp_path / "a.latclf")
    assert classes.loaded(again).validation is None
    found = classes.classify(data, again)
    assert found.tested == tuple(range(10))
    assert not found.is_held_out
    np.testing.assert_allclose(found.learned[0].of.model.A, first.learned[0].of.model.A)
    assert found.counts == {}
    found = classes.classify(data, first.classifier, counts=first.counts)
    assert found.counts == first.counts != {}


def test_what_cannot_be_read_is_left_out_with_the_reason(tmp_path: Path) -> None:
    put(tmp_path, 4)
    (tmp_path / "empty").mkdir()
    (tmp_path / "attract" / "broken.png").write_bytes(b"no image")
    wide = np.zeros((20, 22), np.uint16)
    PIL.Image.fromarray(wide).save(tmp_path / "repel" / "wide.png")
    data = classes.open_set(tmp_path)
    assert len(data.images) == 10
    assert [note.split(":")[0] for note in data.notes] == ["empty"]
    for seed in range(3):  # among images to learn from, and held out
        found = classes.train(data, replace(QUICK, test_share=0.5, seed=seed))
        reasons = {Path(one.path).name: one.reason for one in found.failures}
        assert reasons.keys() == {"broken.png", "wide.png"}
        assert "uint16" in reasons["wide.png"]
        used = sum(one.n_images for one in found.learned) + len(found.tested)
        assert used == 8


def test_what_cannot_be_learned_is_refused(tmp_path: Path) -> None:
    put(tmp_path, 2)
    for image in (tmp_path / "repel").iterdir():
        image.write_bytes(b"no image")
    with pytest.raises(ParameterError, match="two classes or more, got only 'attract'"):
        classes.train(classes.open_set(tmp_path), QUICK)
    (tmp_path / "none" / "a").mkdir(parents=True)
    with pytest.raises(ImageSetError, match="none of its folders holds an image"):
        classes.open_set(tmp_path / "none")
    for wrong in ({"test_share": 0.0}, {"test_share": 1.0}, {"seed": -1}, {"n_states": 0}):
        with pytest.raises(ParameterError):
            Plan(**wrong)


def test_a_class_that_is_not_known_is_left_out(
    trained: classes.ClassOutcome, tmp_path: Path
) -> None:
    put(tmp_path, 2)
    (tmp_path / "repel").rename(tmp_path / "other")
    found = classes.classify(classes.open_set(tmp_path), trained.classifier)
    assert found.tested == (0, 1)
    assert {one.reason for one in found.failures} == {
        "the classifier has no class 'other'; open images of its classes"
    }


@pytest.mark.parametrize("radius", [0, 1, 3, 9])
def test_maps_are_averaged_over_windows(radius: int) -> None:
    plane = np.random.default_rng(5).normal(size=(6, 8)) - 2
    found = classes.averaged(plane, radius)
    for t in naive.nodes(plane.shape):
        around = [plane[s] for s in naive.window_nodes(plane.shape, t, radius)]
        assert found[t] == pytest.approx(sum(around) / len(around), rel=1e-9)


def test_it_can_be_cancelled(folder: Path) -> None:
    class Stop:
        def report(self, _: float) -> None: ...

        def cancelled(self) -> bool:
            return True

    with pytest.raises(Cancelled):
        classes.train(classes.open_set(folder), QUICK, Stop())


def test_every_image_is_classified_by_models_of_the_other_folds(tmp_path: Path) -> None:
    put(tmp_path, 2)
    (tmp_path / "attract" / "broken.png").write_bytes(b"no image")
    data = classes.open_set(tmp_path)
    found = classes.train(data, replace(QUICK, folds=2))
    assert found.is_held_out
    assert [Path(one.path).name for one in found.failures] == ["broken.png"]
    assert sorted(data.images[k].path.name for k in found.tested) == [f"{k}.png" for k in range(4)]
    folds = found.validation.folds
    assert [sorted(folds[found.validation.truth == k]) for k in (0, 1)] == [[0, 1]] * 2
    pixels = [np.asarray(PIL.Image.open(data.images[k].path)) for k in found.tested]
    labels = [data.labels[k] for k in found.tested]
    for fold in range(2):
        seen, unseen = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        one = LatticeClassifier(QUICK.encoding, n_states=2, head=False)
        one.fit([pixels[k] for k in seen], [labels[k] for k in seen])
        wanted = one.predict_proba([pixels[k] for k in unseen])
        np.testing.assert_allclose(found.validation.posteriors[unseen], wanted, rtol=1e-12)
        for k in unseen:
            own = found.classifier_of(found.tested[k])
            np.testing.assert_allclose(own.predict_proba([pixels[k]]), wanted[unseen == k])
    whole = LatticeClassifier(QUICK.encoding, n_states=2, head=False).fit(pixels, labels)
    np.testing.assert_array_equal(found.learned[0].of.model.A, whole.models_[0].A)
    assert [one.n_images for one in found.learned] == [2, 2]
    with pytest.raises(ParameterError, match="as many images as there are folds, 5, got 2 of"):
        classes.train(data, replace(QUICK, folds=5))


@pytest.mark.parametrize("head", [False, True])
def test_images_that_are_open_tell_the_inertia_of_a_loaded_classifier(
    folder: Path, trained: classes.ClassOutcome, tmp_path: Path, head: bool
) -> None:
    if head:
        trained = classes.train(
            classes.open_set(folder), replace(QUICK, head=True, automatic=False)
        )
    one = trained.classifier
    (tmp_path / "repel").mkdir()
    for k in (0, 1):
        PIL.Image.fromarray(cases.images(2)[0][2 + k]).save(tmp_path / "repel" / f"{k}.png")
    wide = np.zeros((20, 22), np.uint16)  # of another kind: not in the data set
    PIL.Image.fromarray(wide).save(tmp_path / "repel" / "2.png")
    assert all(np.isnan(own.indices["inertia"]) for own in classes.loaded(one).learned)
    found = classes.loaded(one, classes.open_set(tmp_path)).learned
    symbols = [one.encoder_.encode([image])[0].values for image in cases.images(2)[0][2:]]
    of = found[-1].of
    states = [
        naive.decode(naive.signature_discrete(values, 1, 2), of.codebook) for values in symbols
    ]
    wanted = naive.inertia(states, 2, 1)
    assert found[-1].indices["inertia"] == pytest.approx(wanted, rel=1e-9)
    assert [np.isnan(own.indices["inertia"]) for own in found] == (
        [False] if head else [True, False]
    )


def test_the_first_image_decides_whether_all_are_in_colour(tmp_path: Path) -> None:
    images, labels = cases.images(3)
    for k, (image, label) in enumerate(zip(images, labels, strict=True)):
        (tmp_path / label).mkdir(exist_ok=True)
        coloured = np.repeat(image[..., None], 3, axis=2) if k < 2 else image
        PIL.Image.fromarray(coloured).save(tmp_path / label / f"{k}.png")
    data = classes.open_set(tmp_path)
    found = classes.train(data, Plan(test_share=0.34))
    assert not found.failures
    assert found.classifier.fitted.kind == "uint8, in colour"
    assert [one.encoding for one in found.learned] == [
        *("colour palette", "textons", "local binary patterns"),
    ]
    assert {(one.name, one.n_images, one.of.model.n_states) for one in found.learned} == {
        ("", 0, 16)
    }
    look = classes.look(data, 0, found.classifier)
    assert look.evidence.shape == (2, 48)
    assert "17 to 32 are of textons" in look.reason
    by_hand = classes.train(data, Plan(automatic=False, test_share=0.34))
    assert by_hand.classifier.fitted.kind == "uint8, grey"
    assert [one.encoding for one in by_hand.learned] == ["grey quantiles"]
