"""The data flow, top to bottom: learning from pictures, their states, input of views.

Each function is a stage. Its arguments name what it reads: inputs of a request, other stages, or
the services ``watch`` (may cancel), ``progress`` (receives the fraction done, may cancel) and
``yielding`` (cancels when a newer request waits). See `graph`.
"""

from latviz.engine.flow.stages import learning, lives, regions, states, views
from latviz.engine.flow.stages.flow import flow

__all__ = ["flow", "learning", "lives", "regions", "states", "views"]
