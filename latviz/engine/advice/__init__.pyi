from . import (
    advice as advice,
)
from . import (
    trying as trying,
)
