"""What the stages start from: the inputs of a request, and the flow that they belong to."""

import dataclasses

from latviz.engine.flow.graph import Flow
from latviz.engine.settings.parameters import Parameters

PARAMETERS = tuple(field.name for field in dataclasses.fields(Parameters))
flow = Flow(
    inputs=(
        # What is modelled: all pictures, which of them is shown, and that one; it again, if it is
        # none that is learned from.
        "members",
        "pictures",
        "picture",
        "other",
        # The model, if it is given and nothing is learned.
        "given",
        # How it is modelled.
        *PARAMETERS,
        "further",
        "fit",
        # What the codebook is learned from: so many signatures, or all; the colours of its rows.
        "n_wanted",
        "learns_from_all",
        "hand_cut",
        "row_slots",
        # What is shown of it.
        "projection",
        "map_kind",
        "region_cut",
        "scribbles",
        "selection",
        "kept",
        "lasso_planes",
        "compared",
        "difference",
    ),
    passing=("pictures", "other"),
)
