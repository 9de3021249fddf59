from . import beliefs as beliefs
from . import field as field
from . import window_beliefs as window_beliefs
