"""Words that lead to the wing, and its public name."""

from pytestqt.qtbot import QtBot

import latviz
from latviz.app.help.help_dialog import HelpDialog
from latviz.app.shell.searching import synonyms
from latviz.wings import scale


def test_words_of_the_field_find_it_first(qtbot: QtBot) -> None:
    dialog = HelpDialog([])
    qtbot.addWidget(dialog)
    hit = dialog.found("zoom")[0]
    assert (hit.name, hit.text) == ("wings/scale.md", "Zoomed in")
    hit = dialog.found("dask")[0]
    assert (hit.name, hit.text) == ("wings/scale.md", "Images larger than memory")
    assert ("dask",) in synonyms()


def test_notebooks_reach_it_by_its_name_alone() -> None:
    assert latviz.scale is scale
    assert latviz.scale.fit is scale.fit
    assert not hasattr(latviz, "no_wing")
