from . import (
    decoding as decoding,
)
from . import (
    images as images,
)
from . import (
    label_files as label_files,
)
from . import (
    label_guesses as label_guesses,
)
from . import (
    label_maps as label_maps,
)
from . import (
    labels as labels,
)
from . import (
    levels as levels,
)
from . import (
    listing as listing,
)
from . import (
    memory as memory,
)
from . import (
    pixels as pixels,
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
    sizes as sizes,
)
from . import (
    writing as writing,
)
