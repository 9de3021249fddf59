from . import (
    animation as animation,
)
from . import (
    images as images,
)
from . import (
    leftovers as leftovers,
)
from . import (
    levels as levels,
)
from . import (
    memory as memory,
)
from . import (
    pyramids as pyramids,
)
from . import (
    sequences as sequences,
)
from . import (
    session_archive as session_archive,
)
from . import (
    volumes as volumes,
)
from . import (
    writing as writing,
)
