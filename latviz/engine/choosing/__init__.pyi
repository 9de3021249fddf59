from . import (
    agreed as agreed,
)
from . import (
    scaling as scaling,
)
from . import (
    sweeping as sweeping,
)
