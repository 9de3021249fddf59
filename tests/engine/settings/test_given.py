"""Pictures that are shown but not learned from, and models that are given, against the core."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from latviz.core import DiscreteModel, GaussianModel, encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.errors import ParameterError
from latviz.core.parameter import rows
from latviz.engine.frames.frame import ALL_NEEDS, EXPORTED, Frame
from latviz.engine.keeping.results import arrays
from latviz.engine.keeping.session import Session, from_content, to_content
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from tests.new_frames import new_frame

RNG = np.random.default_rng(11)
LETTERS = tuple("ACGT")


def image(height: int, width: int, few: bool = False) -> Picture:
    """Return an image of soft colours, or of few values."""
    rows_, columns = np.indices((height, width))
    waves = [np.sin(rows_ / k) + np.cos(columns / (k + 1)) for k in (3, 5, 7)]
    noise = RNG.normal(0, 0.3, (height, width, 3))
    pixels = np.clip(128 + 40 * (np.stack(waves, -1) + noise), 0, 255).astype(np.uint8)
    return Picture(pixels[..., 0] // 64 * 64 if few else pixels, f"{height} x {width}")


def record(length: int) -> Picture:
    symbols = RNG.integers(0, 4, length).astype(np.uint8)
    return Picture(symbols, "record", dimensions=1, alphabet=LETTERS)


MEMBERS = image(40, 50), image(33, 60)
NEEDS = frozenset({"evaluation", "inertia", "space"})
OTHER = image(48, 37)


def framed(pictures: PictureSet, parameters: Parameters, **more: Any) -> Frame:
    asked = {"complete": True, "needs": NEEDS, **more}
    return new_frame(pictures, parameters, **asked)


def given_of(frame: Frame, name: str = "a.npz", looks: Looks | None = None) -> Given:
    return Given(frame.model, frame.observations.encoder, name, frame.slots, looks or Looks())


def test_another_record_is_one_of_the_same_letters() -> None:
    members, other = (record(60), record(40)), record(90)
    parameters = Parameters(Encoding("labels"), n_states=2, window=2)
    frame = framed(PictureSet(members, 0, other), parameters)
    np.testing.assert_array_equal(frame.states, frame.model.decode(other.pixels, window=2))
    with pytest.raises(ParameterError, match="of one kind"):
        PictureSet(members, 0, OTHER)


@pytest.mark.parametrize("name", ["grey", "rgb"])
def test_bins_of_a_refined_model_are_kept(name: str) -> None:
    seen = encode(MEMBERS[0].pixels, Encoding(name))
    fitted = GaussianModel.fit(seen.values, n_states=2, window=1)
    bins = {
        "bin_edges": np.array([0.0, 90.0, 255.0]),
        "bin_shares": np.array([[0.9, 0.1], [0.2, 0.8]]),
    }
    if name == "rgb":
        bins = {key: np.stack([value] * 3, axis=-2) for key, value in bins.items()}
        bins["score_correlations"] = np.stack([np.eye(3), 0.5 + 0.5 * np.eye(3)])
    model = replace(fitted, **bins)
    given = Given(model, seen.encoder, "bins")
    assert given.model == model
    assert given.fingerprint != Given(fitted, seen.encoder, "bins").fingerprint


def test_nothing_is_learned_with_a_given_model() -> None:
    given = given_of(framed(PictureSet(MEMBERS), Parameters(Encoding("lab"), window=2)))
    asked: dict[str, Any] = {"complete": False, "needs": EXPORTED | ALL_NEEDS}
    frame = framed(PictureSet(MEMBERS, 0, OTHER), Parameters(), given=given, **asked)
    np.testing.assert_array_equal(arrays(frame)["A"], given.model.A)
    learned = {"fitted observations", "common sample", "sample tree", "complete tree"}
    assert not frame.timings.keys() & {*learned, "scatters", "gaussian model"}
    assert [p.shape for p in frame.request.modelled.members] == [OTHER.shape]


def test_equal_codewords_keep_their_states() -> None:
    """Of two equal codewords the first is taken, and A keeps its order."""
    first = np.array([[0.9, 0.1], [0.2, 0.8], [0.9, 0.1]])
    A = np.array([[0.6, 0.3, 0.0], [0.2, 0.7, 0.0], [0.0, 0.0, 0.0]])
    black_and_white = Picture(RNG.integers(0, 2, (20, 20)).astype(np.uint8), "binary")
    encoder = encode(black_and_white.pixels, Encoding("labels")).encoder
    given = Given(DiscreteModel(A, first, 1), encoder, "two alike")
    frame = framed(PictureSet((black_and_white,)), Parameters(window=1), given=given)
    values = encoder.encode(black_and_white.pixels).values
    np.testing.assert_array_equal(frame.states, given.model.decode(values, window=1))
    np.testing.assert_array_equal(frame.model.A, A)
    assert sorted(frame.row_slots) == [0, 1, 2]


def test_what_is_locked() -> None:
    given = given_of(framed(PictureSet(MEMBERS[:1]), Parameters(Encoding("lab"), window=2)))
    state = State(parameters=Parameters(n_states=9, decoder="refined", smoothing=1.0))
    applied = state.applying(given)
    assert applied.parameters.encoding == given.encoding
    assert (applied.parameters.n_states, applied.parameters.window) == (4, 2)
    assert (applied.parameters.smoothing, applied.parameters.decoder) == (0.0, "belief")
    assert applied.locked >= {"n_states", "learning_window", "smoothing", "encoding.name"}
    assert not applied.locked & {"window", "decoder", "alpha", "normalizer"}
    assert applied.locked | given.free == {row.field for row in rows(Parameters)}
    assert "a.npz" in given.reason
    tried = applied.changed(parameters=replace(applied.parameters, n_states=12, window=5))
    assert (tried.parameters.n_states, tried.parameters.window) == (4, 5)
    cut = HandCut((Pair((0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),))
    assert applied.changed(hand_cut=cut).hand_cut == HandCut()
    free = applied.applying(None)
    assert free.locked == frozenset()
    assert free.parameters.encoding == given.encoding


def test_a_session_keeps_the_given_model() -> None:
    looks = Looks(own=(Look(0, "sky"),))
    for encoding in ("lab", "quantiles"):
        frame = framed(PictureSet(MEMBERS[:1]), Parameters(Encoding(encoding), window=2))
        state = State().applying(given_of(frame, looks=looks))
        written: dict[str, Any] = {}
        back = from_content(to_content(Session(state), written), written)
        assert back.state.given == state.given
        assert back.state.looks == looks
        other = replace(state.given, name="b.npz")
        assert other != state.given


@pytest.mark.parametrize("encoding", ["quantiles", "grey"])
def test_a_session_of_format_4_has_the_parts_of_the_model_as_fields(encoding: str) -> None:
    A, book = np.array([[0.9, 0.1], [0.2, 0.8]]), np.array([[1.0, 0.0], [0.25, 0.75]])
    encoder = encode(MEMBERS[0].pixels, Encoding(encoding, n_symbols=2)).encoder
    arrays = {"A": A, "book": book, "second_book": book[::-1].copy()}
    model: DiscreteModel | GaussianModel = DiscreteModel(A, book, 2, (5,), book[::-1], True)
    if encoding == "grey":
        arrays = {"A": A, "book": book[:, :1], "covariances": book[:, 1:, None] + 1}
        arrays |= {"bin_edges": np.array([0.0, 9.0, 20.0]), "bin_shares": A.copy()}
        _, means, covariances, *bins = arrays.values()
        model = GaussianModel(A, means, covariances, 2, False, 0.0, (), None, True, *bins)
    given = Given(model, encoder, "old.npz", (0, 4), Looks(own=(Look(4, "b"),)))
    content = to_content(Session(State(given=given)), {})
    state = content["session"]["state"]
    state["given"] = {
        **{name: state["given"][name] for name in ("$type", "name", "slots", "looks")},
        "kind": model.kind,
        "window": 2,
        "encoder_text": json.dumps(encoder.to_dict()),
        "second_window": next(iter(model.further_windows), None),
        **{name: {"$array": name} for name in arrays},
    }
    assert from_content({**content, "format": 4}, arrays).state.given == given


def test_which_pictures_a_model_can_be_applied_to() -> None:
    given = given_of(framed(PictureSet(MEMBERS[:1]), Parameters(Encoding("lab"), window=2)))
    assert given.refusal(OTHER) == ""
    deep = Picture(OTHER.pixels.astype(np.uint16), "deep")
    assert "uint16" in given.refusal(deep)
    assert "images and volumes" in given.refusal(record(9))
    narrow = replace(
        given.model, means=given.model.means[:, :2], covariances=given.model.covariances[:, :2, :2]
    )
    with pytest.raises(ParameterError, match="symbols or channels"):
        replace(given, model=narrow)
    with pytest.raises(ParameterError, match="increase"):
        replace(given, slots=(0, 0, 1, 2))
