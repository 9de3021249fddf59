"""The values of expressions, against plain loops; and all lessons are true."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from latviz.app.views.registry import BUILT_IN
from latviz.core import DiscreteModel
from latviz.engine.keeping.session import demo_of
from latviz.engine.lessons.checking import problems
from latviz.engine.lessons.colors import REGION_COLORS
from latviz.engine.lessons.facts import Facts, every_fact, is_right
from latviz.engine.lessons.facts import value as value_of
from latviz.engine.lessons.lesson import LessonError, Number, parse, read
from latviz.engine.settings.parameters import Parameters
from latviz.resources import resource
from latviz.workspace import check_lesson, read_work
from tests import naive
from tests.colors import differences, seen

ROOT = Path(__file__).parents[3]
LESSONS = sorted(resource("lessons/01-signatures.md").parent.glob("*.md"))
MODEL_AT_4 = Parameters(n_states=4, window=4)


@cache
def facts(demo: str) -> Facts:
    pictures, session = read_work(None, demo)
    return Facts(replace(session.state, pictures=pictures))


@pytest.fixture
def value() -> Callable[[str], float]:
    known = facts("figure1")
    return lambda text: value_of(known, text, known.opened.parameters)


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_no_lesson_lies(path: Path) -> None:
    assert problems(read(path), facts) == []


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_lessons_show_views_that_there_are(path: Path) -> None:
    known = {spec.name for spec in BUILT_IN}
    for step in read(path).steps:
        assert set(step.views) <= known
        assert step.views, step.title
        assert len(set(step.views) - {"image", "states"}) <= 1, (
            f"{step.title}: one view would cover another"
        )


def test_there_are_ten_lessons_and_they_ask() -> None:
    assert len(LESSONS) >= 10
    for path in LESSONS:
        steps = read(path).steps
        asking = [step for step in steps if step.guess.kind != "none"]
        assert 2 * len(asking) >= len(steps), path.stem
        own = [step for step in steps if not step.is_transfer][-1]
        assert "a picture of your own" in f"{own.text} {own.then}".lower(), path.stem
        new = [step for step in steps if step.is_transfer]
        assert new == [steps[-1]]
        assert new[0].demo not in {step.demo for step in steps[:-1]} | {demo_of(read(path).state)}


@pytest.mark.parametrize("demo", sorted({*REGION_COLORS} - {"scales"}))
def test_states_have_the_colours_of_their_regions(demo: str) -> None:
    picture = facts(demo).picture
    assert picture.truth is not None
    colors, found = picture.in_colour(picture.shown), REGION_COLORS[demo]
    main = []
    for state in range(len(found)):
        each, counts = np.unique(colors[picture.truth == state], axis=0, return_counts=True)
        main.append(each[counts.argmax()])
    own = np.array([list(bytes.fromhex(color[1:])) for color in found])
    apart = differences(seen(main, "normal"), seen(own, "normal"))
    assert apart.trace() == min(
        apart[range(len(found)), order].sum() for order in permutations(range(len(found)))
    )


def test_numbers_of_the_model_are_those_of_plain_loops(value: Callable[[str], float]) -> None:
    known = facts("figure1")
    frame = known.frame(known.opened.parameters)
    symbols, states = frame.observations.values, frame.states
    truth = known.picture.truth
    assert truth is not None
    same = float((states == truth).mean())
    assert value("accuracy()") == pytest.approx(max(same, 1 - same), rel=1e-12)
    np.testing.assert_allclose(
        [[value(f"A({i}, {j})") for j in (1, 2)] for i in (1, 2)],
        naive.adjacency([states], 2),
        rtol=1e-12,
    )
    assert value("share(1)") == pytest.approx(float((states == 0).mean()), rel=1e-12)
    wrong = states != truth if same > 0.5 else states == truth
    assert value("errors(10, 20, window=2)") == int(wrong[8:13, 18:23].sum())
    assert value("errors(0, 0, window=9)") == int(wrong[:10, :10].sum())
    assert value("window_pixels(window=2)") == 25
    assert value("n_pixels()") == symbols.size
    inside = symbols[8:13, 18:23]
    assert value("count(1, 10, 20, window=2)") == int((inside == 1).sum())
    assert value("count(1, 0, 0, window=2)") == int((symbols[:3, :3] == 1).sum())


def test_contrasts_are_those_of_the_sides_of_a_pixel(value: Callable[[str], float]) -> None:
    """Of this picture, left of row 128 and column 103 dark pixels prevail; right of it light."""
    symbols = facts("figure1").frame(facts("figure1").opened.parameters).observations.values
    left, right = (symbols[124:133, slice(c, c + 5)] for c in (97, 105))
    assert float((left == 0).mean()) > 0.7 > 0.3 > float((right == 0).mean())
    assert value("side(1, 128, 103)") > 0.8 > 0.2 > value("side(2, 128, 103)")
    assert 1 >= value("contrast(128, 103)") > 2 * value("contrast(198, 83)") > 0
    for wrong in ("side(3, 9, 9)", "contrast(9, 999)", "contrast(9)"):
        with pytest.raises(LessonError):
            value(wrong)


def test_only_what_expressions_read_is_computed() -> None:
    known = Facts(facts("figure1").opened)
    asked = known.opened.parameters
    for text, results in (
        ("accuracy()", set()),
        ("inertia()", {"inertia"}),
        ("bits()", {"inertia"}),
    ):
        value_of(known, text, asked)
        assert {"inertia", "noise", "code_lengths"} & known.frame(asked).results.keys() == results


def test_calls_are_computed_with_and_compared(value: Callable[[str], float]) -> None:
    assert value("-window(window=3) + 1") == -2
    assert value("accuracy(window=1) < accuracy(window=3)") is True


@pytest.mark.parametrize(
    ("shown", "number", "right"),
    [
        ("97.0 %", 0.9704, True),
        ("97.0 %", 0.9706, False),
        ("97 %", 0.9749, True),
        (".83", 0.834, True),
        ("0.83", 0.836, False),
        ("65,536", 65536, True),
        ("−6.2", -6.22, True),
        ("6.2", -6.22, False),
        ("3", 3.0, True),
        ("some", 3.0, False),
        ("1", float("nan"), False),
    ],
)
def test_numbers_are_right_as_far_as_they_are_shown(shown: str, number: float, right: bool) -> None:
    assert is_right(Number(shown, ""), number) == right


LYING = """\
# A lie
It says what is not so.

- state: demo=figure1

## One
- guess: number 0 99
- answer: {9|window()}
- holds: accuracy() < 0
- then: window=5

Half: {50 %|share(1)}.

### Then
{3|window()}
"""


def test_lies_are_found(tmp_path: Path) -> None:
    lesson = parse("a", LYING)
    found = problems(lesson, facts)
    assert [text.partition(" is ")[0] for text in found[:3]] == [
        "line 6: share(1)",
        "line 6: window()",
        "line 6: window()",
    ]
    assert found[1].endswith("is 3, not 9")
    assert found[2].endswith("is 5, not 3")
    assert found[3] == "line 6: it is not true that accuracy() < 0"
    bad = replace(lesson, steps=(replace(lesson.steps[0], state="window=99"),))
    assert "from 0 to 64" in problems(bad, facts)[0]
    (tmp_path / "a.md").write_text(LYING, encoding="utf-8")
    assert check_lesson(tmp_path / "a.md") == found


def test_causes_are_checked_with_the_picture_without_them(value: Callable[[str], float]) -> None:
    """Figure 1 shows 4 of 5 pixels in the colour of their state; see `naive` for its discs."""
    known = facts("figure1")
    truth, labels = known.picture.truth, known.picture.labels
    assert truth is not None
    clean, sorted_ = (known.without(cause).picture for cause in ("noise", "borders"))
    assert clean.labels is not None
    assert sorted_.labels is not None
    light = [int((labels[truth == state] == 1).mean() > 0.5) for state in (0, 1)]
    assert (clean.labels == np.where(truth == 0, *light)).all()
    assert (np.diff(sorted_.truth.ravel()) >= 0).all()
    for state in (0, 1):  # the same pixels of each state
        counts = [np.bincount(one.labels[one.truth == state]) for one in (known.picture, sorted_)]
        assert (counts[0] == counts[1]).all()
    disc = "B({}, 1, window={}, learning_window=None{})"

    def fall(without: str) -> float:
        near, far = (
            value(f"{disc.format(2, w, without)} - {disc.format(1, w, without)}") for w in (2, 8)
        )
        return near - far

    # What one may say of discs that come nearer: mixing makes them, and noise does not
    assert fall("") > 0.1
    assert fall(", without='noise'") > 0.1
    assert abs(fall(", without='borders'")) < 0.03
    with pytest.raises(LessonError, match="noise, borders"):
        value("accuracy(without='light')")


def test_a_picture_is_evaluated_under_the_model_of_another() -> None:
    known = facts("figure1")
    known.others = facts
    own, other = (facts(name).picture.labels for name in ("figure1", "figure2"))
    model = DiscreteModel.fit(other, n_states=2, window=3, n_symbols=2)
    found = value_of(known, "bits(learned='figure2')", known.opened.parameters)
    assert found == pytest.approx(model.evaluate(own).bits_per_node, rel=1e-9, abs=0)
    assert found != value_of(known, "bits()", known.opened.parameters)


def test_a_false_cause_is_found() -> None:
    """It was said once that noise brings the discs together, as it averages out."""
    disc = "B(2, 1, window={}, learning_window=None, without='noise')"
    of_noise = f"{disc.format(2)} - {disc.format(8)} < 0.03"
    of_borders = of_noise.replace("noise", "borders")
    claims = f"- because: {of_borders}\n- because: {of_noise}"
    text = LYING.replace("- holds: accuracy() < 0", claims)
    found = problems(parse("a", text), facts)
    assert [reason for reason in found if "not true" in reason] == [
        f"line 6: it is not true that {of_noise}"
    ]
    with pytest.raises(LessonError, match="without a cause"):
        parse("a", LYING.replace("holds", "because"))


def test_a_false_loss_is_found() -> None:
    """It was said once that most stripes are gone with w = 16, as windows reach over borders."""
    most = "accuracy(window=16, without='borders') - accuracy(window=16) > 0.5"
    some = most.replace("0.5", "0.15")
    claims = f"- because: {most}\n- because: {some}"
    text = LYING.replace("figure1", "stripes").replace("- holds: accuracy() < 0", claims)
    found = problems(parse("a", text), facts)
    assert [reason for reason in found if "not true" in reason] == [
        f"line 6: it is not true that {most}"
    ]


def test_every_fact_is_in_the_manual() -> None:
    page = (ROOT / ".github/pages/writing-lessons.md").read_text(encoding="utf-8")
    assert all(f"`{name}" in page for name in every_fact())


def test_signatures_are_guessed_on_the_line_of_two_symbols() -> None:
    text = """# Line
For tests.

- state: demo=DEMO&n_states=2&window=2

## A place
- views: image, space
- guess: signature
- answer: {SHOWN|B(1, 1)}

Where?

### Then
There.
"""
    found = {}
    for demo in ("figure1", "blobs"):
        parameters = replace(facts(demo).opened.parameters, n_states=2, window=2)
        shown = f"{value_of(facts(demo), 'B(1, 1)', parameters):.2f}"
        lesson = parse("line", text.replace("DEMO", demo).replace("SHOWN", shown))
        found[demo] = problems(lesson, facts)
    assert found["figure1"] == []
    assert found["blobs"] == ["line 6: a signature can be guessed only with two symbols"]
