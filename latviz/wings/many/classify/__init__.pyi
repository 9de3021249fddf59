from . import (
    shared_errors as shared_errors,
)
