from . import (
    help as help,
)
from . import (
    shell as shell,
)
