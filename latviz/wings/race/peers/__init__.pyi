from . import (
    expansion as expansion,
)
from . import (
    icm as icm,
)
from . import (
    partitions as partitions,
)
from . import (
    problem as problem,
)
