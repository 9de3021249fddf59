"""Kept selections: their pixels and statistics."""

from latviz.core.data.encoding import Encoding
from latviz.core.model.evaluation import DataSetEvaluation
from latviz.core.types import States
from latviz.engine.flow.stages.flow import flow
from latviz.engine.frames.selection_table import Statistics, statistics_of
from latviz.engine.geometry.selection import Kept, Lit, Selection
from latviz.engine.pictures.data_sets import of_picture
from latviz.engine.pictures.picture import Picture


@flow.stage
def selection_statistics(
    picture: Picture, lit: Lit, states: States, evaluation: DataSetEvaluation, n_states: int
) -> Statistics:
    """Compute statistics of the highlighted nodes."""
    nats = of_picture(evaluation.node_log_likelihood, picture)
    return statistics_of(lit.mask, picture, states, nats, n_states)


@flow.derived
def kept_selections(
    kept: tuple[Kept, ...], encoding: Encoding, picture: Picture
) -> tuple[Selection, ...]:
    """Return the selections with a meaning for this picture and encoding."""
    there = (each for each in kept if each.means_something(encoding, picture.name))
    return tuple(each.selection for each in there)


# Statistics of each kept selection, the planes of its lassos (all must be known), its nodes.
for _name, _of in (
    ("kept_statistics", "selection_statistics"),
    ("kept_planes", "plane_of_lasso"),
    ("kept_lit", "lit"),
):
    flow.each(_name, of=_of, under="selection", among="kept_selections")
