from . import (
    action_finder as action_finder,
)
