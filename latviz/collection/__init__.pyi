from . import (
    batch as batch,
)
from . import (
    classes as classes,
)
from . import (
    models as models,
)
from . import (
    reading as reading,
)
from . import (
    record as record,
)
from . import (
    running as running,
)
from . import (
    scoring as scoring,
)
from . import (
    store as store,
)
from . import (
    tables as tables,
)
from . import (
    thumbnails as thumbnails,
)
