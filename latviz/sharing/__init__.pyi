from . import (
    film_writing as film_writing,
)
from . import (
    page as page,
)
