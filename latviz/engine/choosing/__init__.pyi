from . import (
    agreed as agreed,
)
from . import (
    multiples as multiples,
)
from . import (
    scaling as scaling,
)
from . import (
    sweeping as sweeping,
)
