"""The data flow, top to bottom: what is learned of pictures, their states, maps, what views draw.

Each function is a stage. Its arguments name what it reads: inputs of a request, other stages, or
the services ``watch`` (may cancel), ``progress`` (is told the fraction done, may cancel) and
``yielding`` (cancels as soon as anything newer waits). See `graph`.
"""

# isort: off
# Stages are defined in the order of the data flow.
from latviz.engine.stages.flow import PARAMETERS, flow
from latviz.engine.stages import learning
from latviz.engine.stages import states
from latviz.engine.stages import maps
from latviz.engine.stages import regions
from latviz.engine.stages import views
# isort: on

__all__ = ["PARAMETERS", "flow", "learning", "maps", "regions", "states", "views"]
