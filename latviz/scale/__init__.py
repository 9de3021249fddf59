"""The core on dask arrays: lattices that are larger than one machine's memory.

Functions take what `latviz.core` takes, but arrays are dask arrays (or zarr arrays): one lattice, a
list of them, or what `chunked` made of them. What has a value for each node is a dask array, which
is computed when it is asked for; what is one number is computed at once, by whatever scheduler dask
is set to: threads, or a ``distributed.Client``, whose workers may be anywhere.

Chunks are computed with as many nodes around them as what is computed looks at, so that the result
is that of the whole array: states, beliefs and counts bit for bit, sums but for rounding.
``__init__.pyi`` lists the names, which are loaded at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
