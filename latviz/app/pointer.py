"""What passes with the pointer and the clock: neither kept, nor undone, nor computed from."""

from dataclasses import dataclass

from latviz.engine.state import State


@dataclass(frozen=True)
class Pointer:
    """What a person points at, and what moves by itself.

    Attributes
    ----------
    state : int or None
        The state under the pointer, which views set off.
    symbol : int or None
        The symbol under the pointer, which is set off in the inspected window.
    flipped : bool
        Whether it is A's turn, where A and B take turns.
    still : bool
        Whether nothing may move by itself.
    """

    state: int | None = None
    symbol: int | None = None
    flipped: bool = False
    still: bool = False


def share_of_a(state: State, pointer: Pointer) -> float:
    """Return how much of the state map, from the left, shows decoding A."""
    display = state.display
    if state.compared is None or display.comparison == "difference":
        return 0.0
    return display.split if display.comparison == "split" else float(pointer.flipped)
