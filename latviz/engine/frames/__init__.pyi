from . import (
    region_table as region_table,
)
