"""The benchmark of classes: families, methods, tables and the plot."""

from xml.etree import ElementTree

import numpy as np
import pytest

from tests.bench import classify, classify_noise
from tests.bench.classify_plot import panels

FOUND = {
    name: {
        "chance": 0.25,
        "methods": {
            method: {str(n): [0.5, 0.62 + 0.01 * (n - 1)] for n in classify.SIZES}
            for method in classify.METHODS
        },
    }
    for name in ("one", "two", "three")
}

NOISE = {
    name: {
        str(n): {
            method: {
                f"{level:g}": [0.5 + n / 100, 0.62 + n / 100] for level in classify_noise.LEVELS
            }
            for method in classify.NOISE_METHODS
        }
        for n in classify_noise.SIZES
    }
    for name in classify_noise.LAWS
}

CHOICE = [
    {
        "settings": own | {"window": 1},
        "means": {f"{name}, {n}": mean for name in classify.CHOOSING for n in (1, 5)},
    }
    for own, mean in (
        ({"head": True, "n_states": 2}, 0.6),
        ({"criterion": "cavity", "shared": True, "n_states": 2}, 0.7),
        ({"criterion": "cavity", "shared": True, "n_states": 4}, 0.9),
    )
]


@pytest.mark.parametrize("name", {**classify.CHOOSING, **classify.REPORTED})
def test_families_are_images_of_classes(name):
    family = {**classify.CHOOSING, **classify.REPORTED}[name]
    one, again, other = (
        family(2, half, np.random.default_rng(seed)) for half, seed in ((0, 1), (0, 1), (1, 1))
    )
    assert len(one) == len(other) >= 2
    for classes in (one, other):
        assert all(image.dtype == np.uint8 and image.ndim == 2 for c in classes for image in c)
        assert all(len(images) == 2 for images in classes)
    for images, same in zip(one, again, strict=True):
        np.testing.assert_array_equal(images, same)


@pytest.mark.parametrize("method", [name for name in classify.METHODS if "lattice" not in name])
def test_other_methods_tell_what_differs_much(method):
    rng = np.random.default_rng(3)
    dark = [rng.integers(0, 60, (30, 30), dtype=np.uint8) for _ in range(4)]
    bright = [np.sort(rng.integers(150, 255, (30, 30), dtype=np.uint8), axis=1) for _ in range(4)]
    labels = np.array([0, 0, 1, 1])
    told = classify.METHODS[method](dark[:2] + bright[:2], labels, dark[2:] + bright[2:])
    assert told.tolist() == [0, 0, 1, 1]


def test_a_table_has_means_and_standard_errors():
    table = classify.tables({"reported": FOUND, "choice": CHOICE, "noise": NOISE})["classes-1"]
    assert table["columns"] == ["images per class", "1", "2", "5", "10", "20"]
    assert table["rows"][0][1] == "0.56 ± 0.06"  # of 0.5 and 0.62


def test_classes_of_noise_have_equal_shares_of_states_and_of_greys():
    """Only the laws differ: each state has a share of 1 / N, by symmetry of A."""
    for name, laws in classify_noise.LAWS.items():
        for A in laws:
            np.testing.assert_allclose(A, A.T, rtol=1e-12, err_msg=name)
            np.testing.assert_allclose(
                np.sort(A, axis=1), np.sort(A[[0]].repeat(len(A), 0), axis=1)
            )
    associativity = [np.trace(A) / A.sum() for A in [*classify_noise.LAWS.values()][-1]]
    np.testing.assert_allclose(associativity, associativity[0], rtol=1e-12)


def test_a_share_of_symbols_is_replaced():
    laws = [np.ones((3, 3))]
    for replaced, least, most in ((0.0, 1.0, 1.0), (0.6, 0.56, 0.64)):
        (fields,) = classify_noise.fields(laws, replaced, 1, 0, np.random.default_rng(5))
        rng = np.random.default_rng(5)
        seed = int(rng.integers(1 << 30, size=2)[0])
        states = classify_noise.sample_potts(laws[0], (48, 48), sweeps=40, seed=seed)
        right = (fields[0] == 100 * states).mean()  # 1 - replaced, and a third of those replaced
        assert least <= right <= most


def test_the_model_is_compared_with_the_best_other_in_the_same_repetitions():
    methods = {
        "lattice, cavity": {"0.2": [0.9, 0.8]},
        "lattice, head": {"0.2": [1.0, 1.0]},
        "one": {"0.2": [0.6, 0.7]},
        "two": {"0.2": [0.2, 0.3]},
    }
    assert classify_noise._gain(methods, "lattice, cavity", 0.2) == "+0.20 ± 0.10"


def test_the_best_of_each_criterion_is_listed():
    table = classify.best_of_each(CHOICE)
    assert [row[:3] for row in table["rows"]] == [
        ["`cavity`, shared", "4", "1"],
        ["head", "2", "1"],
    ]
    assert [row[-1] for row in table["rows"]] == ["0.900", "0.600"]


def test_the_plot_has_a_band_and_a_curve_for_each_method():
    root = ElementTree.fromstring(panels(FOUND, classify.SIZES))
    space = "{http://www.w3.org/2000/svg}"
    n = len(classify.METHODS)
    assert len(root.findall(f"{space}polygon")) == 3 * n
    assert len(root.findall(f"{space}polyline")) == 3 * n + n  # and the legend's
    words = [one.text for one in root.findall(f"{space}text")]
    assert {*classify.METHODS, *FOUND} <= {*words}
    assert words.count("20") == 3
