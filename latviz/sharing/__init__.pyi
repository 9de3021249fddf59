from . import (
    live as live,
)
from . import (
    live_lesson as live_lesson,
)
from . import (
    page as page,
)
