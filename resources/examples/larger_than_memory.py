"""Decode an image that is larger than memory.

`latviz.scale` takes dask and zarr arrays and reads them chunk by chunk. Its states equal those of
the whole image, also along the edges of chunks. It needs
`pip install "latviz[scale] @ git+https://github.com/latviz/latviz"`.
"""

import dask.array as da
import numpy as np

from latviz import scale
from latviz.core import DiscreteModel, emit, sample_blobs
from latviz.notebook import show

# %%
# A small image stands for a large one, in chunks of 64 by 64 pixels. A file would be opened by
# `da.from_zarr("slide.zarr")`.
truth = sample_blobs((192, 192), n_states=3, scale=12.0, random_state=1)
symbols = emit(truth, emission=0.4 * np.eye(3) + 0.2, random_state=2)
chunks = da.from_array(symbols, chunks=64)

# %%
# Learning reads the chunks once. Decoding is lazy: nothing is computed before it is asked for.
model = scale.fit(chunks, n_states=3, window=5, n_symbols=3)
states = scale.decode(chunks, model=model)
print(states)

# %%
# One chunk alone, with the pixels around it that its windows reach.
part = states[64:128, 64:128].compute()
print("equal:", np.array_equal(part, model.decode(symbols)[64:128, 64:128]))

# %%
# The same model as from memory.
print("the same B:", np.array_equal(model.B, DiscreteModel.fit(symbols, n_states=3, window=5).B))
figure = show(model, symbols)
