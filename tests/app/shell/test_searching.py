"""Searching by words: whole ones before beginnings and parts, titles before texts, synonyms."""

import pytest

from latviz.app.shell import searching
from latviz.app.shell.searching import Query, Text


@pytest.fixture(autouse=True)
def _own_synonyms(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {("gray",): (("grey",),), ("dark", "mode"): (("night", "look"), ("theme",))}
    monkeypatch.setattr(searching, "synonyms", lambda: table)


def ordered(text: str, titles: list[str], below: str = "") -> list[str]:
    """Return the titles that are found, the best first."""
    query = Query(text)
    ranks = {title: query.rank(Text.of(title), Text.of(below)) for title in titles}
    found = [(rank, title) for title, rank in ranks.items() if rank is not None]
    return [title for _, title in sorted(found, key=lambda each: each[0])]


def test_whole_words_come_before_beginnings_and_parts() -> None:
    titles = ["Remapped", "Mapping", "State map", "Map of states", "Map", "Other"]
    assert ordered("map", titles) == ["Map", "Map of states", "State map", "Mapping", "Remapped"]
    assert ordered("Map  ST", titles) == ["Map of states", "State map"]
    assert ordered("ap", titles) == []  # two letters are not searched for inside words


def test_titles_come_before_texts() -> None:
    titles = ["Remapped", "Other"]
    assert ordered("map", titles, "Draws a map") == titles
    assert ordered("draw map", titles, "Draws a map") == titles
    assert ordered("draw atlas", titles, "Draws a map") == []


@pytest.mark.parametrize("text", ["k-means", "kmeans", "K\N{EN DASH}Means", "k mean"])
def test_hyphens_and_plurals_do_not_matter(text: str) -> None:
    assert ordered(text, ["KMeans", "K-means"]) != []
    assert ordered("regions", ["The region"]) == ["The region"]
    assert ordered("cut", ["Cuts"]) == ["Cuts"]


def test_synonyms_come_after_the_words_themselves_and_stand_for_phrases() -> None:
    titles = ["Grey value", "Gray", "Gray value"]
    assert ordered("gray", titles) == ["Gray", "Gray value", "Grey value"]
    assert ordered("gray value", titles) == ["Gray value", "Grey value"]
    looks = ["Theme", "A night look", "Dark"]
    assert ordered("dark mode", looks) == ["A night look", "Theme"]
    assert ordered("dark", looks) == ["Dark"]
    assert ordered("dark mod", looks) == ["A night look", "Theme"]  # still being typed
    assert ordered("dark mo", looks) == []


def test_only_own_words_in_a_title_name_it() -> None:
    title, text = Text.of("Grey quantiles"), Text.of("bins of equal size")
    for asked, named in (("grey", True), ("quan", True), ("gray", False), ("rey", False)):
        rank = Query(asked).rank(title, text)
        assert rank.is_named == named, asked
    rank = Query("grey bins").rank(title, text)
    assert not rank.is_named
