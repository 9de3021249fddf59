"""Find regimes in a time series.

A machine switches between three regimes that differ in level and in noise. A sequence is a lattice
of one dimension: the window holds what was measured shortly before and after.
"""

import numpy as np
from matplotlib import pyplot as plt

from latviz.core import GaussianModel, matched_accuracy, refine, sample_chain

# %%
# 1,500 measurements of two quantities. A regime lasts for 100 of them on average.
rng = np.random.default_rng(0)
stay = np.full((3, 3), 0.005) + 0.985 * np.eye(3)
regime = sample_chain(stay, length=1500, random_state=1)
level = np.array([[0.0, 1.0], [0.8, 1.0], [0.4, 0.2]])[regime]
series = level + rng.normal(0, 0.7, level.shape)

# %%
# Windows of 2 · 12 + 1 = 25 measurements find the regimes. Their ends are blurred, because there a
# window holds two regimes.
model = GaussianModel.fit(series, n_states=3, window=12)
by_windows = model.decode(series)

# %%
# In sequences beliefs are exact: they weigh each measurement against its neighbours' regimes. They
# find the ends better. `refine` learns the model from beliefs, again and again.
refined = refine(series, model=model).model
by_belief = refined.decode(series, decoder="belief")
for name, states in (("windows", by_windows), ("belief", by_belief)):
    print(f"{name}: {matched_accuracy(states, regime):.1%} are right")

# %%
# The regimes that were found are under the true ones. States come in no order, so their colours
# differ.
figure, (above, below) = plt.subplots(2, figsize=(11, 4), sharex=True, layout="constrained")
above.plot(series)
below.imshow([regime, by_belief], aspect="auto", interpolation="nearest")
below.set_yticks([0, 1], ["true", "found"])
