"""The flow that all stages belong to; `inputs_of` names what they can read of a request."""

from latviz.engine.flow.graph import Flow

flow = Flow(passing=("pictures", "other"))
