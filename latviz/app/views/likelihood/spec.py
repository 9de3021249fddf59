"""The log-likelihood, as a view."""

import numpy as np

from latviz.app.views.likelihood.view import LikelihoodView
from latviz.app.views.spec import Rows, ViewSpec
from latviz.app.views.verbs import COMPARING
from latviz.core.digits import ErrorScale
from latviz.engine.frames.frame import Frame


def table_rows(frame: Frame) -> Rows:
    """Return the terms in bits per node and in nats."""
    e = frame.evaluation
    if e is None:
        return []
    n_bits, unit = e.n_nodes * float(np.log(2.0)), f"bits per {frame.request.picture.node_name}"
    terms = (("Data", e.data_term), ("Pairs", e.pair_term), ("Total", e.log_likelihood))
    found: Rows = [[name, nats / n_bits, nats] for name, nats in terms]
    code = frame.code_lengths
    if code is not None:
        error, one = code.states.bits, code.one.bits
        lengths = ErrorScale.of([error], one).rows(error, one, unit)
        found += [[name, value, ""] for name, value in lengths]
    return [["Term", unit.capitalize(), "Nats"], *found]


SPEC = ViewSpec(
    name="likelihood",
    title=LikelihoodView.TITLE,
    make=LikelihoodView,
    help=(
        "The log-likelihood of the image under the model, which is not normalised, in bits per "
        "pixel. It is split into what the symbols add (data term) and what neighbouring states "
        "add (pair term). Next to it is the prediction error of left-out pixels, which can be "
        "compared between settings."
    ),
    scrolled=True,
    needs=LikelihoodView.NEEDS,
    verbs=lambda _view, _context: ("Choose both", COMPARING),
    table=lambda _view, frame: table_rows(frame),
)
