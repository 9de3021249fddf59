from . import (
    labelling as labelling,
)
