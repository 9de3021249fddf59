"""The start of the stages: the inputs of a request, and the flow that they belong to."""

import dataclasses

from latviz.engine.flow.graph import Flow
from latviz.engine.settings.parameters import Parameters

PARAMETERS = tuple(field.name for field in dataclasses.fields(Parameters))
flow = Flow(
    inputs=(
        # The modelled pictures: all of them, the index of the one on screen, and that one; it
        # again, if it is not learned from.
        "members",
        "pictures",
        "picture",
        "other",
        # The model, if it is given and nothing is learned.
        "given",
        # The modelling
        *PARAMETERS,
        "further",
        "fit",
        # Input of the codebook: a number of signatures, or all; the colours of its rows.
        "n_wanted",
        "learns_from_all",
        "hand_cut",
        "row_slots",
        # The distance of rows for counting the density of the signature space, 1 for all.
        "rows_apart",
        # Choices for display.
        "projection",
        "map_kind",
        "region_cut",
        "scribbles",
        "selection",
        "compared",
        "difference",
    ),
    passing=("pictures", "other"),
)
