from . import (
    laboratory as laboratory,
)
from . import (
    playground as playground,
)
