from . import (
    pipeline as pipeline,
)
