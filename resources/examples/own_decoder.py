"""Write a decoder of your own, and compare it.

A decoder gives each pixel its state. A model has all that one needs: A, B and the shares of symbols
in windows. This one, iterated conditional modes, takes in turn the best state of each pixel, given
its four neighbours.
"""

import numpy as np
from matplotlib import pyplot as plt

from latviz.core import DiscreteModel, emit, matched_accuracy, sample_blobs

# %%
truth = sample_blobs((128, 128), n_states=3, scale=8.0, random_state=1)
symbols = emit(truth, emission=0.4 * np.eye(3) + 0.2, random_state=2)
model = DiscreteModel.fit(symbols, n_states=3, window=3)


# %%
# The energy of a state is its -log b(q, o), minus log a(q, r) for each neighbour r. Pixels are
# visited as on a checkerboard, so that neighbours never change at once.
def icm(model, symbols, sweeps=6):
    """Return the states of least energy, from those of the nearest codeword on."""
    own, pairs = np.log(model.B[:, symbols]), np.log(model.A + 1e-6)
    states = model.decode(symbols)
    colour = np.indices(states.shape).sum(axis=0) % 2
    for sweep in range(2 * sweeps):
        around = np.pad(states, 1, mode="edge")
        near = around[:-2, 1:-1], around[2:, 1:-1], around[1:-1, :-2], around[1:-1, 2:]
        score = own + sum(pairs[:, side] for side in near)
        states = np.where(colour == sweep % 2, score.argmax(axis=0), states)
    return states


# %%
# Against the program's own decoders.
found = {name: model.decode(symbols, decoder=name) for name in ("nearest", "likelihood", "belief")}
found["own"] = icm(model, symbols)
figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
for one, (name, states) in zip(axes, found.items(), strict=True):
    accuracy = matched_accuracy(states, truth)
    print(f"{name}: {accuracy:.1%} of the pixels are right")
    one.imshow(states, interpolation="nearest")
    one.set_title(f"{name} {accuracy:.1%}")
    one.axis("off")
