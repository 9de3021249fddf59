import subprocess
import sys
from functools import cache

import numpy as np
import pytest

from latviz.core.data.encoders import encode
from latviz.core.errors import ParameterError
from latviz.engine.pictures.demo_titles import DEMO_TITLES
from latviz.engine.pictures.demos import make_demo
from latviz.workspace import make_picture

made, opened = cache(make_demo), cache(make_picture)


@pytest.fixture(params=DEMO_TITLES)
def demo(request):
    return made(request.param)


def test_shapes_and_types(demo):
    assert demo.name in DEMO_TITLES
    assert demo.title == DEMO_TITLES[demo.name]
    assert demo.image.dtype == (np.float32 if demo.name == "weather" else np.uint8)
    own = {"protein": (1500,), "volume": (48, 96, 96), "weather": (1, 2880)}
    shape = own.get(demo.name, (256, 256))
    assert demo.image.shape in (shape, (*shape, 3))
    assert demo.dimensions == len(shape)
    for states in (demo.labels, demo.truth):
        if states is not None:
            assert states.dtype == np.uint8
            assert states.shape == shape
    np.testing.assert_array_equal(np.unique(demo.truth), np.arange(demo.n_states))
    assert demo.window >= 1


def test_summary_is_one_or_two_sentences(demo):
    assert demo.summary.endswith(".")
    assert demo.summary.count(". ") + 1 in (1, 2)
    assert "  " not in demo.summary


def test_is_the_same_every_time(demo):
    again = opened(demo.name)[0]
    np.testing.assert_array_equal(again.pixels, demo.image)
    np.testing.assert_array_equal(again.truth, demo.truth)


def test_image_shows_its_labels(demo):
    if demo.labels is None:
        assert (demo.encoding.name == "labels") == bool(demo.alphabet)
        return
    observations = encode(demo.image, demo.encoding, labels=demo.labels)
    np.testing.assert_array_equal(observations.values, demo.labels)
    np.testing.assert_array_equal(observations.colors[observations.values], demo.image)
    assert len(np.unique(observations.colors, axis=0)) == observations.n_symbols


def test_figures_have_the_paper_s_channel_and_potentials():
    for name, preferred in (("figure1", True), ("figure2", False)):
        demo = made(name)
        assert (demo.labels == demo.truth).mean() == pytest.approx(0.8, abs=0.01)
        equal = (demo.truth[1:] == demo.truth[:-1]).mean()
        assert (equal > 0.9) == preferred
        assert (equal < 0.1) == (not preferred)


def test_the_figures_side_by_side_are_half_of_each():
    both = made("figures")
    for name, half in (("figure1", np.s_[:, :128]), ("figure2", np.s_[:, 128:])):
        np.testing.assert_array_equal(both.truth[half], made(name).truth[half])
    assert (both.labels == both.truth).mean() == pytest.approx(0.8, abs=0.01)


def test_unknown_name():
    known = ", ".join(DEMO_TITLES)
    with pytest.raises(ParameterError, match=f"name must be one of {known}, got 'lena'"):
        make_demo("lena")


def test_needs_no_window_system():
    program = (
        "import sys, latviz.engine.pictures.demos; "
        "sys.exit(any(name in sys.modules for name in ('PyQt6', 'pyqtgraph')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
