from . import (
    compile_cache as compile_cache,
)
