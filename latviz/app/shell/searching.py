"""Searching titles and texts by words, for the finder of actions and the manual.

Whole words come first, then beginnings of words, then parts; titles come before texts. What people
call something else than the program does stands in ``resources/synonyms.txt``, or in the table
``synonyms`` of wings.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from latviz import wings
from latviz.core.disk.reading import read_text
from latviz.resources import resource

EXACT, WHOLE, BEGINNING, PART = range(4)
"""How a word is found in a title; EXACT is a title of these words alone."""
IN_TEXT = 4
"""What is added for a word that only the text below the title has."""
_LEAST = 3
"""Letters from which on a word is searched for inside others, and as the beginning of a synonym."""

Words = tuple[str, ...]


@dataclass(frozen=True)
class Text:
    """A text to be searched."""

    whole: str  # as it is compared: in lower case, without hyphens inside words
    plain: str  # its words alone, with spaces between them
    words: Words

    @classmethod
    def of(cls, text: str) -> "Text":
        """Return a text prepared for searches; parts of words with hyphens are words, too."""
        joined = _joined(text)
        words, parts = re.findall(r"\w+", joined), re.findall(r"\w+", text.casefold())
        return cls(joined, " ".join(words), (*words, *parts))

    def level(self, word: str) -> int | None:
        """Return how well a word is found; None without it."""
        stem = word.removesuffix("s")
        if stem not in self.whole:
            return None
        if word in self.words:
            return WHOLE
        if stem in self.words or any(each.startswith(word) for each in self.words):
            return BEGINNING
        return PART if word in self.whole and len(word) >= _LEAST else None


@dataclass(frozen=True)
class Way:
    """Words that are searched for: those of the user, or synonyms."""

    words: Words
    synonym: int = 0  # its place among the synonyms of a line of the table; 0: the user's own
    best: int = EXACT  # level that it can reach


class Rank(NamedTuple):
    """How well something is found; less is better."""

    level: int  # of the word that is found worst; of the title, if it is exact
    synonym: int  # as of the way
    total: int  # the levels of all words together
    is_part: bool  # its title has other words, too
    is_late: bool  # its title begins with another word

    @property
    def is_named(self) -> bool:
        """True if the user's own words begin words of the title."""
        return self.level <= BEGINNING and not self.synonym


class Query:
    """A search for a text, and for what else its words may be called."""

    def __init__(self, text: str) -> None:
        self.words = _words(text)
        self.ways = (Way(self.words), *_synonymous(self.words)) if self.words else ()

    def match(self, title: Text, text: Text) -> tuple[Rank, Way] | None:
        """Return the best rank of a title with a text, and the way to it; None if not found."""
        found = ((rank, way) for way in self.ways if (rank := _rank(way, title, text)) is not None)
        return min(found, key=lambda each: each[0], default=None)

    def rank(self, title: Text, text: Text) -> Rank | None:
        """Return the best rank of a title with a text; None if it is not found."""
        found = self.match(title, text)
        return None if found is None else found[0]


def _rank(way: Way, title: Text, text: Text) -> Rank | None:
    levels = []
    for word in way.words:
        level = title.level(word)
        if level is None:
            below = text.level(word)
            if below is None:
                return None
            level = below + IN_TEXT
        levels.append(level)
    is_part = title.plain != " ".join(way.words)
    level = max(levels) if is_part else EXACT
    is_late = not title.plain.startswith(way.words[0])
    return Rank(max(level, way.best), way.synonym, sum(levels), is_part, is_late)


def _synonymous(words: Words) -> list[Way]:
    """Return what else the words may be called: a synonym in the place of one or several."""
    found = []
    for asked, names in synonyms().items():
        for start in range(len(words) - len(asked) + 1):
            end = start + len(asked)
            best = _asked(words[start:end], asked, is_open=end == len(words))
            if best is not None:
                ways = ((*words[:start], *each, *words[end:]) for each in names)
                found += [Way(way, place, best) for place, way in enumerate(ways, start=1)]
    return found


def _asked(words: Words, asked: Words, is_open: bool) -> int | None:
    """Return how well words are found that the table has; an open one may still be typed."""
    *before, last = words
    if tuple(before) != asked[:-1]:
        return None
    if last in (asked[-1], f"{asked[-1]}s"):
        return WHOLE
    begun = is_open and len(last) >= _LEAST and asked[-1].startswith(last)
    return BEGINNING if begun else None


@cache
def synonyms() -> dict[Words, tuple[Words, ...]]:
    """Return the table of synonyms: what people look for, and what the program calls it."""
    table = dict[Words, tuple[Words, ...]]()
    lines = read_text(resource("synonyms.txt")).splitlines()
    for line in (*lines, *wings.rows("synonyms", str)):
        asked, _, called = line.partition(":")
        if called and not line.startswith("#"):
            names = tuple(map(_words, called.split(",")))
            table |= {_words(each): names for each in asked.split(",")}
    return table


def pattern(word: str) -> re.Pattern[str]:
    """Return what finds a word of a way in a text as it is written, perhaps with hyphens."""
    stem = word.removesuffix("s") or word
    letters = "[-\N{EN DASH}]?".join(map(re.escape, stem))
    return re.compile(letters if stem == word else f"{letters}s?", re.IGNORECASE)


def _joined(text: str) -> str:
    """Return text in lower case, with words that have hyphens written as one word."""
    return " ".join(re.sub(r"(?<=\w)[-\N{EN DASH}](?=\w)", "", text.casefold()).split())


def _words(text: str) -> Words:
    return tuple(_joined(text).split())
