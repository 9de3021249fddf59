from . import (
    advice as advice,
)
from . import (
    errands as errands,
)
from . import (
    trying as trying,
)
