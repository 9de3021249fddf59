"""Numbers of the log-likelihood."""

import numpy as np

from latviz.engine.frame import Frame
from latviz.engine.tables import Rows


def rows(frame: Frame) -> Rows:
    """Return the terms in bits per node and in nats."""
    e = frame.evaluation
    if e is None:
        return []
    unit = e.n_nodes * float(np.log(2.0))
    terms = (("Data", e.data_term), ("Pairs", e.pair_term), ("Total", e.log_likelihood))
    found: Rows = [[name, nats / unit, nats] for name, nats in terms]
    return [["Term", "Bits per pixel", "Nats"], *found]
