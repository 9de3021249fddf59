"""Tables and scripts of the program's own views, without a window."""

from collections.abc import Sequence
from types import SimpleNamespace

from latviz.app.views.registry import BUILT_IN
from latviz.app.views.spec import Rows
from latviz.engine import script
from latviz.engine.frame import Frame
from latviz.engine.inspection import Inspection
from latviz.engine.tradeoff import TradeOff


def table(
    name: str, frame: Frame, pixels: Sequence[Inspection], trade_off: TradeOff | None = None
) -> Rows:
    """Return the table of a view that shows some pixels, and a trade-off."""
    view = SimpleNamespace(pins=tuple(pixels), inspected=tuple(pixels), trade_off=trade_off)
    (spec,) = (spec for spec in BUILT_IN if spec.name == name)
    return [] if spec.table is None else spec.table(view, frame)


def python_of(frame: Frame, trade_off: TradeOff | None = None, session: str = "") -> str:
    """Return the script of a window that shows a frame, and a trade-off."""
    view = SimpleNamespace(trade_off=trade_off, isVisible=lambda: True)
    scripts = (spec.script for spec in BUILT_IN if spec.script is not None)
    return script.python_of(frame, [lines(view, frame) for lines in scripts], session)
