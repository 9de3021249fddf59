from . import (
    evaluation as evaluation,
)
from . import (
    models as models,
)
