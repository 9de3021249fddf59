"""Numbers of the trade-off."""

from latviz.engine.results import settings_table
from latviz.engine.tables import Rows
from latviz.engine.tradeoff import TradeOff


def rows(trade_off: TradeOff) -> Rows:
    """Return a row for each N and w; what is not known is left empty."""
    names, found = settings_table(trade_off)
    return [list(names), *(["" if cell is None else cell for cell in row] for row in found)]
