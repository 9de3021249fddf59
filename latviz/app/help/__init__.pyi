from . import (
    help_dialog as help_dialog,
)
