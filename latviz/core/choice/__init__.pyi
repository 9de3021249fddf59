from . import (
    choosing as choosing,
)
from . import (
    code_length as code_length,
)
from . import (
    settings as settings,
)
