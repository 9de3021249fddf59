"""The emissions of states, as a view."""

import numpy as np

from latviz.app.views.emissions.rows import Channels
from latviz.app.views.emissions.view import EmissionsView
from latviz.app.views.spec import Rows, ViewSpec
from latviz.app.views.verbs import of_spot
from latviz.engine.frames.frame import Frame


def table_rows(frame: Frame) -> Rows:
    """Return B, or the means and standard deviations."""
    names, values = list(frame.observations.names), frame.codebook
    if not frame.observations.discrete:
        names = [*(f"Mean of {n}" for n in names), *(f"Deviation of {n}" for n in names)]
        channels = Channels.of(frame)
        values = np.concatenate([channels.means, channels.deviations], axis=1)
    labels = [name or k for k, name in enumerate(frame.names, start=1)]
    rows = zip(labels, values.tolist(), strict=True)
    return [["State", *names], *([label, *row] for label, row in rows)]


SPEC = ViewSpec(
    name="emissions",
    title=EmissionsView.TITLE,
    make=EmissionsView,
    help="The distribution B of the symbols in each state, or the mean and standard deviation of "
    "each channel.",
    verbs=of_spot,
    table=lambda _view, frame: table_rows(frame),
)
