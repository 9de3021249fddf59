"""The text of the status line."""

from latviz.app.shell.status import source_text
from tests.app.frames import frame_of


def test_the_status_line_says_from_how_many_nodes_states_are_learned() -> None:
    assert source_text(frame_of("pixel")) == "States learned from the one pixel"
    assert source_text(frame_of("flat")) == "States learned from all 1,600 pixels"
