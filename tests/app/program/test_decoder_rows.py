"""Decoders that tests add to the table: every part of the program uses them."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from latviz.cli import options
from latviz.core import belief_entropy
from latviz.core.choice.code_length import Emitted
from latviz.core.decoders import DECODERS, Decoder
from latviz.core.windows.decoding import decode_each
from latviz.core.windows.leave_one_out import decode_without
from latviz.engine.explain.explanation import explain
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame, Request
from latviz.engine.frames.inspection import inspect
from latviz.engine.keeping.results import arrays, summary
from latviz.engine.keeping.session import from_text, opened, text_of
from latviz.engine.lessons.facts import Facts, value
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.parameters import Parameters
from latviz.sharing.page import html_of
from latviz.workspace import read_picture
from tests.app.conftest import settle
from tests.app.shown_numbers import python_of

NEAREST = DECODERS["nearest"]
W, NEEDS = 2, ALL_NEEDS | {"changes"}


def _wider(model: Any, data: Any, progress: Any, window: int) -> Any:
    return decode_each(data, model.codewords, window + 1, progress)


def _wider_left_out(data: Any, codewords: Any, window: int, _progress: Any) -> Any:
    return [decode_without(lattice, codewords, window + 1) for lattice in data.lattices]


TOYS = (
    replace(NEAREST, name="alias", title="nearest, again"),
    Decoder(
        name="wider",
        title="wider window",
        tip="State of t = the codeword nearest to the signature with w + 1",
        decode=_wider,
        left_out=_wider_left_out,
        uses=frozenset({"window"}),
        evidence="window",
        offered=True,
    ),
    replace(DECODERS["likelihood"], name="likely", left_out=NEAREST.left_out, offered=True),
    replace(DECODERS["belief"], name="as_belief", title="belief, again"),
    replace(DECODERS["refined"], name="as_refined", title="refined, again"),
)


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in TOYS:
        monkeypatch.setitem(DECODERS, row.name, row)


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A picture of blocks under noise, in a file that scripts read."""
    rng = np.random.default_rng(4)
    blocks = np.kron(rng.integers(0, 3, (4, 5)), np.ones((7, 6), int)) * 80
    noisy = np.clip(blocks + rng.integers(0, 90, blocks.shape), 0, 255).astype(np.uint8)
    Image.fromarray(noisy).save(tmp_path / "blocks.png")
    monkeypatch.chdir(tmp_path)
    return read_picture(tmp_path / "blocks.png")


def asked(decoder: str, **changes: Any) -> Parameters:
    return replace(Parameters(n_states=3, window=W, decoder=decoder), **changes)


def framed(picture: Any, parameters: Parameters, needs: frozenset[str] = NEEDS) -> Frame:
    request = Request(picture, parameters, complete=True, needs=needs, map="doubt")
    return Pipeline().run(request)


def ran(text: str) -> dict[str, Any]:
    """Run a script here, where the table has the toys; return its names."""
    names: dict[str, Any] = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), names)
    return names


CHANGES: tuple[dict[str, Any], ...] = ({}, {"smoothing": 1.0, "alpha": 0.7, "alpha_mode": "local"})


@pytest.mark.parametrize(
    ("row", "changes"),
    [(row, CHANGES[k % 2]) for k, row in enumerate(TOYS)],
    ids=lambda one: getattr(one, "name", ""),
)
def test_the_script_computes_what_is_shown(row, changes, seen, capsys) -> None:
    frame = framed(seen, asked(row.name, **changes))
    found = ran(python_of(frame))
    np.testing.assert_array_equal(found["states"], frame.states)
    np.testing.assert_allclose(found["A"], frame.model.A, rtol=1e-12)
    assert frame.noise is not None
    total = frame.evaluation.log_likelihood
    assert found["score"].log_likelihood == pytest.approx(total, rel=1e-9)
    np.testing.assert_allclose(found["node_map"], frame.node_map.values, rtol=1e-3, atol=1e-3)
    for name in ("associativity", "inertia", "gain"):
        np.testing.assert_allclose(
            getattr(found["noise"], name), getattr(frame.noise, name), rtol=1e-9
        )
    assert "associativity of noise" in capsys.readouterr().out


@pytest.mark.parametrize("row", [row for row in TOYS if row.by_window], ids=lambda row: row.name)
def test_evidence_of_windows_never_has_what_beliefs_have(row: Decoder, seen: Any) -> None:
    parameters = asked(row.name)
    frame = framed(seen, parameters)
    model, values = frame.model, frame.observations.values
    assert frame.believed is None
    np.testing.assert_array_equal(
        frame.node_map.values, belief_entropy(values, model=model, window=W)
    )
    assert np.isnan(frame.noise.gain).all()
    text = python_of(frame)
    assert "beliefs" not in text
    assert "passes" not in text
    assert explain(frame, (3, 4)).product is None


def test_a_wider_window_is_that_of_every_number(seen: Any) -> None:
    """All is computed from the definition: nearest codewords with w + 1."""
    frame = framed(seen, asked("wider"))
    data = frame.model.data_set(frame.observations.values)
    (lattice,) = data.lattices
    wanted = frame.model.decode(frame.observations.values, window=W + 1)
    assert not np.array_equal(wanted, frame.model.decode(frame.observations.values, window=W))
    np.testing.assert_array_equal(frame.states, wanted)
    np.testing.assert_array_equal(frame.occupancy, np.bincount(wanted.ravel(), minlength=3))
    without = decode_without(lattice, frame.codewords, W + 1)
    emitted = Emitted.of(data.lattices, [without], 3, data.n_symbols)
    assert frame.code_lengths.states.bits == emitted.code_length().bits
    plain = frame.model.evaluate_states(frame.observations.values, states=wanted)
    assert frame.evaluation.log_likelihood == pytest.approx(plain.log_likelihood, rel=1e-12)
    for node in np.ndindex(*wanted.shape):
        assert inspect(frame, node).ranked[0][0] == wanted[node]
    before = frame.model.decode(frame.observations.values, window=W)
    np.testing.assert_array_equal(frame.changes.mask, wanted != before)


@pytest.mark.parametrize(
    ("toy", "own"), [("alias", "nearest"), ("as_belief", "belief"), ("as_refined", "refined")]
)
def test_another_name_is_the_same_everywhere(toy: str, own: str, seen: Any) -> None:
    first, second = (framed(seen, asked(name)) for name in (own, toy))
    for name, wanted in arrays(first).items():
        np.testing.assert_array_equal(arrays(second)[name], wanted, err_msg=name)
    told, like = summary(second), summary(first)
    assert told["parameters"].pop("decoder") == toy
    assert like["parameters"].pop("decoder") == own
    assert told.keys() == like.keys()
    assert told["code_length"] == like["code_length"]
    assert told["log_likelihood"] == like["log_likelihood"]
    assert python_of(second).replace(toy, own) == python_of(first)


@pytest.mark.parametrize("row", TOYS, ids=lambda row: row.name)
def test_texts_options_reports_and_lessons_know_it(row: Decoder, seen: Any) -> None:
    parameters = asked(row.name)
    given = options.parser_of().parse_args(["--decoder", row.name])
    assert options.changed(Parameters(), given).decoder == row.name
    before = opened(seen, asked("nearest"))
    session = replace(before, state=replace(before.state, parameters=parameters))
    state = replace(session.state, pictures=PictureSet((seen,)))
    assert f"decoder={row.name}" in text_of(state)
    assert from_text(f"decoder={row.name}", state).parameters.decoder == row.name
    frame, facts = framed(seen, parameters, frozenset({"code_lengths"})), Facts(state)
    found = value(facts, f"code_length(decoder='{row.name}')", asked("nearest"))
    assert found == frame.code_lengths.states.bits
    if not row.refines:  # whose trade-off takes long
        assert f"<td>{row.name}</td>" in html_of(PictureSet((seen,)), session)


def test_a_model_that_is_given_is_not_refined() -> None:
    for row in TOYS:
        plain = Parameters(decoder=row.name).decoding.plain
        assert not DECODERS[plain].refines
        assert plain == ("belief" if row.refines else row.name)


def test_the_window_offers_it_and_says_what_it_is(toys, window, qtbot) -> None:
    window.document.open(Picture(window.document.picture.pixels[:60, :70], "small"))
    control: Any = window.controls["decoder"]
    texts = [control.itemText(k) for k in range(control.count())]
    for row in TOYS:
        assert row.title in texts
        control.changed.emit(row.name)
        settle(qtbot, window)
        frame = window.document.frame
        assert frame.request.parameters.decoder == row.name
        assert (frame.believed is not None) == row.has_beliefs
        assert window.controls["passes"].isHidden() == row.by_window
