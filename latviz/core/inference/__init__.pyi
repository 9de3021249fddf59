from . import (
    field as field,
)
