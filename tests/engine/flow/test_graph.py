"""The small engine, with stages of its own."""

import gc
import threading
import weakref
from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latviz.core import threads
from latviz.core.progress import Cancelled
from latviz.core.threads import get_threads, set_threads
from latviz.engine.flow.graph import Derived, Flow, Graph

flow = Flow()


@flow.derived
def half(a: int) -> int:
    """Forget the last bit."""
    return a // 2


@flow.stage
def of_half(half: int) -> list[int]:
    """Read a derived value."""
    return [half]


@flow.stage
def both(of_half: list[int], b: int) -> list[int]:
    """Read a stage and an input."""
    return [*of_half, b]


@flow.bulky
def wide(b: int) -> list[int]:
    """Take much memory."""
    return [b] * 1000


@flow.stage
def late(d: int) -> list[int]:
    """Read an input defined later."""
    return [d]


@flow.either
def later(way: str, d: int) -> str:
    """Choose by an input defined later."""
    return "late" if way == "" or d == 2 else "both"


@flow.quick
def doubled(both: list[int]) -> list[int]:
    """Take no time."""
    return both * 2


@flow.stage
def other(c: int) -> list[int]:
    """Read something else."""
    return [c]


@flow.either
def chosen(way: str) -> str:
    """Choose a stage."""
    return "other" if way == "other" else "both"


@flow.stage
def last(chosen: list[int], watch: object) -> list[int]:
    """Read the chosen value."""
    return [*chosen, -1]


@flow.stage
def heavy(a: int) -> list[int]:
    """Read an input that no b changes."""
    return [a]


@flow.stage
def light(heavy: list[int], chosen: list[int], c: int) -> list[int]:
    """Read a value that changes with c, and others that do not."""
    return [*heavy, *chosen, c]


@pytest.fixture
def usual_threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have two cores, and leave as many threads as there were."""
    monkeypatch.setattr(threads, "CORES", 2)
    before = get_threads()
    yield
    set_threads(before)


class Watch:
    def __init__(self) -> None:
        self.stopped = False

    def report(self, fraction: float) -> None:
        pass

    def cancelled(self) -> bool:
        return self.stopped


def begun(graph: Graph | None = None, watch: Watch | None = None, **changes: object) -> Graph:
    graph = graph or Graph(flow)
    graph.begin({"a": 4, "b": 1, "c": 7, "way": "", **changes}, watch=watch or Watch())
    return graph


def test_values() -> None:
    graph = begun()
    assert graph.ask("last") == [2, 1, -1]
    assert graph.ask("doubled") == [2, 1, 2, 1]
    assert graph.ask("b") == 1
    assert graph.timings.keys() == {"of half", "both", "last"}


@pytest.mark.parametrize(
    ("changes", "recomputed"),
    [
        ({}, set()),
        ({"a": 5}, set()),  # its half is the same
        ({"a": 6}, {"of half", "both", "last"}),
        ({"b": 2}, {"both", "last"}),
        ({"c": 8}, set()),
        ({"way": "other"}, {"other", "last"}),
        ({"way": "another"}, set()),
    ],
)
def test_a_stage_is_computed_again_if_what_it_reads_changed(changes, recomputed) -> None:
    graph = begun()
    before = graph.ask("last")
    begun(graph, **changes)
    after = graph.ask("last")
    assert graph.timings.keys() == recomputed
    assert (after is before) == (not recomputed)


def test_the_values_that_were_asked_for_last_are_remembered() -> None:
    graph = Graph(flow)
    graph.room = 2
    first = begun(graph, b=1).ask("both")
    begun(graph, b=2).ask("both")
    assert begun(graph, b=1).ask("both") is first
    assert graph.timings == {}
    begun(graph, b=3).ask("both")  # in the place of b = 2, which was not requested since
    assert begun(graph, b=1).knows("both")
    assert graph.ask("both") is first
    assert not begun(graph, b=2).knows("both")
    assert begun(graph, b=2).ask("both") == [2, 2]
    assert graph.timings.keys() == {"both"}


def test_of_what_is_bulky_only_the_last_value_is_remembered() -> None:
    graph = Graph(flow)
    graph.room = 3
    first = begun(graph, b=1).ask("wide")
    assert begun(graph, b=1).ask("wide") is first
    begun(graph, b=2).ask("wide")
    assert not begun(graph, b=1).knows("wide")


STAGES = ("half", "of_half", "both", "wide", "doubled", "other", "chosen", "last", "heavy")
STAGES += ("light", "late", "later")
INPUTS = st.fixed_dictionaries(
    {
        "a": st.integers(0, 5),
        "b": st.integers(0, 2),
        "c": st.integers(0, 2),
        "way": st.sampled_from(["", "other"]),
    }
)


@given(
    st.lists(
        st.tuples(INPUTS, st.integers(0, 2), st.lists(st.sampled_from(STAGES), max_size=6)),
        max_size=8,
    ),
    st.integers(1, 3),
)
def test_a_graph_with_a_history_tells_what_a_new_one_tells(requests, room) -> None:
    graph = Graph(flow)
    graph.room = room
    for inputs, added, names in requests:
        new = begun(**inputs)
        begun(graph, **inputs)
        for name in names[:1]:  # before all inputs are there
            if "late" not in name:
                assert graph.ask(name) == new.ask(name)
        for one in (graph, new):
            one.give(d=added)
        for name in names:
            assert graph.key(name) == new.key(name)
            value = graph.ask(name)
            assert value == new.ask(name)
            assert graph.knows(name) or isinstance(flow[name], Derived)
            assert graph.ask(name) is value


def test_what_is_known_is_told_without_computing() -> None:
    graph = begun()
    assert not graph.knows("last")
    graph.ask("last")
    assert graph.knows("last")
    assert graph.knows("chosen")
    begun(graph, b=3)
    assert not graph.knows("both")
    assert graph.knows("of_half")
    assert graph.timings == {}
    graph.forget()
    assert not graph.knows("of_half")


def test_keys_are_the_inputs_that_a_stage_follows_from() -> None:
    graph = begun(way="other")
    assert graph.key("both") == ("both", ("of_half", 2), 1)
    assert graph.key("chosen") == ("other", 7)
    assert graph.key("last") == ("last", ("other", 7))


def test_two_ways_with_the_same_inputs_are_told_apart() -> None:
    same = Flow()
    same.stage(_named("one", lambda a: [a, 1]))
    same.stage(_named("two", lambda a: [a, 2]))
    same.either(_named("pick", lambda way: way))
    same.stage(_named("end", lambda pick: pick))
    graph = Graph(same)
    for way, value in (("one", [5, 1]), ("two", [5, 2]), ("one", [5, 1])):
        graph.begin({"a": 5, "way": way}, watch=Watch())
        assert graph.ask("end") == value


def _named(name: str, function: object) -> object:
    function.__name__ = name
    return function


def test_nothing_more_is_computed_once_it_was_cancelled() -> None:
    watch = Watch()
    graph = begun(watch=watch)
    graph.ask("of_half")
    watch.stopped = True
    assert graph.ask("of_half") == [2]
    with pytest.raises(Cancelled):
        graph.ask("both")
    watch.stopped = False
    assert graph.ask("both") == [2, 1]
    assert graph.timings.keys() == {"of half", "both"}


@pytest.mark.parametrize("n_threads", [1, 2])
def test_stages_that_read_each_other_are_started_in_turn(usual_threads, n_threads) -> None:
    set_threads(n_threads)
    told, computed = Flow(), list[str]()

    def noted(name: str, found: list[int]) -> list[int]:
        computed.append(name)
        return [*found, threading.get_ident()]

    told.stage(_named("one", lambda a: noted("one", [a])))
    told.stage(_named("two", lambda one: noted("two", one)))
    told.stage(_named("three", lambda two, one, a: noted("three", [*two, *one, a])))
    graph, here = Graph(told), threading.get_ident()
    for a in (5, 6):
        graph.begin({"a": a}, watch=Watch())
        computed.clear()
        graph.ask("one")
        graph.start("one", "two", "three")
        value = graph.ask("three")
        other = value[2]
        assert value == [a, here, other, a, here, a, other]
        assert (other == here) == (n_threads == 1)
        assert graph.ask("two") == [a, here, other]
        assert computed == ["one", "two", "three"]
        assert graph.timings.keys() == {"one", "two", "three"}


def test_what_was_started_for_another_request_is_of_no_account(usual_threads: None) -> None:
    set_threads(2)
    watch = Watch()
    graph = begun(watch=watch)
    graph.start("both")
    watch.stopped = True
    with pytest.raises(Cancelled):
        graph.ask("both")
    begun(graph, b=3)
    assert graph.ask("both") == [2, 3]


def test_what_is_let_go_is_kept_by_no_key() -> None:
    class Thing:
        pass

    thing = Thing()
    gone = weakref.ref(thing)
    graph = begun(c=thing, way="other")
    assert graph.ask("last") == [thing, -1]
    del thing
    begun(graph, c=None)
    gc.collect()
    assert gone() is None


def test_what_follows_from_the_last_value_of_a_passing_input_is_forgotten() -> None:
    class Large:
        pass

    passing = Flow(passing=("shown",))

    @passing.stage
    def made(shown: Large) -> list[Large]:
        return [shown]

    @passing.stage
    def apart(other: Large) -> list[Large]:
        return [other]

    graph, kept = Graph(passing), Large()
    first = {"shown": Large(), "other": kept}
    gone = weakref.ref(first["shown"])
    graph.begin(first, watch=Watch())
    graph.ask("made")
    graph.ask("apart")
    graph.begin(dict(first), watch=Watch())
    assert graph.knows("made")
    first.clear()
    graph.begin({"shown": Large(), "other": kept}, watch=Watch())
    gc.collect()
    assert gone() is None
    assert graph.knows("apart")


def test_names_are_taken_once() -> None:
    for name in ("both", "watch"):
        with pytest.raises(ValueError, match=name):
            flow.stage(_named(name, lambda b: b))


@pytest.mark.parametrize(
    ("here", "other", "wanted", "computed"),
    [
        (None, False, [10, 11, 12, 13], "usual"),
        (None, True, [20], "far"),
        ("model", False, [30], "near"),
        ("model", True, [30], "near"),
    ],
)
def test_the_first_condition_that_holds_chooses_what_alone_is_computed(
    here, other, wanted, computed
) -> None:
    toy, counted = Flow(), Counter[str]()

    def stage(name: str, value: list[int]) -> None:
        def compute() -> list[int]:
            counted[name] += 1
            return value

        compute.__name__ = name
        toy.stage(compute)

    toy.choice("shown", here="near", is_other="far", otherwise="usual")
    stage("near", [30])
    stage("far", [20])
    stage("usual", [10, 11, 12, 13])
    toy.part("some", of="shown", at="at")
    graph = Graph(toy)
    graph.begin({"here": here, "is_other": other, "at": slice(0, 2)}, watch=Watch())
    assert not graph.knows("shown")
    assert (graph.ask("shown"), graph.ask("some")) == (wanted, wanted[:2])
    assert graph.knows("shown")
    assert counted == {computed: 1}
    assert graph.key("shown") == graph.key(computed) == (computed,)
    assert graph.timings.keys() == {computed}
    with pytest.raises(ValueError, match="'shown' already"):
        toy.choice("shown", is_other="far", otherwise="near")
