"""The trade-off of N and w, as a view."""

from functools import partial

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.engine.frame import Frame
from latviz.engine.section import Scope
from latviz.engine.tradeoff import TradeOff, settings_table


def connect(view: TradeOffView, context: Context) -> None:
    """Show what is computed at rest, and take what a person asks for."""
    document, idle, shell = context.document, context.idle_jobs, context.shell
    view.wanted.connect(
        lambda place: document.set("Change N and w", n_states=place[0], window=place[1])
    )
    view.bar.wanted.connect(idle.choose)
    view.bar.declined.connect(idle.cancel)
    document.changed.connect(lambda _, new: view.show_parameters(new.parameters))
    idle.trade_off_changed.connect(view.show_trade_off)
    idle.preparing.connect(view.bar.show_preparing)
    idle.choosing_changed.connect(view.bar.show_choosing)
    idle.chosen.connect(view.show_chosen)
    idle.chosen.connect(lambda chosen: shell.say(f"{chosen.sentence}."))


def actions(_view: TradeOffView, context: Context) -> tuple[Item, ...]:
    """Return what is offered in the menus."""
    choose = context.idle_jobs.choose
    return (
        Action(
            "Choose &w",
            "Set the w whose windows predict their pixels best, and say why",
            partial(choose, "w"),
            "Ctrl+Alt+W",
            ("Model", 3.1),
        ),
        Action(
            "Ch&oose N",
            "Set the number of states that is worth its cost, and say why",
            partial(choose, "N"),
            "Ctrl+Alt+N",
            ("Model", 3.2),
        ),
        Action(
            "Choose &both",
            "Set N and w by what is worth its cost, and say why",
            partial(choose, "both"),
            "Ctrl+Alt+B",
            ("Model", 3.3),
        ),
    )


def rows(view: TradeOffView, _frame: Frame) -> Rows:
    """Return what is known of each N and w."""
    return [] if view.trade_off is None else table_rows(view.trade_off)


def lines(view: TradeOffView, frame: Frame) -> list[str]:
    """Return how it is computed, while it is shown."""
    there = view.trade_off if view.isVisible() else None
    return [] if there is None else script_lines(frame, there)


EXACT = "n_states", "window", "seconds"
"""The columns of the table that are no estimates."""


def table_rows(trade_off: TradeOff) -> Rows:
    """Return a row for each N and w; what is not known is left empty."""
    names, found = settings_table(trade_off)
    titles = [name if name in EXACT else f"{name} (est.)" for name in names]
    return [titles, *(["" if cell is None else cell for cell in row] for row in found)]


def script_lines(frame: Frame, trade_off: TradeOff) -> list[str]:
    """Return what every N and w is worth."""
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    scope = trade_off.scope
    values = _part("observations.values", scope, "observed[k].values")
    truth = _part("picture.truth", scope, "pictures.members[k].truth")
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
        f"        near=({parameters.n_states}, {parameters.window}),",
        *([f"        truth={truth},"] if trade_off.has_truth else []),
        "    )",
        ")",
        "for s in settings:",
        "    print(s.n_states, s.window, s.code_length, s.standard_error)",
    ]


def _part(name: str, scope: Scope, other: str) -> str:
    """Return the lattices of an array that are looked at; ``other`` is that of picture k."""
    part = f"{name}[{', '.join(f'{s.start}:{s.stop}' for s in scope.region)}]"
    own = f"list({part})" if scope.apart else part
    if not scope.others:
        return own
    k = list(scope.others)
    if scope.apart:
        return f"[*{own}, *(slice for k in {k} for slice in {other})]"
    return f"[{own}, *({other} for k in {k})]"


SPEC = ViewSpec(
    name="tradeoff",
    title=TradeOffView.TITLE,
    make=TradeOffView,
    place=Place("bottom", height=300, at_most_one_in=3),
    explains=("code_length", "merge"),
    help="What every w and N is worth: curves over w, a table, the state maps, and at which w each "
    "pixel changes its state for the last time. It fills in while nothing else is computed. Every "
    "w learns from a sample of its own, so the numbers are estimates.",
    shown_at_first=False,
    connect=connect,
    actions=actions,
    verbs=lambda _view, _context: ("Choose w", "Choose N", "Choose both"),
    table=rows,
    script=lines,
)
