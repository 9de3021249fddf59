from . import (
    benches as benches,
)
from . import (
    help as help,
)
from . import (
    shell as shell,
)
