"""The data flow, top to bottom: what is learned of pictures, their states, what views draw.

Each function is a stage. Its arguments name what it reads: inputs of a request, other stages, or
the services ``watch`` (may cancel), ``progress`` (is told the fraction done, may cancel) and
``yielding`` (cancels as soon as anything newer waits). See `graph`.
"""

from latviz.engine.flow.stages import kept, learning, regions, states, views
from latviz.engine.flow.stages.flow import PARAMETERS, flow

__all__ = ["PARAMETERS", "flow", "kept", "learning", "regions", "states", "views"]
