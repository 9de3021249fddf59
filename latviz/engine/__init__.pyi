from . import (
    advice as advice,
)
from . import (
    choosing as choosing,
)
from . import (
    explain as explain,
)
from . import (
    flow as flow,
)
from . import (
    frames as frames,
)
from . import (
    keeping as keeping,
)
from . import (
    pictures as pictures,
)
from . import (
    startup as startup,
)
