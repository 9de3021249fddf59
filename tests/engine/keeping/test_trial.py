"""The history: its kept trials, the best one, and their session files."""

import json
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz.core import DiscreteModel, encode
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut, Pair
from latviz.core.errors import ParameterError
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Request
from latviz.engine.keeping.session import Session, from_content, to_content
from latviz.engine.keeping.trial import (
    MOST,
    MOST_OF_ALL,
    Trial,
    best_of,
    by_score,
    name_of,
    noted,
    trial_of,
)
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.decoding import Coloring
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.scribbles import Scribbles, Stroke
from latviz.engine.settings.state import State
from latviz.files import session_archive
from latviz.files.errors import SessionError
from latviz.workspace import read_session, write_session

PIXELS = np.random.default_rng(0).integers(0, 256, (12, 15)).astype(np.uint8)
PICTURE = Picture(PIXELS, "noise")
LAB, GREY = Encoding("lab"), Encoding("quantiles", n_symbols=3)


def model() -> Given:
    symbols = encode(PIXELS, GREY)
    learned = DiscreteModel.fit(symbols.values, n_states=2, window=1, n_symbols=3)
    return Given(learned, symbols.encoder, "a.npz")


GIVEN = model()


def trial(n: int = 4, w: int = 3, encoding: Encoding = GREY, **more: Any) -> Trial:
    return Trial(
        **{
            "picture": "0",
            "parameters": Parameters(encoding, n_states=n, window=w),
            "hand_cut": HandCut(),
            "given": None,
            "sample": 4096,
            "coloring": Coloring((0, 1), 180),
            "drawn": np.full((64, 64, 4), n, np.uint8),
            "associativity": 0.5,
            **more,
        }
    )


def asked(encoding: Encoding = GREY, given: Given | None = None) -> Request:
    return Request(PICTURE, Parameters(encoding), given=given)


def test_trials_are_ranked_among_those_that_can_be_compared() -> None:
    cheap, dear = trial(w=2, code_length=0.5), trial(w=9, code_length=0.75)
    other, unknown = trial(encoding=LAB, code_length=0.1), trial(w=5)
    applied = trial(w=7, given=GIVEN, code_length=0.2)
    every = (dear, other, unknown, cheap, applied)
    assert by_score(every, asked()) == [cheap, dear]
    assert by_score(every, asked(LAB)) == [other]
    assert by_score(every, asked(given=GIVEN)) == [applied]
    right = trial(w=1, encoding=LAB, accuracy=0.9, code_length=3.0)
    wrong = trial(w=8, accuracy=0.4, code_length=0.1)
    assert by_score((*every, wrong, right), asked()) == [right, wrong]
    assert by_score((), asked()) == []


def test_the_best_are_those_whose_scores_read_the_same() -> None:
    best, same = trial(w=2, code_length=0.5001), trial(w=3, code_length=0.5002)
    worse = trial(w=4, code_length=0.501)
    assert best_of(by_score((worse, same, best), asked())) == [best, same]
    assert best_of(by_score((best,), asked())) == []  # no other trial to compare with
    assert best_of([]) == []


def test_scores_say_which_way_is_better() -> None:
    assert trial(code_length=0.4961).score == "0.496 bits"
    assert trial(code_length=0.4961).score_text == (
        "prediction error 0.496 bits per pixel, given the rest of its window (lower is better)"
    )
    by_belief = Parameters(GREY, decoder="belief")
    by_others = trial(parameters=by_belief, code_length=1.0).score_text
    assert (
        by_others
        == "prediction error 1.000 bits per pixel, given all other pixels (lower is better)"
    )
    saved = trial(code_length=-2.5, code_length_of_one=-1.0)
    assert saved.score == "saves 1.500 bits"
    assert saved.score_text.endswith(
        "1.500 bits per pixel over one state, given the rest of its window (higher is better)"
    )
    assert trial(accuracy=0.8124, code_length=0.5).score == "Accuracy 81.2\N{NO-BREAK SPACE}%"
    assert trial(accuracy=0.8).score_text == (
        "Accuracy 80.0\N{NO-BREAK SPACE}% (share of pixels with their true state; higher is better)"
    )
    assert (trial().score, trial().score_text) == ("", "no score yet")
    assert trial(encoding=LAB).way == "CIELAB colour, nearest, w_l = 3"
    cut = HandCut((Pair((0.5,), (1.0,)),))
    assert (
        trial(given=GIVEN, hand_cut=cut).way == "Grey quantiles, nearest, model a.npz, cut by hand"
    )


def test_a_setting_is_kept_once_where_it_was_with_the_scores_that_it_had() -> None:
    first, second = trial(3, accuracy=0.5, inertia=0.7), trial(5)
    again = trial(3, code_length=0.25, drawn=np.zeros((64, 64, 4), np.uint8))
    both = noted(noted((), first), second)
    assert both == (first, second)
    assert noted(both, again) == (replace(again, accuracy=0.5, inertia=0.7), second)
    more = replace(again, coloring=Coloring((0, 1), 90))  # learned from others: other numbers
    assert noted(both, more)[0].accuracy is None
    cut = replace(first, hand_cut=HandCut((Pair((0.5,), (1.0,)),)))
    for other in (cut, replace(first, given=GIVEN), replace(first, picture="1")):
        assert noted((first,), other) == (first, other)


def test_the_oldest_of_a_picture_are_dropped_and_then_the_oldest_of_all() -> None:
    kept: tuple[Trial, ...] = ()
    for picture in range(12):
        for n in range(1, MOST + 3):
            kept = noted(kept, trial(n, picture=str(picture)))
    assert len(kept) == MOST_OF_ALL
    assert [one.parameters.n_states for one in kept[-MOST:]] == list(range(3, MOST + 3))
    assert {one.picture for one in kept} == {str(k) for k in range(2, 12)}


def test_pictures_of_one_opening_are_told_apart() -> None:
    members = (PICTURE, Picture(PIXELS, "again"))
    names = [name_of(PictureSet(members, k)) for k in (0, 1)]
    for page in (0, 1):
        other = Picture(PIXELS, "other", origin={"sha256": "1f", "page": page})
        names.append(name_of(PictureSet(members, 0, other)))
    assert len(set(names)) == 4
    moved = Picture(PIXELS, "moved", origin={"sha256": "1f", "page": 1, "path": "/b"})
    assert name_of(PictureSet(members, 1, moved)) == names[-1]


def test_a_trial_has_what_its_frame_shows_and_no_strokes() -> None:
    strokes = Scribbles((Stroke("sky", "#a0b0c0", 1, ((1, 2), (7, 8))),), True)
    needs = frozenset({"inertia", "code_lengths", "residual_correlation"})
    request = Request(PICTURE, Parameters(GREY), complete=True, needs=needs, scribbles=strokes)
    frame = Pipeline().run(request)
    found = trial_of(frame, 0)
    assert found.associativity == frame.associativity
    assert (found.inertia, found.accuracy, found.rand) == (frame.inertia, None, None)
    assert found.code_length == frame.results["code_lengths"].states.bits
    assert "sky" not in json.dumps(to_content(Session(State(), trials=(found,)), {}))


# Session files


def written(path: Path, *trials: Trial) -> Path:
    write_session(path, Session(State(), trials=trials), PICTURE)
    return path


def test_trials_are_part_of_session_files(tmp_path: Path) -> None:
    scores = {f.name: k / 8 for k, f in enumerate(fields(Trial)) if f.default is None}
    cut = HandCut((Pair((0.1, 0.9), (0.25, 1 / 3)),))
    trials = (
        trial(5, 2, LAB, **scores),
        trial(3, hand_cut=cut, residual_correlation=float("nan")),
        replace(trial(2, 1, given=GIVEN), parameters=GIVEN.admitted(Parameters(window=1))),
        replace(trial(2, 7, given=GIVEN), parameters=GIVEN.admitted(Parameters(window=7))),
    )
    path = written(tmp_path / "a.latviz", *trials)
    back = read_session(path)[1].trials
    assert back == trials
    assert [one.coloring for one in back] == [one.coloring for one in trials]
    with_one = to_content(Session(State(), trials=trials[:3]), one := {})
    with_two = to_content(Session(State(), trials=trials), two := {})
    assert with_one != with_two
    assert len(two) == len(one) + 1  # the small picture: a model is kept once
    assert Session(State(), trials=trials) == Session(State())  # without settings


def test_sessions_without_trials_open() -> None:
    content = to_content(Session(State()), {})
    del content["session"]["trials"]
    assert from_content(content, {}).trials == ()


def change(**changes: Any) -> Callable[[dict[str, Any]], None]:
    return lambda plain: plain["trials"][0].update(changes)


def many(plain: dict[str, Any]) -> None:
    plain["trials"] *= MOST + 1


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (change(drawn=None), "drawn must be an array"),
        (change(drawn={"$array": "wide"}), "small state map must have 1 to 256 rows"),
        (change(drawn={"$array": "deep"}), "drawn must hold uint8, got float64"),
        (change(drawn={"$array": "absent"}), "drawn must be an array of the file"),
        (change(sample=3), "the sample must be from 256"),
        (change(accuracy="high"), "accuracy must be"),
        (change(picture=3), "picture must be text"),
        (change(given={"$type": "Given"}), "given"),
        (change(coloring=None), "coloring must be of type Coloring"),
        (change(frame=1), "a field 'frame', which this latviz does not know"),
        (lambda plain: plain["trials"][0].pop("associativity"), "has no field 'associativity'"),
        (lambda plain: plain["trials"][0]["parameters"].update(window=99), "from 0 to 64"),
        (lambda plain: plain.update(trials=None), "trials must be a list"),
        (lambda plain: plain.update(trials=[7]), "trials.0 must be of type Trial"),
        (many, f"at most {MOST} settings of a picture"),
    ],
)
def test_trials_that_cannot_be_are_refused_in_one_line(tmp_path, spoil, said) -> None:
    path = written(tmp_path / "a.latviz", trial())
    content, arrays = session_archive.read_session(path)
    spoil(content["session"])
    arrays |= {"wide": np.zeros((64, 257, 4), np.uint8), "deep": np.zeros((64, 64, 4))}
    session_archive.write_session(path, content, arrays)
    with pytest.raises(SessionError, match=said) as caught:
        read_session(path)
    assert "\n" not in str(caught.value)


def test_more_trials_than_are_kept_make_no_session() -> None:
    every = [trial(1 + k % MOST, picture=str(k // MOST)) for k in range(MOST_OF_ALL + 1)]
    with pytest.raises(ParameterError, match=f"and {MOST_OF_ALL} in all"):
        Session(State(), trials=tuple(every))
