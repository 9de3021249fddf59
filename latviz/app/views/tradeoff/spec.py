"""The trade-off of N and w, as a view."""

from functools import partial

from latviz.app.actions import Action, Item
from latviz.app.docks import Place
from latviz.app.views.spec import Context, ViewSpec
from latviz.app.views.tradeoff import script, table
from latviz.app.views.tradeoff.view import TradeOffView
from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


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
            "C&hoose w",
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
    return [] if view.trade_off is None else table.rows(view.trade_off)


def lines(view: TradeOffView, frame: Frame) -> list[str]:
    """Return how it is computed, while it is shown."""
    there = view.trade_off if view.isVisible() else None
    return [] if there is None else script.lines(frame, there)


SPEC = ViewSpec(
    name="tradeoff",
    title=TradeOffView.TITLE,
    make=TradeOffView,
    place=Place("bottom"),
    help="What every w and N is worth: curves over w, a table, the state maps, and at which w each "
    "pixel changes its state for the last time. It fills in while nothing else is computed.",
    shown_at_first=False,
    connect=connect,
    actions=actions,
    table=rows,
    script=lines,
)
