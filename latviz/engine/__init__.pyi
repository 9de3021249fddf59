from . import (
    agreed as agreed,
)
from . import (
    compile_cache as compile_cache,
)
from . import (
    contest as contest,
)
from . import (
    demos as demos,
)
from . import (
    multiples as multiples,
)
from . import (
    pipeline as pipeline,
)
from . import (
    region_table as region_table,
)
from . import (
    results as results,
)
from . import (
    scaling as scaling,
)
from . import (
    stepping as stepping,
)
from . import (
    sweeping as sweeping,
)
