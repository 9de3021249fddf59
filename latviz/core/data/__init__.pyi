from . import data_set as data_set
from . import observations as observations
from . import quantization as quantization
from . import symbols as symbols
from . import vectors as vectors
