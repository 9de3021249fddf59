"""Divide a photograph into four kinds of region.

Leaves of four kinds lie over each other, in sun and shade. The model sees no leaf: it compares the
mean colour of the window around each pixel with four typical colours.
"""

import numpy as np

from latviz.core import Encoding, GaussianModel, encode, inertia, regions
from latviz.notebook import show
from latviz.workspace import make_picture

# %%
# The picture is one of the program's own. Yours is `np.asarray(PIL.Image.open("photo.jpg"))`.
photo = make_picture("leaves")[0].pixels

# %%
# Distances of colours in CIELAB are close to what people see.
lab = encode(photo, Encoding("lab")).values

# %%
# Four states, in windows of 2 · 2 + 1 = 5 by 5 pixels. In a notebook the model is shown as tables.
model = GaussianModel.fit(lab, n_states=4, window=2)
model

# %%
# Associativity is the share of neighbours with the same state, inertia says how pure windows are.
# The model applies if they are at least 0.5 and 0.9.
states = model.decode(lab)
print(f"associativity {model.A.trace() / model.A.sum():.3f}")
print(f"inertia {inertia(states, n_states=4, window=2):.3f}")

# %%
# Regions are connected parts of one state.
found = regions(lab, states=states, kind="gaussian")
print(f"{len(found)} regions; the largest has {np.max(found.areas)} pixels")
figure = show(model, photo, lab)
