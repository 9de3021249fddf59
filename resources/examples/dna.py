"""Find islands in DNA, where two letters are more frequent.

Genomes have islands rich in C and G. Letters become symbols; the window counts letters, and states
are typical mixtures of letters.
"""

import numpy as np
from matplotlib import pyplot as plt

from latviz.core import DiscreteModel, matched_accuracy, sample_chain

# %%
# 20,000 letters, of which some 300 at a time are an island.
rng = np.random.default_rng(0)
island = sample_chain([[0.999, 0.001], [0.003, 0.997]], length=20_000, random_state=3)
shares = np.array([[0.30, 0.20, 0.20, 0.30], [0.15, 0.35, 0.35, 0.15]])[island]
letters = np.array(list("ACGT"))[(rng.random((20_000, 1)) > shares.cumsum(axis=1)).sum(axis=1)]

# %%
# Symbols are numbers: 0 for A, 1 for C, 2 for G and 3 for T.
alphabet, symbols = np.unique(letters, return_inverse=True)
model = DiscreteModel.fit(symbols, n_states=2, window=60)
for state, row in enumerate(model.B):
    print(f"state {state}:", ", ".join(f"{a} {p:.0%}" for a, p in zip(alphabet, row, strict=True)))

# %%
# Single letters say little, so windows must be wide: the share of right letters grows with w, until
# windows are wider than islands.
for window in (5, 20, 60, 240):
    states = DiscreteModel.fit(symbols, n_states=2, window=window).decode(symbols)
    print(f"w = {window}: {matched_accuracy(states, island):.1%}")

# %%
figure, axes = plt.subplots(figsize=(11, 2), layout="constrained")
axes.imshow([island, model.decode(symbols)], aspect="auto", interpolation="nearest")
axes.set_yticks([0, 1], ["true", "found"])
