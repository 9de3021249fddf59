from . import (
    models as models,
)
from . import (
    reading as reading,
)
from . import (
    thumbnails as thumbnails,
)
