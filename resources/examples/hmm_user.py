"""Find out when a casino rolled its loaded die.

If you know HMMs: A and B have the same meaning, Viterbi and forward-backward are there. Learning
needs no start: it is not an EM, and always ends with the same model.
"""

import numpy as np
from matplotlib import pyplot as plt

from latviz.core import DiscreteModel, matched_accuracy, sample_chain

# %%
# The casino swaps its fair die for a loaded one, and back.
transitions = np.array([[0.95, 0.05], [0.10, 0.90]])
emissions = np.array([[1 / 6] * 6, [0.1] * 5 + [0.5]])
rng = np.random.default_rng(0)
dice = sample_chain(transitions, length=2000, random_state=1)
rolls = (rng.random((2000, 1)) > emissions[dice].cumsum(axis=1)).sum(axis=1)

# %%
# With known matrices: the most probable path, and the posterior of each roll. Neighbours have no
# order, so a pair weighs the root of a(i, j) a(j, i).
given = DiscreteModel(A=transitions, B=emissions, window=0)
path = given.decode(rolls, decoder="viterbi")
posterior = given.beliefs(rolls)
print(f"Viterbi: {np.mean(path == dice):.1%} of the rolls are right")
print(f"forward-backward: {np.mean(posterior.argmax(axis=-1) == dice):.1%}")

# %%
# Without matrices, `fit` learns them from the shares of faces in windows. It is always the same,
# with no start to choose. States come in no order, so they are matched with the dice.
learned = DiscreteModel.fit(rolls, n_states=2, window=8)
found = learned.decode(rolls)
print(f"learned: {matched_accuracy(found, dice):.1%}")
print("the probability of a six in each state:", learned.B[:, 5].round(2))

# %%
figure, axes = plt.subplots(figsize=(11, 2), layout="constrained")
axes.plot(posterior[:300, 1])
axes.fill_between(range(300), dice[:300], alpha=0.3, step="mid")
axes.set_ylabel("loaded")
