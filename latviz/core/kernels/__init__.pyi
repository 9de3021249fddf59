from . import (
    chains as chains,
)
from . import (
    compiler as compiler,
)
from . import (
    components as components,
)
from . import (
    copulas as copulas,
)
from . import (
    counting as counting,
)
from . import (
    density as density,
)
from . import (
    eights as eights,
)
from . import (
    entropy as entropy,
)
from . import (
    flooding as flooding,
)
from . import (
    lab as lab,
)
from . import (
    labelling as labelling,
)
from . import (
    lanes as lanes,
)
from . import (
    leave_one_out as leave_one_out,
)
from . import (
    likelihood as likelihood,
)
from . import (
    marginals as marginals,
)
from . import (
    marks as marks,
)
from . import (
    nodes as nodes,
)
from . import (
    normals as normals,
)
from . import (
    norms as norms,
)
from . import (
    pairwise as pairwise,
)
from . import (
    potts as potts,
)
from . import (
    regions as regions,
)
from . import (
    relief as relief,
)
from . import (
    residuals as residuals,
)
from . import (
    rounding as rounding,
)
from . import (
    running as running,
)
from . import (
    sequences as sequences,
)
from . import (
    slabs as slabs,
)
from . import (
    sweeps as sweeps,
)
from . import (
    tally as tally,
)
from . import (
    texture as texture,
)
from . import (
    vectors as vectors,
)
