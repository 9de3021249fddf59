"""Divide an image of four stains into kinds of tissue.

Fluorescence microscopes record a channel for each stain. A kind of tissue is a mixture of stains,
so no threshold of one channel finds it. The model takes any number of channels.
"""

import numpy as np

from latviz.core import Encoding, GaussianModel, encode, sample_blobs
from latviz.notebook import show

# %%
# Three kinds of tissue, and how bright each of four stains is in them, counted in photons.
rng = np.random.default_rng(0)
brightness = np.array([[40, 4, 9, 30], [6, 30, 25, 8], [15, 14, 60, 2]])
tissue = sample_blobs((160, 160), n_states=3, scale=10.0, random_state=2)
stains = rng.poisson(brightness[tissue]).astype(np.uint16)

# %%
# Channels are divided by their standard deviations, or the brightest stain would decide alone.
names = ("nuclei", "actin", "tubulin", "vessels")
seen = encode(stains, Encoding("channels", scaled=True), channels=names)
model = GaussianModel.fit(seen.values, n_states=3, window=2)
figure = show(model, stains[..., :3].clip(0, 60) * 4, seen.values)

# %%
# The mean of each stain in each state, in photons.
states = model.decode(seen.values)
means = np.array([stains[states == j].mean(axis=0) for j in range(3)])
for j, row in enumerate(means):
    print(f"state {j}:", ", ".join(f"{n} {m:.0f}" for n, m in zip(names, row, strict=True)))
