"""What the laboratory shows, in words."""

from latviz.app.activity import Activity
from latviz.engine.laboratory import Outcome


def share_text(share: float) -> str:
    """Return a share in percent."""
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def pixel_text(outcome: Outcome | None, window: int, node: tuple[int, int] | None) -> str:
    """Return what is known of a pixel: its truth, its commonest state, in how many copies."""
    k = None if outcome is None else outcome.index_of(window)
    if outcome is None or k is None or node is None or max(node) >= outcome.experiment.side:
        return ""
    r = outcome.result
    share = 1.0 - float(r.variance_maps[k][node])
    return (
        f"Row {node[0]}, column {node[1]}: true state {outcome.truth[node] + 1}, "
        f"commonest state {r.modes[k][node] + 1}, in {share_text(share)} of the copies."
    )


def activity_text(outcome: Outcome | None, activity: Activity) -> str:
    """Return how far an experiment is."""
    if activity.work == "failed":
        return "This cannot be computed"
    if outcome is None:
        return "Waiting for the first copies…"
    known = f"{outcome.result.replicates} of {outcome.experiment.replicates} copies"
    return f"{known}, stopped" if activity.work == "declined" else known
