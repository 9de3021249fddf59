from . import (
    evaluation as evaluation,
)
from . import (
    fitting as fitting,
)
from . import (
    law as law,
)
from . import (
    models as models,
)
from . import (
    residuals as residuals,
)
