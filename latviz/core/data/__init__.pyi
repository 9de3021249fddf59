from . import bins as bins
from . import data_set as data_set
from . import filters as filters
from . import labels as labels
from . import palettes as palettes
from . import patterns as patterns
from . import quantization as quantization
from . import vectors as vectors
