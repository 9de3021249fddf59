from . import observations as observations
from . import symbols as symbols
from . import vectors as vectors
