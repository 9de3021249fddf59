from . import (
    page as page,
)
