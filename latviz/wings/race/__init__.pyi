from . import (
    contest as contest,
)
