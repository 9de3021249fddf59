from . import (
    dicom as dicom,
)
from . import (
    fits as fits,
)
from . import (
    hdf5 as hdf5,
)
from . import (
    matlab as matlab,
)
from . import (
    nifti as nifti,
)
from . import (
    npz as npz,
)
