from . import (
    stepping as stepping,
)
