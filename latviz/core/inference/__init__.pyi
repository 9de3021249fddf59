from . import beliefs as beliefs
from . import binning as binning
from . import field as field
from . import window_beliefs as window_beliefs
