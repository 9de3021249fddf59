"""Learn classes of images from examples.

A classifier learns which states each class of images has, and how often. It follows scikit-learn's
conventions, so cross-validation and pipelines take it.
"""

import numpy as np
from matplotlib import pyplot as plt

from latviz.core import Encoding, LatticeClassifier, sample_blobs

# %%
# Two classes of images hold the same three kinds of region. In the second they are twice as large.
rng = np.random.default_rng(0)
labels = np.tile(["fine", "coarse"], 16)


def image(k, label):
    """Return a grey image of a class."""
    regions = sample_blobs(
        (64, 64), n_states=3, scale=4.0 if label == "fine" else 8.0, random_state=k
    )
    return (80 * regions + rng.normal(40, 20, regions.shape)).clip(0, 255).astype(np.uint8)


images = [image(k, label) for k, label in enumerate(labels)]

# %%
# Half of the images teach, the others test.
classifier = LatticeClassifier(Encoding("quantiles", 8), n_states=6)
classifier.fit(images[:16], labels[:16])
print(f"right: {classifier.score(images[16:], labels[16:]):.0%} of 16 images")
print(classifier.trained_.summary)

# %%
# Probabilities of the first four.
figure, axes = plt.subplots(1, 4, figsize=(11, 3), layout="constrained")
shares = classifier.predict_proba(images[16:20])
for one, picture, share in zip(axes, images[16:20], shares, strict=True):
    one.imshow(picture, cmap="gray")
    one.set_title(
        ", ".join(f"{c} {p:.0%}" for c, p in zip(classifier.classes_, share, strict=True))
    )
    one.axis("off")
