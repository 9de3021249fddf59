"""What is found, in which order, and where following the advice leads."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from latviz.cli.options import changed, parser_of
from latviz.core import matched_accuracy
from latviz.core.data.encoding import Encoding
from latviz.core.data.hand_cut import HandCut
from latviz.engine.advice import acts, findings
from latviz.engine.advice.acts import AdvisedAct, Promise, options
from latviz.engine.advice.advice import Advice, advise
from latviz.engine.advice.case import Case as Evidence
from latviz.engine.advice.findings import FINDINGS, Finding
from latviz.engine.advice.tries import LEAST_GAIN, Holding
from latviz.engine.advice.trying import EVIDENCE
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters
from tests.engine.advice.cases import (
    MAKERS,
    NEVER,
    SIDE,
    Case,
    case_of,
    rng,
    seen,
    states,
    with_grey,
)

LAB = with_grey(encoding=Encoding("lab"))
LABELS = with_grey(encoding=Encoding("labels"))
LEVELLED = {"encoding": Encoding("levelled")}
NOISES = "normal noise", "exponential noise", "bytes of noise"
FOUND: list[tuple[str, Parameters, str, dict[str, Any] | None]] = [
    *((name, with_grey(), "noise", {"n_states": 1}) for name in NOISES),
    *((name, with_grey(n_states=1), "noise", None) for name in NOISES),
    ("halves", LABELS, "mixed", None),
    ("chequerboard", LABELS, "hidden", {"n_states": 2, "decoder": "refined"}),
    ("chequerboard", replace(LABELS, n_states=1), "hidden", {"n_states": 2, "decoder": "refined"}),
    ("chequerboard", replace(LABELS, decoder="refined"), "mixed", None),
    ("two scales", replace(LABELS, n_states=4, decoder="scales"), "end", None),
    ("few", with_grey(), "little", None),
    ("flat", with_grey(), "little", None),
    ("uneven", with_grey(n_states=4), "light", LEVELLED | {"n_states": 2, "decoder": "refined"}),
    ("uneven colours", replace(LAB, n_states=4), "light", {"n_states": 2, "decoder": "refined"}),
    ("wide noise", with_grey(window=14), "window", {"window": 4}),
    ("wide noise", with_grey(window=1), "window", {"window": 4}),
    ("wide noise", with_grey(n_states=3), "states", {"n_states": 2, "decoder": "refined"}),
    ("wide noise", with_grey(n_states=1), "states", {"n_states": 2, "decoder": "refined"}),
    ("wide noise", with_grey(window=4), "refined", {"decoder": "refined"}),
    ("wide noise", with_grey(window=0), "refined", {"decoder": "refined"}),
    ("wide noise", with_grey(decoder="refined"), "end", None),
    ("shaded", with_grey(n_states=4, window=2), "uncertain", {"decoder": "refined"}),
    ("shaded", with_grey(n_states=4, window=0), "uncertain", None),
    ("blurred", with_grey(n_states=4, window=2), "uncertain", {"n_states": 2, "window": 2}),
    ("blurred", with_grey(window=2), "refined", {"n_states": 2, "decoder": "refined"}),
    ("alike", with_grey(n_states=4, window=2), "states", {"n_states": 2, "window": 2}),
    ("alike", with_grey(n_states=5, window=0), "states", {"n_states": 2, "decoder": "refined"}),
    ("alike", with_grey(window=12), "refined", {"decoder": "refined"}),
    ("dependent", with_grey(window=12), "dependent", {"decoder": "belief"}),
    ("dependent", with_grey(n_states=5, window=0), "dependent", None),
    ("colour photograph", LAB, "photograph", {"decoder": "belief"}),
    ("colour photograph", replace(LAB, decoder="belief"), "end", None),
    ("grey photograph", with_grey(), "photograph", {}),
    ("wide noise", with_grey(encoding=Encoding("patterns")), "patterns", None),
]
"""A picture and settings, what is found first, and the settings that are offered."""


Walk = list[tuple[Parameters, Advice]]


@pytest.mark.parametrize("name", MAKERS)
def test_a_picture_has_its_findings_and_following_them_leads_to_an_end(name: str) -> None:
    case = case_of(name)
    found = [row[1:] for row in FOUND if row[0] == name]
    assert found
    for parameters, finding, changes in found:
        walk = case.walk(parameters)
        first = walk[0][1]
        assert first.finding == finding, parameters
        assert (first.offer is None) == (changes is None)
        if first.offer is not None and changes is not None:
            after = first.offer.after
            assert {key: getattr(after, key) for key in changes} == changes
            assert first.offer.outlines == (changes == {})
        check_it_ends_soon_and_never_returns(walk)
        check_offers_keep_their_promises(case, walk)
        check_options_of_the_command_line(walk)
        check_sentences(walk)
        if name in ("uneven", "wide noise", "shaded", "blurred", "alike"):
            check_offers_do_no_harm(case, walk)


def check_it_ends_soon_and_never_returns(walk: Walk) -> None:
    assert walk[-1][1].offer is None
    assert len(walk) <= 5
    presses = [(a.offer.after, a.offer.outlines) for _, a in walk if a.offer is not None]
    seen = [(walk[0][0], False), *presses]
    assert len(set(seen)) == len(seen)


def check_offers_keep_their_promises(case: Case, walk: Walk) -> None:
    """The promised number is what is measured once it is taken."""
    for (_, advice), (_, then) in pairwise(walk):
        promise = advice.offer.promise
        if promise.measure == "pixel error":
            assert promise.before - promise.after > LEAST_GAIN
            tries = case.trying.known(case.frame(walk[0][0]))
            assert tries.of(advice.offer.after).error.mean == promise.after
            if then.offer is not None and then.offer.promise.measure == promise.measure:
                assert then.offer.promise.before == promise.after
        elif promise.measure == "states":
            assert promise.after < promise.before
        else:
            assert promise.after > promise.before == 0


def check_offers_do_no_harm(case: Case, walk: Walk) -> None:
    """The states are known."""
    accuracies = [matched_accuracy(case.frame(settings).states, states()) for settings, _ in walk]
    assert all(after > before - 0.01 for before, after in pairwise(accuracies)), accuracies


def check_options_of_the_command_line(walk: Walk) -> None:
    for before, advice in walk:
        if advice.offer is not None and not advice.offer.outlines:
            given = parser_of().parse_args(["x.png", *advice.offer.options])
            assert changed(before, given) == advice.offer.after


def check_sentences(walk: Walk) -> None:
    """They are short, and w is named where it counts."""
    for settings, advice in walk:
        assert len(advice.says.split()) <= 14
        assert advice.says.endswith(".")
        assert advice.because.endswith(".")
        if settings.window == 0 or settings.n_states == 1:
            assert "window" not in advice.says
            assert "w = " not in advice.says


def test_light_is_judged_on_the_raw_greys() -> None:
    shown = case_of("uneven").advice(with_grey(encoding=Encoding("quantiles", 8), n_states=4))
    assert shown.finding == "light"
    assert "levelled, N = 2, refined" in shown.offer.text


def test_the_pixel_error_of_levelled_bins_is_that_of_their_numbers() -> None:
    case, alone = case_of("uneven"), with_grey(n_states=1)
    errors = []
    for how in ("values", "quantiles", "levels"):
        parameters = replace(alone, encoding=Encoding("grey", how=how, level=True))
        errors.append(case.trying.make(parameters, case.frame(alone)).of(parameters).error.bits)
    assert errors == pytest.approx([errors[0]] * 3)


@pytest.mark.parametrize(
    ("pixels", "normal"),
    [
        (seen(0.6), True),
        (np.where(rng().random((SIDE, SIDE)) < 0.002, 9, seen(0.6)), True),
        (np.float32(states() + rng().exponential(0.5, (SIDE, SIDE))), False),
    ],
    ids=["normal", "a few wrong pixels", "exponential"],
)
def test_noise_that_is_not_normal_is_a_reason_beside_refined_belief(pixels, normal) -> None:
    case = Case(pixels)
    for name in ("grey", "quantiles"):
        advice = case.advice(with_grey(encoding=Encoding(name), window=4))
        if advice.finding == "window":
            advice = case.advice(advice.offer.after)
        assert advice.finding == "refined"
        assert ("refined states is not normal" in advice.because) == (not normal)
        assert "normal" not in advice.offer.text


def test_states_of_another_model_and_by_hand_stay_as_they_are() -> None:
    case = case_of("uneven")
    frame = case.frame(with_grey())
    by_hand = replace(frame, request=replace(frame.request, hand_cut=HandCut((0, 1))))
    assert case.final(by_hand).says == "You set these states by hand."
    of_other = case.frame(
        with_grey(), given=Given(frame.decoding_model, frame.observations.encoder, "m")
    )
    assert case.final(of_other).says == "These are the states of another model."


@pytest.mark.parametrize(
    ("correlation", "finding"),
    [(0.14, "uncertain"), (0.15, "dependent")],  # 0.0286 and 0.0328 bits in two directions
)
def test_neighbours_are_alike_if_they_share_as_much_as_a_state_saves(correlation, finding) -> None:
    case = case_of("dependent")
    frame = case.frame(with_grey(n_states=5, decoder="refined"))
    case.final(frame)
    tries = case.trying.known(frame)
    assert tries.choice is not None
    found = replace(tries.choice, residual_correlation=correlation)
    advice = advise(frame, replace(tries, choice=found, sparse=found))
    assert advice.finding == finding
    assert f"a correlation of {correlation};" in advice.because


def test_n_is_uncertain_if_pixels_four_steps_apart_are_correlated_within_states() -> None:
    case = case_of("wide noise")
    frame = case.frame(with_grey(n_states=4))
    case.final(frame)
    tries = case.trying.known(frame)
    assert tries.choice is not None
    found = replace(tries.choice, far_correlation=0.05)
    tries = replace(tries, choice=found)
    assert Evidence(frame, replace(tries, choice=replace(found, far_correlation=0.0))).is_certain
    assert not Evidence(frame, tries).is_certain
    assert "4 steps apart have a correlation of 0.05" in findings.of_uncertain(
        Evidence(frame, tries)
    )


@pytest.mark.parametrize(
    ("lives", "says", "because"),
    [
        (Holding(0, 0), "No region stands out from its surroundings here.", "This is as good"),
        (
            Holding(1, 7),
            "1 of 7 large regions holds while the cut goes from 0.16 to 0.25.",
            "Neigh",
        ),
        (Holding(2, 7), "2 of 7 large regions hold while the cut goes from 0.16 to 0.25.", "Neigh"),
    ],
)
def test_regions_that_stand_out_are_counted(lives: Holding, says: str, because: str) -> None:
    case = case_of("grey photograph")
    frame = case.frame(with_grey())
    case.final(frame)
    advice = advise(frame, replace(case.trying.known(frame), lives=lives))
    assert (advice.says, advice.because[: len(because)]) == (says, because)


def test_a_photograph_with_a_hole_has_lives() -> None:
    case = Case(MAKERS["grey photograph"]())
    known = np.ones(case.picture.shape, bool)
    known[40:70, 30:80] = False
    case.picture = replace(case.picture, known=known)
    assert any("while the cut goes" in advice.says for _, advice in case.walk(with_grey()))


def test_photographs_are_the_same_as_floats() -> None:
    pixels = MAKERS["grey photograph"]()[:72, :72]
    whole, image, field = (
        Case(seen).advice(with_grey())
        for seen in (pixels, np.float32(pixels / 255), np.float32(pixels / 2.55))
    )
    assert whole.finding == image.finding == "photograph"
    assert whole.says == image.says
    assert field.finding != "photograph"  # values up to 100 that are not whole are of a field


def test_what_was_declined_is_not_offered_again() -> None:
    case, parameters = case_of("wide noise"), with_grey(window=14)
    frame = case.frame(parameters)
    first = case.final(frame).offer
    then = case.trying.final(frame, NEVER, frozenset({(first.act, first.after)}))
    assert then.finding == "refined"
    assert then.offer.act != first.act


def test_what_the_last_change_cost_is_said_if_nothing_else_is_offered() -> None:
    case, better, worse = case_of("wide noise"), with_grey(window=4), with_grey(window=14)
    case.walk(worse)
    frame = case.frame(worse)
    by = {name: replace(worse, decoder=name) for name in ("refined", "belief")}
    declined = frozenset({("window", better), *by.items()})
    assert case.trying.final(frame, NEVER, declined).finding == "end"
    tries = case.trying.known(frame)
    advice = advise(frame, tries, declined, better)
    cost = tries.of(worse).error.mean - tries.of(better).error.mean
    assert advice.finding == "cost"
    assert advice.because == f"Your last change raised the pixel error by {cost:.2f} bits."
    assert advice.offer.after == better


# Properties of the tables


def test_names_are_unique_and_every_act_is_in_a_finding() -> None:
    names = [row.name for row in FINDINGS]
    assert len(set(names)) == len(names)
    assert {name for row in FINDINGS for name in row.acts} == acts.ACTS.keys()
    assert FINDINGS[-1].holds(None)


def test_a_row_is_enough_for_a_finding_and_its_act(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = AdvisedAct(
        "toy",
        lambda case: replace(case.now, n_states=case.now.n_states + 3),
        lambda _, after: Promise("states", 0, after.n_states, "for a toy"),
    )
    row = Finding("toys", lambda _: True, lambda _: "A toy.", lambda _: "For a test.", ("toy",))
    monkeypatch.setitem(acts.ACTS, "toy", toy)
    monkeypatch.setattr("latviz.engine.advice.advice.FINDINGS", (row, *findings.FINDINGS))
    advice = case_of("flat").advice(with_grey())
    assert (advice.finding, advice.says, advice.because) == ("toys", "A toy.", "For a test.")
    assert advice.to_plain() == {
        "says": "A toy.",
        "because": "For a test.",
        "offer": {
            "text": "Try N = 5: for a toy",
            "options": ["--states", "5"],
            "measure": "states",
            "before": 0,
            "after": 5,
        },
    }


def test_advice_without_an_offer_has_none_in_a_summary() -> None:
    assert Advice("end", "It is so.", "It is why.").to_plain() == {
        "says": "It is so.",
        "because": "It is why.",
        "offer": None,
    }


def test_options_are_those_of_what_differs() -> None:
    before = with_grey()
    assert options(before, before) == ()
    after = replace(before, n_states=5, learning_window=None, encoding=Encoding("levelled"))
    found = dict(zip(*[iter(options(before, after))] * 2, strict=True))
    assert found == {"--states": "5", "--learning-window": "w", "--level-light": "yes"}


def test_the_site_has_the_table_of_evidence() -> None:
    page = (Path(__file__).parents[3] / ".github" / "pages" / "choosing.md").read_text(
        encoding="utf-8"
    )
    for row in EVIDENCE.values():
        assert f"| {row.measures} | {row.states} | {row.error} |" in page
