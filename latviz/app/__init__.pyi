from . import (
    action_finder as action_finder,
)
from . import (
    help_dialog as help_dialog,
)
from . import (
    laboratory as laboratory,
)
from . import (
    playground as playground,
)
