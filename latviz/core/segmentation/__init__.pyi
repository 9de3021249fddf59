from . import (
    components as components,
)
from . import (
    merging as merging,
)
from . import (
    regions as regions,
)
