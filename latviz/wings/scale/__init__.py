"""Images larger than memory: the core on dask arrays, finer levels on zooming in, whole folders.

Functions take the same arguments as in `latviz.core`, but arrays are dask arrays (or zarr arrays):
one lattice, a list of them, or a result of `chunked`. Values of nodes are dask arrays, which are
computed on request. Single numbers are computed at once, by the scheduler that dask is set to:
threads, or a ``distributed.Client`` with workers anywhere.

Chunks are computed with the surrounding nodes that the computation needs, so that the result is
that of the whole array: states, beliefs and counts bit for bit, sums up to rounding.
``__init__.pyi`` lists the names, which are loaded at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
