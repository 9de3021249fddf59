"""The texts of the first screen: none is too small."""

import pytest
from pytestqt.qtbot import QtBot

from latviz.app.docking.uses import USES
from latviz.app.program.main import application
from tests.app.painted_texts import labelled, painted
from tests.bench.looking import come_to_rest
from tests.screenshots import shown

LEAST = 9.0
"""Points: the program's own font, which no text is smaller than."""


@pytest.mark.parametrize("size", [(1280, 800), (960, 584)], ids=str)
def test_no_text_is_smaller_than_the_programs_font(
    qtbot: QtBot, no_leaked_threads: None, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    assert application().font().pointSizeF() == LEAST
    with shown("blobs", use=USES[0].name) as window:
        window.resize(*size)
        come_to_rest(window)
        assert (window.width(), window.height()) == size
        drawn, said = painted(window, monkeypatch), labelled(window)
    assert {text for text, _ in drawn} >= {"1", "4", "64", "Associativity", "Inertia"}
    assert {"Log-likelihood", "Total"} <= {text for text, _ in said}
    assert {one for one in (*drawn, *said) if one.points < LEAST - 0.05} == set()
