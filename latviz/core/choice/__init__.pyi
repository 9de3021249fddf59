from . import (
    choosing as choosing,
)
from . import (
    settings as settings,
)
