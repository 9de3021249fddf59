from . import (
    batch as batch,
)
from . import (
    found_classes as found_classes,
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
