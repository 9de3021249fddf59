"""The classifier: scikit-learn's conventions, streams, and classes that differ only in A."""

import itertools

import numpy as np
import pytest
from sklearn.base import clone

from latviz.core import Encoding, LatticeClassifier, ParameterError
from latviz.core.progress import Cancelled
from latviz.wings.many.classify import head as heads
from latviz.wings.many.classify.gathering import LEAST, KeptImages
from tests import naive
from tests.products import FULL
from tests.wings.many import naive_classify
from tests.wings.many.classify import cases

WAYS = [
    {},
    {"shared": True},
    {"criterion": "windows", "shared": True},
    {"criterion": "printed", "calibrated": False},
    {"head": True},
]


def test_a_alone_tells_classes_apart():
    """Both laws emit the same shares of both symbols: only their neighbours differ."""
    unseen, truth = cases.images(6, start=50)
    for parameters in ({}, {"shared": True}, {"head": True}):
        assert cases.fitted(**parameters).score(unseen, truth) == 1.0
    bag = LatticeClassifier(n_states=1, criterion="windows").fit(*cases.images())
    assert bag.score(unseen, truth) < 0.75


@pytest.mark.parametrize("parameters", WAYS, ids=str)
def test_a_masked_margin_counts_for_nothing(parameters):
    """Scores are those of the images without it, however wide it is."""
    images, labels = cases.images()
    rng, framed = np.random.default_rng(0), []
    for one in images:
        top, left = rng.integers(1, 9, 2)
        hidden = np.ones((one.shape[0] + top, one.shape[1] + left), bool)
        hidden[top:, left:] = False
        pixels = rng.integers(0, 256, hidden.shape).astype(one.dtype)
        pixels[top:, left:] = one
        framed.append(np.ma.MaskedArray(pixels, hidden))
    blank = LatticeClassifier(Encoding("quantiles"), n_states=2, **{"head": False, **parameters})
    whole, masked = (clone(blank).fit(some, labels) for some in (images, framed))
    wanted = whole.class_scores(images)
    np.testing.assert_allclose(masked.class_scores(framed), wanted, rtol=1e-5)
    if "head" not in parameters:
        maps = masked.score_maps(framed[0])
        np.testing.assert_allclose(np.nansum(maps, axis=(1, 2)), wanted[0], rtol=1e-5)
        np.testing.assert_array_equal(np.isnan(maps[0]), framed[0].mask)


def test_unknown_pixels_do_not_suit_encodings_that_look_around():
    images, labels = cases.images()
    hidden = np.ma.MaskedArray(images[0], np.eye(*images[0].shape, dtype=bool))
    with pytest.raises(ParameterError, match="Texture compares pixels around each pixel"):
        LatticeClassifier(Encoding("texture")).fit([hidden, *images[1:]], labels)
    usual = LatticeClassifier(n_states=2).fit([hidden, *images[1:]], labels)
    assert not any(one.encoding.kind.looks_around for one in usual.encoders_)


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_what_it_returns(way):
    one = cases.fitted(**WAYS[way])
    images, _ = cases.images(2, start=70)
    found = one.predict_proba(images)
    assert found.shape == (4, 2)
    np.testing.assert_allclose(found.sum(axis=1), 1.0, rtol=1e-12)
    assert (found >= 0).all()
    np.testing.assert_array_equal(one.predict(images), one.classes_[found.argmax(axis=1)])
    assert list(one.classes_) == ["attract", "repel"]
    assert len(one.models_) == (3 if one.head else 2)
    used = [encoder.encoding for encoder in one.encoders_]
    assert used == [*one.encodings(False)]
    assert [e.kind.name for e in used] == ["quantiles", "textons", "patterns"][: len(used)]
    assert one.encoder_.encoding == used[0] == Encoding("quantiles", 8)
    assert one.temperature_ >= 1.0


@pytest.mark.parametrize("way", range(len(WAYS)))
def test_maps_of_scores_sum_to_the_scores(way):
    one = cases.fitted(**WAYS[way])
    (image, *_), _ = cases.images(2, start=70)
    if one.head:
        with pytest.raises(ParameterError, match="a head has no scores of single nodes"):
            one.score_maps(image)
        return
    found = one.score_maps(image)
    assert found.shape == (2, *cases.SHAPE)
    np.testing.assert_array_equal(found, one.score_maps(lambda: image))
    np.testing.assert_allclose(found.sum(axis=(1, 2)), one.class_scores([image])[0], rtol=1e-12)


def test_what_the_share_of_each_state_adds_to_a_logit():
    some = [Encoding("quantiles", 2), Encoding("patterns")]
    one = cases.fitted(encoding=tuple(some), head=True)
    (image, *_), _ = cases.images(2, start=70)
    found, head, rows = one.head_evidence(image), one.trained.head, []
    for encoded, of in zip(one.trained.encoded, one.trained.models, strict=True):
        symbols, size = encoded.encoder.encode([image])[0].values, encoded.size
        states = naive.decode(naive.signature_discrete(symbols, 1, size), of.codebook)
        both = naive_classify.features(states, 2) + naive_classify.features(symbols, size)
        rows += [(value, j < 2) for j, value in enumerate(both)]
    assert len(rows) == len(head.weights)
    for k in range(2):
        terms = [
            value * weight for (value, _), weight in zip(rows, head.weights[:, k], strict=True)
        ]
        wanted = [term for term, (_, is_share) in zip(terms, rows, strict=True) if is_share]
        np.testing.assert_allclose(found[k], wanted, rtol=1e-9, atol=1e-12)
        logit = sum(terms) + head.offsets[k]
        assert one.class_scores([image])[0, k] == pytest.approx(logit, rel=1e-6)
    with pytest.raises(ParameterError, match="has no head"):
        cases.fitted().head_evidence(image)


@pytest.mark.parametrize("way", range(len(WAYS)) if FULL else (0, 2, 4))
def test_names_and_order_of_classes_do_not_matter(way):
    images, labels = cases.images()
    other = {"attract": 7, "repel": 3}
    parameters = {"n_states": 2, "head": False, **WAYS[way]}
    one = cases.fitted(**WAYS[way])
    two = LatticeClassifier(**parameters).fit(images, [other[label] for label in labels])
    assert list(two.classes_) == [3, 7]
    unseen, _ = cases.images(2, start=70)
    found, swapped = one.predict_proba(unseen), two.predict_proba(unseen)[:, ::-1]
    if one.shared or one.head:  # a codebook of all depends on the order in which they come
        assert (found.argmax(axis=1) == swapped.argmax(axis=1)).all()
    else:
        np.testing.assert_allclose(found, swapped, rtol=1e-5, atol=1e-9)


def test_streams_files_and_arrays_are_alike():
    images, labels = cases.images()
    quick = {"n_states": 2, "criterion": "windows"}
    wanted = LatticeClassifier(**quick).fit(images, labels).predict_proba(images)
    opened = []

    def file(k):
        def read():
            opened.append(k)
            return images[k]

        return read

    lazy = [file(k) for k in range(len(images))]
    one = LatticeClassifier(**quick).fit(lazy, labels)
    assert opened == list(range(len(images)))
    np.testing.assert_array_equal(one.predict_proba(iter(lazy)), wanted)
    two = LatticeClassifier(**quick).fit((x for x in images), (label for label in labels))
    np.testing.assert_array_equal(two.predict_proba(x for x in images), wanted)
    three = LatticeClassifier(**quick).fit(np.stack(images), np.array(labels))
    np.testing.assert_array_equal(three.predict_proba(np.stack(images)), wanted)


def test_no_more_is_held_than_was_said():
    kept = KeptImages(3 * LEAST, 2)
    for k in range(100):
        kept.take(np.full((100, 120), k))
        assert sum(part.size for part in kept.parts) <= 3 * LEAST * 1.1
    assert kept.seen == 100
    assert 1 < len(kept.parts) <= 3
    assert [int(part[0, 0]) for part in kept.parts] == [0, 64]
    few = KeptImages(3 * LEAST, 2)
    for k in range(2):
        few.take(np.full((100, 120, 3), k))
    assert [part.shape[2] for part in few.parts] == [3, 3]
    assert all(0.9 * 1.5 * LEAST < part[..., 0].size < 1.1 * 1.5 * LEAST for part in few.parts)
    whole = KeptImages(10**6, 2)
    picture = np.zeros((100, 120))
    whole.take(picture)
    assert whole.parts[0] is picture


@pytest.mark.parametrize("kind", ["list", "generator"])
def test_a_head_counts_states_in_whole_images(kind, monkeypatch):
    """Though its codebook is of parts; what cannot be read again is counted in parts."""
    rng, opened, taken = np.random.default_rng(8), [], []
    images = [rng.integers(0, 3, (70, 80)) for _ in range(4)]

    def file(k):
        return lambda: opened.append(k) or images[k]

    def fitted(blocks, truth, n_classes):
        taken.append((blocks, truth))
        return heads.Head(np.zeros((blocks[0].shape[1], n_classes)), np.zeros(n_classes))

    monkeypatch.setattr(heads, "fitted", fitted)
    lazy = [file(k) for k in (2, 0, 1, 3)]
    one = LatticeClassifier(None, n_states=2, most_nodes=2 * LEAST)
    given = lazy if kind == "list" else iter(lazy)
    one.fit(given, ["b", "a", "b", "b"], sample_weight=[1, 1, 1, 2])
    ((features,), truth) = taken[0]
    assert opened == ([2, 0, 1, 3] * 2 if kind == "list" else [2, 0, 1, 3])
    if kind == "generator":
        assert truth.tolist() == [0, 1, 1]  # b: every other of four
        return
    assert truth.tolist() == [1, 0, 1, 1, 1]
    n = len(naive_classify.features(np.zeros((1, 1), int), 2))
    for row, k in zip(features, (2, 0, 1, 3, 3), strict=True):
        np.testing.assert_allclose(row[n:], naive_classify.features(images[k], 3), rtol=1e-9)


def test_images_that_do_not_come_again_are_missed():
    class Once:
        def __init__(self, images):
            self.images = iter(images)

        def __iter__(self):
            return self.images

    images = [np.random.default_rng(k).integers(0, 3, (70, 80)) for k in range(2)]
    one = LatticeClassifier(None, n_states=2, most_nodes=LEAST)
    with pytest.raises(ParameterError, match=r"the same images again, .* got 0, first 2"):
        one.fit(Once(images), ["a", "b"])


def test_encodings_follow_the_first_images():
    def names(classifier, coloured):
        return [f"{one.kind.name} {one.n_symbols}" for one in classifier.encodings(coloured)]

    usual, bayes = LatticeClassifier(), LatticeClassifier(criterion="windows")
    assert names(usual, True) == ["palette 16", "textons 16", "patterns 3"]
    assert names(usual, False) == ["quantiles 8", "textons 16", "patterns 3"]
    assert names(bayes, True) == names(bayes, False) == ["quantiles 8"]
    assert [one.has_head for one in (usual, bayes, LatticeClassifier(shared=True))] == [True, 0, 0]
    assert LatticeClassifier(criterion="windows", head=True).has_head
    assert LatticeClassifier(None).encodings(False) == (None,)
    assert LatticeClassifier("levels").encodings(False) == (Encoding("levels"),)
    several = [Encoding("palette", 4), Encoding("patterns")]
    both = LatticeClassifier(several)
    assert clone(both).get_params() == both.get_params()
    assert both.get_params()["encoding"] is several


def test_a_head_on_colours_textures_and_patterns():
    rng = np.random.default_rng(21)
    plain = [rng.integers(0, 40, (24, 26, 3), dtype=np.uint8) for _ in range(6)]
    red = [one + np.array([150, 0, 0], np.uint8) for one in plain[:2]]
    smooth = [np.sort(one, axis=0) for one in plain[2:4]]
    one = LatticeClassifier(n_states=2).fit([*red, *smooth, *plain[4:]], list("rrsspp"))
    others = [rng.integers(0, 40, (24, 26, 3), dtype=np.uint8) for _ in range(2)]
    asked = [others[0] + np.array([150, 0, 0], np.uint8), np.sort(others[0], axis=0), others[1]]
    assert one.predict(asked).tolist() == ["r", "s", "p"]
    wanted = "logistic regression on colour palette, textons, local binary patterns"
    assert one.trained_.summary == wanted


def test_priors_are_counts_or_as_given():
    images, labels = cases.images()
    some = images[:4] + images[4:5], labels[:4] + labels[4:5]
    quick = {"n_states": 2, "criterion": "windows", "calibrated": False}
    one = LatticeClassifier(**quick).fit(*some)
    np.testing.assert_allclose(one.priors_, [0.8, 0.2])
    even = LatticeClassifier(**quick, priors="uniform").fit(*some)
    ratio = one.predict_proba(images) / even.predict_proba(images)
    np.testing.assert_allclose(ratio[:, 0] / ratio[:, 1], 4.0, rtol=1e-6)
    head = {"n_states": 2, "head": True}
    counted = LatticeClassifier(**head).fit(images, labels)
    biased = LatticeClassifier(**head, priors=[0.9, 0.1]).fit(images, labels)
    ratio = biased.predict_proba(images) / counted.predict_proba(images)
    np.testing.assert_allclose(ratio[:, 0] / ratio[:, 1], 9.0, rtol=1e-6)


def test_observations_without_an_encoding():
    rng = np.random.default_rng(9)
    runs = [np.repeat(rng.integers(0, 3, 20), 4) for _ in range(4)]
    mixed = [rng.permutation(run) for run in runs]
    quick = {"encoding": None, "n_states": 3, "head": False, "calibrated": False}
    one = LatticeClassifier(**quick).fit(runs[:2] + mixed[:2], [0, 0, 1, 1])
    assert one.encoder_ is None
    assert one.score(runs[2:] + mixed[2:], [0, 0, 1, 1]) == 1.0
    with pytest.raises(ParameterError, match="symbols must be from 0 to 2"):
        one.predict([np.array([0, 3, 1])])
    vectors = [rng.normal(k, 0.5, (8, 9, 2)) for k in (0, 0, 3, 3)]
    two = LatticeClassifier(**{**quick, "n_states": 1}).fit(vectors, [0, 0, 1, 1])
    assert list(two.predict(vectors)) == [0, 0, 1, 1]


def test_it_can_be_cancelled():
    class Stop:
        def report(self, fraction):
            assert 0 <= fraction <= 1

        def cancelled(self):
            return True

    before = LatticeClassifier(n_states=2, criterion="windows").fit(*cases.images())
    was = before.trained
    for parameters in ({}, {"shared": True}, {"head": True}):
        before.set_params(criterion="cavity", **parameters)
        with pytest.raises(Cancelled):
            before.fit(*cases.images(), progress=Stop())
        if "head" in parameters:
            continue
        with pytest.raises(Cancelled):
            cases.fitted(**parameters).score_maps(cases.images()[0][0], progress=Stop())
    assert before.trained is was


IMAGES, LABELS = cases.images()
COLOUR = np.repeat(IMAGES[0][..., None], 3, axis=2)


@pytest.mark.parametrize(
    ("images", "labels", "said"),
    [
        (IMAGES, ["one"] * 8, "two classes or more, got only 'one'"),
        ([], [], "two classes or more, got no image"),
        (IMAGES, LABELS[:-1], "a label for each image, got 7 labels"),
        (IMAGES[:-1], LABELS, "an image for each label, got 1 more labels than images"),
        (IMAGES, None, "requires y to be passed, but the target y is None"),
        (IMAGES, "ab", "y must be an iterable"),
        (IMAGES, [None] * 8, "a label must be text or a number"),
        (IMAGES, [float("nan")] * 8, "a label must be text or a number"),
        (IMAGES, ["a", 1] * 4, "all be of one kind, got numbers and text"),
        ([*IMAGES[:3], COLOUR, *IMAGES[4:]], LABELS, "image 3 is of the kind uint8, in colour"),
        ([*IMAGES[:7], IMAGES[7].astype(float)], LABELS, "image 7 is of the kind float"),
        ([*IMAGES[:7], IMAGES[7].astype(np.uint16)], LABELS, "image 7 is of the kind uint16"),
        ([*IMAGES[:7], np.zeros((0, 4), np.uint8)], LABELS, "image 7: it holds no pixels"),
        ([*IMAGES[:7], np.zeros(9, np.uint8)], LABELS, r"image 7: it must be \(H, W\)"),
        ([*IMAGES[:7], "text"], LABELS, "image 7: it must be an array"),
        ("text", LABELS, "X must be an iterable"),
        (3, LABELS, "X must be an iterable"),
    ],
)
def test_what_cannot_be_learned_is_refused(images, labels, said):
    one = LatticeClassifier(n_states=2, criterion="windows", calibrated=False)
    one.fit(*cases.images())
    was = one.trained
    with pytest.raises(ParameterError, match=said):
        one.fit(images, labels)
    assert one.trained is was


@pytest.mark.parametrize(
    ("parameters", "said"),
    [
        (
            {"encoding": 3},
            "encoding must be 'auto', an Encoding or its name, a list of them, or None",
        ),
        ({"encoding": "gray"}, "gray"),
        ({"encoding": []}, "encoding must be 'auto'"),
        ({"encoding": [Encoding(), None]}, "encoding must be 'auto'"),
        ({"encoding": [Encoding()] * 2, "criterion": "data"}, "several encodings need the head"),
        ({"n_states": 0}, "n_states must be"),
        ({"window": -1}, "window must be"),
        ({"criterion": "best"}, "criterion must be 'cavity' or"),
        ({"shared": 1}, "shared must be True or False"),
        ({"head": 2}, "head must be True or False"),
        ({"calibrated": "yes"}, "calibrated must be True or False"),
        ({"priors": "even"}, "priors must be 'counts' or 'uniform'"),
        ({"priors": [1.0]}, "priors must be 2 numbers above 0"),
        ({"priors": [0.0, 1.0]}, "priors must be 2 numbers above 0"),
        ({"dimensions": 1}, "dimensions must be"),
        ({"most_nodes": 0}, "most_nodes must be"),
    ],
)
def test_parameters_out_of_range_are_refused(parameters, said):
    one = LatticeClassifier(**parameters)  # it accepts any parameters, as scikit-learn requires
    with pytest.raises(ParameterError, match=said):
        one.fit(*cases.images())


def test_what_cannot_be_classified_is_refused():
    one = cases.fitted()
    with pytest.raises(ParameterError, match="image 0 is of the kind uint8, in colour"):
        one.score_maps(COLOUR)
    with pytest.raises(ParameterError, match="learned nothing yet"):
        LatticeClassifier().score_maps(IMAGES[0])
    for images, said in (
        ([], "at least one image, got none"),
        ([COLOUR], "image 0 is of the kind uint8, in colour, the classifier learned from uint8"),
        ([IMAGES[0], IMAGES[0].astype(float)], "image 1 is of the kind float"),
        (itertools.repeat("a", 1), "image 0: it must be an array"),
    ):
        with pytest.raises(ParameterError, match=said):
            one.predict_proba(images)
    with pytest.raises(ParameterError, match="there must be 8 labels, got 7"):
        one.score(IMAGES, LABELS[:-1])
