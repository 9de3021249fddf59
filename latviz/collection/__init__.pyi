from . import (
    models as models,
)
from . import (
    reading as reading,
)
