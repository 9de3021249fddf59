"""Tell fabrics apart that have the same greys.

Stripes in three directions hold the same greys, so the grey of a pixel says nothing. Filters answer
to a direction; the window then adds up their answers.
"""

import numpy as np

from latviz.core import (
    Encoding,
    GaussianModel,
    encode,
    matched_accuracy,
    sample_voronoi,
)
from latviz.notebook import show

# %%
# Ten pieces of three fabrics, with noise.
rng = np.random.default_rng(0)
truth = sample_voronoi((128, 128), n_regions=10, n_states=3, random_state=1)
rows, columns = np.indices(truth.shape)
woven = np.choose(truth, [np.sin(along / 1.3) for along in (rows, columns, rows + columns)])
picture = (128 + 60 * woven + rng.normal(0, 20, truth.shape)).clip(0, 255).astype(np.uint8)

# %%
# A third would be right by chance. `filters` are the energies of oriented filters.
for name in ("grey", "filters"):
    seen = encode(picture, Encoding(name)).values
    model = GaussianModel.fit(seen, n_states=3, window=5)
    accuracy = matched_accuracy(model.decode(seen), truth)
    print(f"{name}: {accuracy:.0%} of the pixels are in their true state")
figure = show(model, picture, seen)
