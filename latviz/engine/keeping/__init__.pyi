from . import (
    results as results,
)
