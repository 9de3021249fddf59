from . import (
    choosing as choosing,
)
from . import (
    code_length as code_length,
)
from . import (
    growing as growing,
)
from . import (
    noise as noise,
)
from . import (
    scales as scales,
)
from . import (
    settings as settings,
)
