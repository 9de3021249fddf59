from . import (
    demos as demos,
)
