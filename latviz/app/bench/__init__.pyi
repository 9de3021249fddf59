from . import (
    window as window,
)
