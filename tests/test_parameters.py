"""The table of parameters: a new field appears in all places that use parameters."""

from dataclasses import dataclass, replace
from typing import Any, get_args, get_type_hints

import pytest
from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QComboBox, QGroupBox, QLabel
from pytestqt.qtbot import QtBot

from latviz.app.panels.controls import ControlPanel
from latviz.cli import options
from latviz.core.data.encoding import Encoding
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts
from latviz.core.parameter import SWITCH, ParameterChoice, parameter, row_of, rows
from latviz.engine.settings.parameters import Parameters, suited
from latviz.engine.settings.state import State
from tests.parameter_table import table_rows

FIELDS = {
    "encoding.name": ("--encoding", "Encoding"),
    "encoding.how": ("--grey-as", "Grey as"),
    "encoding.level": ("--level-light", "Level the light"),
    "encoding.n_symbols": ("--symbols", "Symbols M"),
    "encoding.scale": ("--scale", "Texture scale"),
    "encoding.n_features": ("--features", "Components"),
    "encoding.scaled": ("--scaled", "Channels"),
    "n_states": ("--states", "States N"),
    "window": ("--window", "Window w"),
    "learning_window": ("--learning-window", "Learning window"),
    "second_window": ("--second-window", "Joined window"),
    "decoder": ("--decoder", "Decoder"),
    "passes": ("--passes", "Passes"),
    "smoothing": ("--smoothing", "Smoothing"),
    "alpha": ("--alpha", "Markov correction alpha"),
    "alpha_mode": ("--alpha-mode", "Kind of alpha"),
    "normalizer": ("--normalizer", "Normaliser"),
}


@dataclass(frozen=True)
class More(Parameters):
    """The parameters, and two made-up ones."""

    patience: int = parameter(
        5,
        name="Patience",
        label="Patience π",
        short="π",
        tip="How often the model tries again",
        formula="it tries π times",
        group="Temper",
        flag="--patience",
        metavar="P",
        undo="Change the patience",
        bounds=(1, 9),
    )
    mood: str = parameter(
        "good",
        name="Mood",
        label="Mood",
        short="mood",
        tip="How the model feels",
        formula="it smiles",
        group="Temper",
        flag="--mood",
        undo="Change the mood",
        choices=(
            ParameterChoice("good", "good", "well", "It smiles"),
            ParameterChoice("bad", "bad", "ill", "No"),
        ),
        essential=False,
        refusal=lambda more, _: "" if more.patience > 1 else "it has no patience",
    )


class Holder(QObject):
    """The part of a document that a panel uses."""

    changed = pyqtSignal(object, object)
    locked = pyqtSignal(object)

    def __init__(self, parameters: Parameters) -> None:
        super().__init__()
        self.parameters, self.texts = parameters, []

    def keep_settings(self, on: bool) -> None:
        self.texts.append(f"keep: {on}")

    def set(self, text: str, **changes: Any) -> None:
        self.texts.append(text)
        old, self.parameters = self.parameters, replace(self.parameters, **changes)
        self.changed.emit(State(parameters=old), State(parameters=self.parameters))

    def reset(self) -> None:
        self.set("Reset")


def test_every_field_has_a_row() -> None:
    found = {row.field: (row.flag, row.name) for row in rows(Parameters)}
    assert found == FIELDS
    assert rows(Parameters()) == rows(Parameters)
    for row in rows(Parameters):
        assert row.label
        assert row.short
        assert row.tip
        assert row.formula
        assert row.undo
        assert (row.bounds is None) == bool(row.choices_for())


def test_types_and_choices_agree() -> None:
    hints = get_type_hints(Parameters)
    for name in ("alpha_mode", "normalizer"):
        values = tuple(choice.value for choice in row_of(Parameters, name).choices_for())
        assert values == get_args(hints[name])


def test_sessions_and_scripts_give_values_by_place() -> None:
    assert Parameters(Encoding("grey"), 3, 2, 1) == Parameters(
        encoding=Encoding("grey"), n_states=3, window=2, learning_window=1
    )


def test_values_are_read_and_written() -> None:
    start = Parameters(Encoding("texture", 4, 1.5), window=7)
    for field, value in (("window", 2), ("encoding.scale", 3.0), ("learning_window", 1)):
        row = row_of(Parameters, field)
        changed = row.put(start, value)
        assert row.of(changed) == row.in_force(changed) == value
        assert row.put(changed, row.of(start)) == start
    followed = row_of(Parameters, "learning_window")
    assert (followed.of(start), followed.in_force(start), followed.text(start)) == (None, 7, "= w")
    assert followed.text(replace(start, learning_window=3)) == "3"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("n_states", 0, "the number of states N must be from 1 to 32, got 0"),
        ("n_states", 2.5, "the number of states N must be an integer from 1 to 32, got 2.5"),
        ("n_states", True, "the number of states N must be an integer from 1 to 32, got True"),
        ("window", None, "the window half-width w must be an integer from 0 to 65536, got None"),
        ("smoothing", float("inf"), "the smoothing must be from 0 to 10, got inf"),
        ("alpha", "much", "alpha must be a number from 0.01 to 1, got 'much'"),
        ("normalizer", "none", "the normaliser must be one of neighbours, states, got 'none'"),
        ("normalizer", 1 + 0j, "the normaliser must be one of neighbours, states, got (1+0j)"),
    ],
)
def test_values_are_checked(field: str, value: Any, said: str) -> None:
    with pytest.raises(ParameterError) as caught:
        replace(Parameters(), **{field: value})
    assert str(caught.value) == said


def test_what_has_no_effect_says_why() -> None:
    symbols, scale = (
        row_of(Parameters, field) for field in ("encoding.n_symbols", "encoding.scale")
    )
    for name, uses_symbols, uses_scale in (
        ("palette", True, False),
        ("labels", False, False),
        ("texture", False, True),
    ):
        parameters = Parameters(Encoding(name))
        assert (symbols.refused(parameters, 2) == "") == uses_symbols
        assert (scale.refused(parameters, 2) == "") == uses_scale
    assert suited(Parameters(), PictureFacts(1)).encoding.name == "labels"
    assert suited(Parameters(), PictureFacts(3)) == Parameters()


def test_a_made_up_parameter_is_checked() -> None:
    assert More(patience=9).patience == 9
    with pytest.raises(ParameterError, match=r"patience must be an integer from 1 to 9, got 10"):
        More(patience=10)
    with pytest.raises(ParameterError, match=r"mood must be one of good, bad, got 'mixed'"):
        More(mood="mixed")


def test_a_made_up_parameter_is_an_option() -> None:
    parser = options.parser_of(More)
    given = parser.parse_args(["--patience", "7", "--mood", "bad", "--states", "3"])
    assert options.changed(More(), given) == More(patience=7, mood="bad", n_states=3)
    assert options.changed(More(patience=2), parser.parse_args([])) == More(patience=2)
    told = " ".join(parser.format_help().split())
    assert "--patience P how often the model tries again (1 to 9)" in told
    assert "--mood {good,bad} how the model feels" in told.split("advanced parameters:")[1]


def test_a_made_up_parameter_is_in_the_panel(qtbot: QtBot) -> None:
    holder = Holder(More())
    panel = ControlPanel(holder)
    qtbot.addWidget(panel)
    panel.show()
    groups = [group.title() for group in panel.findChildren(QGroupBox)]
    assert groups == ["Observations", "Model", "Likelihood", "Temper"]
    patience, mood = panel["patience"], panel["mood"]
    assert (patience.slider.minimum(), patience.slider.maximum(), patience.value) == (1, 9, 5)
    patience.box.setValue(8)
    assert holder.parameters == More(patience=8)
    assert isinstance(mood, QComboBox)
    QTest.keyClick(mood, Qt.Key.Key_Down)
    assert holder.parameters == More(patience=8, mood="bad")
    assert holder.texts == ["Change the patience", "Change the mood"]
    patience.slider.setValue(1)
    assert not mood.isVisible()
    for field in (*FIELDS, "patience", "mood"):
        row = row_of(More, field)
        labels = [part for part in panel.findChildren(QLabel) if part.text() == row.label]
        assert len(labels) == (row.choices is not SWITCH)  # a check box has its own
        shown = panel[field]
        control = getattr(getattr(shown, "number", shown), "slider", shown)
        for part in (*labels, control):
            assert row.tip in part.toolTip()


def test_a_made_up_parameter_is_in_the_table() -> None:
    told = {row.name: row for row in table_rows(More)}
    assert list(told) == [name for _, name in FIELDS.values()] + ["Patience", "Mood"]
    assert told["Patience"][1:7] == (
        "How often the model tries again",
        "it tries π times",
        "1 to 9",
        "5",
        "--patience",
        True,
    )
    assert told["Mood"].values == "well (good); ill (bad)"
    assert not told["Mood"].essential
