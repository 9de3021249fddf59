from . import (
    live as live,
)
from . import (
    page as page,
)
