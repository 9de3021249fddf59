"""The trade-off of N and w, as a view."""

from functools import partial

from latviz.app.document.document import Document
from latviz.app.shell.actions import OTHERS, Action, At, Item
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.tradeoff.view import TradeOffView, reference_of
from latviz.app.widgets.title_controls import Switch
from latviz.engine.choosing.tradeoff import Chosen, TradeOff, What, settings_table
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.requests import keep

_REASONS = frozenset({"tradeoff", "guide"})
"""The views that show a choice with its reason."""


def connect(view: TradeOffView, context: Context) -> None:
    """Show results of idle work, and pass on the user's requests."""
    document, idle, shell = context.document, context.idle_jobs, context.shell
    view.wanted.connect(partial(set_place, document))
    view.bar.wanted.connect(idle.choose)
    view.bar.declined.connect(idle.cancel)
    view.kept.connect(partial(keep_column, document))
    idle.trade_off_changed.connect(view.show_trade_off)
    idle.scales_changed.connect(view.show_scales)
    idle.preparing.connect(view.bar.show_preparing)
    idle.choosing_changed.connect(view.bar.show_choosing)
    idle.chosen.connect(view.show_chosen)

    def report(chosen: Chosen) -> None:
        # A view that shows it drops it once it is set otherwise; the status line would not
        is_shown = not _REASONS.isdisjoint(document.state.views)
        shell.say("" if is_shown or view.bar.is_silent else chosen.sentence)

    idle.chosen.connect(report)


def set_place(document: Document, place: tuple[int, int]) -> None:
    """Set N and w, and hold the codebook with which they were decoded."""
    changes = {"n_states": place[0], "window": place[1]}
    if "learning_window" not in document.state.locked:
        changes["learning_window"] = document.parameters.effective_learning_window
    document.set("Change N and w", **changes)


def keep_column(document: Document) -> None:
    """Keep the states on screen as reference; compare no longer if they are it already."""
    now = document.parameters
    if reference_of(document.state) == (now.n_states, now.window):
        document.freeze(False)
        return
    document.when_whole(lambda frame: document.change("Keep as reference", compared=keep(frame)))


def header(view: TradeOffView, _context: Context) -> Switch:
    """Return the switch that turns the sheet."""
    switch = Switch(
        ("Over w", "State maps and scores of every w, with this N"),
        ("Over N", "State maps and scores of every N, with this w"),
    )
    switch.picked.connect(view.turn)
    return switch


_CHOICES: tuple[tuple[What, str, str], ...] = (
    ("w", "Choose &w", "Set the w that predicts left-out pixels best, and explain why"),
    ("N", "Ch&oose N", "Set the N whose states all improve prediction, and explain why"),
    ("both", "Choose &both", "Set the N and w that predict left-out pixels best, and explain why"),
)
_PLACES: tuple[At, ...] = ("Model", 3.1), (OTHERS, 2.4), (OTHERS, 2.5)


def actions(_view: TradeOffView, context: Context) -> tuple[Item, ...]:
    """Return the menu items."""
    choose = context.idle_jobs.choose
    return tuple(
        Action(text, tip, partial(choose, what), at=at)
        for at, (what, text, tip) in zip(_PLACES, _CHOICES, strict=True)
    )


def lines(view: TradeOffView, frame: Frame) -> list[str]:
    """Return its script lines, while it is shown."""
    there = view.trade_off if view.isVisible() else None
    return [] if there is None else script_lines(frame, there)


def table_rows(trade_off: TradeOff | None) -> Rows:
    """Return a row for each N and w, with unknown values empty."""
    if trade_off is None:
        return []
    names, found = settings_table(trade_off)
    error = f"Prediction error, bits per {trade_off.scope.picture.node_name}"
    titles = {"code_length": error, "saved": "Bits saved over one state"}
    shown = ([titles.get(name, name) for name in names], *found)
    return [["" if cell is None else cell for cell in row] for row in shown]


def script_lines(frame: Frame, trade_off: TradeOff) -> list[str]:
    """Return lines that compute the trade-off, if it is of one picture with its own codebooks."""
    request, scope = frame.request, trade_off.scope
    discrete = frame.observations.discrete
    several = len(scope.pictures.everything) > 1
    if not trade_off.exact or several or request.given is not None or request.hand_cut:
        return []
    kind = '"discrete", n_symbols=observations.n_symbols' if discrete else '"gaussian"'
    values, truth = "observations.values", "picture.truth"
    if scope.picture.apart:
        values, truth = f"list({values})", f"list({truth})"
    return [
        "",
        "from latviz.core import sweep",
        "",
        "settings = list(",
        "    sweep(",
        f"        {values},",
        f"        windows={list(trade_off.windows)},",
        f"        n_states={list(trade_off.states)},",
        f"        {request.fit.common_arguments},",
        f"        kind={kind},",
        *([f"        truth={truth},"] if trade_off.has_truth else []),
        "    )",
        ")",
        "for s in settings:",
        "    print(s.n_states, s.window, s.code_length, s.standard_error)",
    ]


SPEC = ViewSpec(
    name="tradeoff",
    title=TradeOffView.TITLE,
    make=TradeOffView,
    help=(
        "State maps, prediction error, indices and accuracy of every w on one axis, with the "
        "codebook on screen; or of every N. They are computed when nothing else is. Click or drag "
        "to set w; click the current column again to keep it as reference."
    ),
    connect=connect,
    header=header,
    actions=actions,
    verbs=lambda _view, _context: ("Choose w", "Choose N", "Choose both"),
    table=lambda view, _frame: table_rows(view.trade_off),
    script=lines,
)
