"""Items of the menus that set the model's parameters, undo what was set, or go to a control."""

from collections.abc import Callable
from functools import partial

from PyQt6.QtCore import QObject
from PyQt6.QtGui import QKeySequence

from latviz.app.actions import Action, Item, Ready
from latviz.app.document import Document
from latviz.core.parameter import Parameter, rows


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
            "Return to the parameters that suit the picture",
            document.reset,
            "Ctrl+R",
            ("Edit", 2.1),
        ),
    )


def step_actions(document: Document) -> tuple[Item, ...]:
    """Return what raises or lowers a parameter by one."""
    steps = ((row, step) for row in rows(document.parameters) for step in row.steps)
    return tuple(
        Action(
            step.text,
            step.tip,
            partial(step_by, document, row, step.by),
            step.keys,
            ("Model", 1 + k / 10),
        )
        for k, (row, step) in enumerate(steps)
    )


def step_by(document: Document, row: Parameter, by: int) -> None:
    """Raise or lower a parameter, unless that leaves its range."""
    parameters, (low, high) = document.parameters, row.bounds or (0, 0)
    value = row.in_force(parameters) + by
    if low <= value <= high:
        document.set(row.undo, **row.change(parameters, value))


def focus_actions(document: Document, focus: Callable[[str], object]) -> tuple[Item, ...]:
    """Return what gives the keyboard to a control, by the field of its parameter."""
    targets = ((row.field, row.focus) for row in rows(document.parameters) if row.focus)
    return tuple(
        Action(to.text, to.tip, partial(focus, field), to.key, ("Model", 2 + k / 10))
        for k, (field, to) in enumerate(targets)
    )
