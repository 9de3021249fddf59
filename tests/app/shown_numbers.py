"""Tables and scripts of the program's own views, without a window."""

from types import SimpleNamespace

from latviz.app.views.registry import BUILT_IN
from latviz.app.views.spec import Rows
from latviz.engine.choosing.tradeoff import TradeOff
from latviz.engine.frames import script
from latviz.engine.frames.frame import Frame


def table(name, frame, pixels, trade_off=None) -> Rows:
    view = SimpleNamespace(pins=tuple(pixels), inspected=tuple(pixels), trade_off=trade_off)
    (spec,) = (spec for spec in BUILT_IN if spec.name == name)
    return [] if spec.table is None else spec.table(view, frame)


def python_of(frame: Frame, trade_off: TradeOff | None = None, session: str = "") -> str:
    """Return the script of a window that shows a frame, and a trade-off."""
    view = SimpleNamespace(trade_off=trade_off, final_advice=None, isVisible=lambda: True)
    scripts = (spec.script for spec in BUILT_IN if spec.script is not None)
    return script.python_of(frame, [lines(view, frame) for lines in scripts], session)
