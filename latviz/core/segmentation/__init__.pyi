from . import (
    components as components,
)
from . import (
    contrast as contrast,
)
from . import (
    defaults as defaults,
)
from . import (
    lives as lives,
)
from . import (
    merging as merging,
)
from . import (
    regions as regions,
)
from . import (
    relief as relief,
)
