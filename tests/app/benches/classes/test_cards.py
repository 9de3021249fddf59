"""The cards of classes show every index of a model."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.benches.classes.cards import Cards
from latviz.collection import classes
from latviz.core import Encoding
from latviz.engine.indices import INDICES
from tests.core.classify import cases


def test_a_row_that_is_added_to_the_indices_has_a_line(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    toy = replace(
        INDICES["inertia"],
        name="toy",
        title="Toy",
        tip="How much it plays",
        needed=0.25,
        learned=lambda model, states: 0.2499 + model.n_states - 2,
    )
    monkeypatch.setitem(INDICES, "toy", toy)
    outcome = classes.loaded(cases.fitted(encoding=Encoding("quantiles", 2)))
    cards = Cards()
    qtbot.addWidget(cards)
    cards.show_outcome(outcome)
    for card, one in zip(cards.cards, outcome.learned, strict=True):
        assert list(card.indices) == ["Associativity", "Inertia", "Toy", "Prior", "Images"]
        assert card.indices["Toy"] == "0.2499"  # rounding would lift it to the limit
        assert card.indices["Inertia"] == "–"
        assert card.numbers["Toy"].toolTip() == "How much it plays"
        for name in ("associativity", "inertia"):
            row = INDICES[name]
            assert card.numbers[row.title].toolTip().startswith(row.tip)
        A = one.of.model.A
        assert card.indices["Associativity"] == f"{A.trace() / A.sum():.3f}"
