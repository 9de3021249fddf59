"""Values of the core in notebooks: tables, heat maps and pictures."""

import doctest
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

from latviz import notebook
from latviz.core import (
    DiscreteModel,
    GaussianModel,
    ParameterError,
    associativity,
    choose,
    html,
    regions,
    stripes,
)


class Cells(HTMLParser):
    """Collects the texts of cells; every tag must be closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts = [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, _attributes):
        self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_models_regions_and_choices_are_tables():
    states = stripes((8, 12), widths=6)
    model = DiscreteModel.fit(states, n_states=2, window=0)
    texts = Cells(model._repr_html_()).texts
    assert texts[0].startswith("DiscreteModel: 2 states, 2 symbols, w = 0, associativity 0.9")
    assert {"0.854", "0.0417"} <= set(texts)  # 164 and 8 of 4 x 48 pairs
    found = Cells(regions(states, states=states)._repr_html_()).texts
    assert found[0] == "2 regions of 8 × 12 nodes"
    assert found[-5:] == ["1", "1", "48", "28", "1"]
    choice = choose(states, n_symbols=2, n_states=[1, 2], windows=[1])
    texts = Cells(choice._repr_html_()).texts
    assert texts[0] == f"N = {choice.n_states}, w = 1"
    assert f"{choice.rule}." in texts


def test_names_are_escaped_and_large_matrices_cut():
    name = "<script>alert('&')</script>"
    shown = html.titled(name, html.table(name, [name], [[name]] * 99), text=name)
    assert "<script" not in shown
    assert Cells(shown).texts.count(name) == 4 + 16
    large = html.heat_map("A", np.arange(60.0 * 70).reshape(60, 70))
    assert Cells(large).texts[0] == "A, 16 × 24 of 60 × 70"
    assert large.count("<td") == 16 * (1 + 24)
    shades = [float(shade) for shade in re.findall(r"255,([0-9.]+)\)", large)]
    assert shades == sorted(shades)
    Cells(html.heat_map("A", np.zeros((1, 1))))


def test_show_draws_image_states_and_a():
    pytest.importorskip("matplotlib")
    assert doctest.testmod(notebook).failed == 0
    known = np.ones((4, 6, 5), bool)
    known[2, :3] = False
    vectors = np.random.default_rng(0).normal(size=(4, 6, 5))
    model = GaussianModel.fit(vectors, n_states=2, window=1, scalar=True, mask=known)
    image, states, a = (
        axes.images[0] for axes in notebook.show(model, vectors, mask=known).axes[:3]
    )
    np.testing.assert_array_equal(image.get_array(), vectors[2])
    colours = {tuple(c) for c in states.get_array()[~known[2]].tolist()}
    assert colours == {(196, 196, 196), (120, 120, 120)}
    np.testing.assert_array_equal(a.get_array(), model.A)
    line = DiscreteModel.fit(np.repeat([0, 1], 8), n_states=2, window=1)
    assert notebook.show(line, np.repeat([0, 1], 8)).axes[1].images[0].get_array().shape[0] == 1
    assert notebook.show(line, np.repeat([0, 1], 8))._repr_png_().startswith(b"\x89PNG")
    with pytest.raises(ParameterError, match="the shape of its states"):
        notebook.show(line, np.zeros(3), np.repeat([0, 1], 8))


def test_show_without_matplotlib_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match=r'pip install "latviz\[notebook\] @ git'):
        notebook.show(None, None)


BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
PAGE = """<body><div id=el></div><script>%s
const state = %s; let changed;
const model = {get: (name) => state[name], set: (name, value) => { state[name] = value; },
  save_changes() { changed(); }, on(names, update) { changed = update; }};
render({model, el: document.getElementById("el")});
const w = document.querySelectorAll("input")[1]; w.value = 2; w.oninput();
</script>"""


def test_the_widget_shows_the_numbers_of_the_core(tmp_path):
    pytest.importorskip("anywidget")
    o = np.random.default_rng(0).integers(0, 3, (20, 30))
    known = np.arange(600).reshape(20, 30) % 11 > 0
    widget = notebook.explore(o, n_states=3, window=1, n_symbols=3, mask=known)
    widget.window = 5  # a slider of Python's
    with pytest.raises(Exception, match="window"):
        widget.window = 65
    with pytest.raises(ParameterError, match="a sequence or an image"):
        notebook.explore(np.zeros((2, 3, 4), int))
    if BROWSER is None:
        return
    names = "content", "n_states", "window", "alpha"
    script = widget._esm.replace("export default { render };", "")
    page = PAGE % (script, json.dumps({name: getattr(widget, name) for name in names}))
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    options = "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"
    command = (BROWSER, *options, f"--user-data-dir={tmp_path / 'own'}", str(tmp_path / "a.html"))
    drawn = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    model = DiscreteModel.fit(o, n_states=3, window=2, codebook_window=1, mask=known)
    nats = model.evaluate(o, mask=known).log_likelihood
    index = associativity(model.A)
    assert f"Associativity {index:.3f}, inertia " in drawn
    assert f"log-likelihood −{-nats:.0f} nats" in drawn


def test_the_widget_without_anywidget_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r'pip install "latviz\[notebook\] @ git'):
        notebook.explore(np.zeros((2, 2), int))
