"""The numbers of the quick tour are those of the program."""

import re
from dataclasses import replace

import pytest

from latviz.engine.lessons.facts import Facts, value
from latviz.resources import resource
from latviz.workspace import read_work

PAGE = " ".join(resource("help/quick-tour.md").read_text(encoding="utf-8").split())
FACTS = {
    r"and still (\d+\.\d) % of the pixels have their \*true state": "100 * accuracy()",
    r"(\d+) of these 81 pixels have symbol 1": "count(1, 122, 122)",
    r"a share of (0\.\d+)": "count(1, 122, 122) / 81",
    r"With w = 1, (\d+\.\d) %": "100 * accuracy(window=1)",
    r"With w = 20 the share is (\d+\.\d) %": "100 * accuracy(window=20)",
    r"Here it is w = 3, with (\d+\.\d) %": "100 * accuracy(window=3)",
    r"both indices pass: (0\.\d+)": "associativity()",
    r"both indices pass: 0\.\d+ and (0\.\d+)": "inertia()",
    r"the nearest codeword gets (\d+\.\d) %": "100 * accuracy(window=2)",
    r"and belief (\d+\.\d) %": '100 * accuracy(window=2, decoder="belief")',
}
"""The numbers on the page for the first demo, each with the expression that computes it."""


def facts(demo: str) -> Facts:
    pictures, session = read_work(None, demo)
    return Facts(replace(session.state, pictures=pictures))


def stated(pattern: str) -> str:
    """Return the only number of the page in a place."""
    (found,) = re.findall(pattern, PAGE)
    return str(found)


def check(demo: str, expected: dict[str, str]) -> None:
    known = facts(demo)
    for pattern, expression in expected.items():
        text = stated(pattern)
        _, _, decimals = text.partition(".")
        so = value(known, expression, known.opened.parameters)
        assert float(text) == pytest.approx(so, abs=0.51 * 10 ** -len(decimals)), pattern


def test_the_numbers_of_the_first_demo() -> None:
    check("blobs", FACTS)


def test_the_numbers_of_the_demo_like_a_photograph() -> None:
    pattern = r"\*independence\*, should be at least 0\.8\. Here it is (0\.\d+)"
    check("leaves", {pattern: "independence()"})
