from . import (
    help as help,
)
