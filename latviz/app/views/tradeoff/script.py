"""The trade-off, as Python."""

from latviz.engine.frame import Frame
from latviz.engine.scope import Scope
from latviz.engine.tradeoff import TradeOff


def lines(frame: Frame, trade_off: TradeOff) -> list[str]:
    """Return what every N and w is worth."""
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    values, truth = (
        _part(name, trade_off.scope) for name in ("observations.values", "picture.truth")
    )
    kind = '"discrete", n_symbols=observations.n_symbols' if discrete else '"gaussian"'
    return [
        "",
        "from latviz.core import sweep",
        "",
        "settings = list(",
        "    sweep(",
        f"        {values},",
        f"        windows={list(trade_off.windows)},",
        f"        states={list(trade_off.states)},",
        f"        kind={kind},",
        f"        hole={trade_off.hole},",
        f"        near=({parameters.n_states}, {parameters.window}),",
        *([f"        truth={truth},"] if trade_off.has_truth else []),
        "    )",
        ")",
        "for s in settings:",
        "    print(s.n_states, s.window, s.code_length, s.standard_error)",
    ]


def _part(name: str, scope: Scope) -> str:
    """Return the lattices of an array that are looked at."""
    part = f"{name}[{', '.join(f'{s.start}:{s.stop}' for s in scope.region)}]"
    return f"list({part})" if scope.apart else part
