"""Items of the menus that set the model's parameters, undo what was set, or go to a control."""

from collections.abc import Callable
from functools import partial
from typing import Literal

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QKeySequence

from latviz.app.actions import Action, Item, Ready
from latviz.app.document import Document
from latviz.engine.parameters import STATES_RANGE, WINDOW_RANGE

Stepped = Literal["n_states", "window"]
LETTERS: dict[Stepped, str] = {"n_states": "N", "window": "w"}
RANGES: dict[Stepped, tuple[int, int]] = {"n_states": STATES_RANGE, "window": WINDOW_RANGE}


def edit_actions(document: Document, owner: QObject) -> tuple[Item, ...]:
    """Return what undoes, does again and resets."""
    stack, ready = document.undo_stack, []
    for made, keys, place in (
        (stack.createUndoAction(owner, "&Undo"), QKeySequence.StandardKey.Undo, 1.1),
        (stack.createRedoAction(owner, "&Redo"), QKeySequence.StandardKey.Redo, 1.2),
    ):
        assert made is not None
        made.setShortcuts(QKeySequence.keyBindings(keys))
        ready.append(Ready(made, ("Edit", place)))
    return (
        *ready,
        Action(
            "&Reset parameters",
            "Return to the parameters that the picture was opened with",
            document.reset,
            "Ctrl+R",
            ("Edit", 2.1),
        ),
    )


def step_actions(document: Document) -> tuple[Item, ...]:
    """Return what raises or lowers N and w by one."""
    steps: tuple[tuple[str, str, Stepped, int, str], ...] = (
        ("&More states", "Raise N by one", "n_states", 1, "Ctrl+Up"),
        ("&Fewer states", "Lower N by one", "n_states", -1, "Ctrl+Down"),
        ("&Larger window", "Raise w by one", "window", 1, "Ctrl+Right"),
        ("&Smaller window", "Lower w by one", "window", -1, "Ctrl+Left"),
    )
    return tuple(
        Action(text, tip, partial(step_by, document, field, step), keys, ("Model", 1 + k / 10))
        for k, (text, tip, field, step, keys) in enumerate(steps)
    )


def step_by(document: Document, field: Stepped, step: int) -> None:
    """Raise or lower a parameter, unless that leaves its range."""
    low, high = RANGES[field]
    value = getattr(document.parameters, field) + step
    if low <= value <= high:
        document.set(f"Change {LETTERS[field]}", **{field: value})


def focus_actions(focus: Callable[[str], object]) -> tuple[Item, ...]:
    """Return what gives the keyboard to a control, by the name of the control."""
    controls = (
        ("Focus &N", "the number of states", "states", "N"),
        ("Focus &w", "the window half-width", "window_", "W"),
        ("Focus &alpha", "the Markov correction", "alpha", "A"),
        ("Focus &encoding", "the encoding", "encoding", "E"),
        ("Focus symbols &M", "the number of symbols", "symbols", "M"),
    )
    return tuple(
        Action(
            text, f"Give the keyboard to {what}", partial(focus, name), keys, ("Model", 2 + k / 10)
        )
        for k, (text, what, name, keys) in enumerate(controls)
    )
