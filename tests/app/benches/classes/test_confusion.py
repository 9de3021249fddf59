"""The confusion and the cards of classes whose names are numbers."""

from types import SimpleNamespace
from typing import Any

import numpy as np
from PyQt6.QtCore import Qt
from pytestqt.qtbot import QtBot

from latviz import collection
from latviz.app.benches.classes.cards import Cards
from latviz.app.benches.classes.confusion import Confusion
from latviz.core import Encoding, LatticeClassifier
from latviz.core.classify.selecting import Validation

PERCENT = "\N{NO-BREAK SPACE}%"


def test_classes_are_in_the_order_of_numbers() -> None:
    names = ["-1", "10", "9"]  # as the classifier sorts them
    truth, told = ["10", "10", "10", "9", "9", "-1"], ["10", "10", "9", "9", "-1", "-1"]
    posteriors = np.eye(3)[[names.index(name) for name in told]]
    own = np.array([names.index(name) for name in truth])
    found = Validation({}, np.array(names), posteriors, own)
    outcome: Any = SimpleNamespace(classes=names, validation=found, tested=(5, 6, 7, 8, 9, 4))
    table = Confusion()
    table.show_outcome(outcome)
    heads = [table.headerData(k, Qt.Orientation.Vertical) for k in range(3)]
    assert heads == ["-1", "9", "10"]
    shown = [[table.data(table.index(i, j)) for j in range(4)] for i in range(4)]
    assert shown == [
        ["1", "0", "0", f"100{PERCENT}"],
        ["1", "1", "0", f"50.0{PERCENT}"],
        ["0", "1", "2", f"66.7{PERCENT}"],
        [f"50.0{PERCENT}", f"50.0{PERCENT}", f"100{PERCENT}", f"66.7{PERCENT}"],
    ]
    assert table.images(2, 2) == [5, 6]
    assert table.images(2, 1) == [7]
    assert table.images(3, 0) == [9, 4]
    assert table.images(1, 3) == [8, 9]
    assert sorted(table.images(3, 3)) == [4, 5, 6, 7, 8, 9]
    assert table.title(2, 1) == "10, classified as 9"
    table.show_outcome(None)
    assert table.rowCount() == 0


def test_cards_are_in_the_order_of_numbers(qtbot: QtBot) -> None:
    labels = ["9", "10", "10", "10", "-1", "-1"]
    rng = np.random.default_rng(0)
    images = [rng.integers(0, 255, (12, 12)).astype(np.uint8) for _ in labels]
    encoding = Encoding("quantiles", 4)
    classifier = LatticeClassifier(encoding, n_states=1, criterion="windows", calibrated=False)
    cards = Cards()
    qtbot.addWidget(cards)
    cards.show_outcome(collection.classes.loaded(classifier.fit(images, labels)))
    shown = [(card.title.text(), card.indices["Prior"]) for card in cards.cards]
    assert shown == [("-1", "0.333"), ("9", "0.167"), ("10", "0.500")]
