"""The log-likelihood, as a view."""

from latviz.app.docks import Place
from latviz.app.views.likelihood import table
from latviz.app.views.likelihood.view import LikelihoodView
from latviz.app.views.spec import ViewSpec

SPEC = ViewSpec(
    name="likelihood",
    title=LikelihoodView.TITLE,
    make=LikelihoodView,
    place=Place("below", "indices", height=190),
    help="The logarithm of the image's probability under the model, in bits per pixel, split into "
    "what the symbols add (data term) and what neighbouring states add (pair term).",
    needs=LikelihoodView.NEEDS,
    table=lambda _view, frame: table.rows(frame),
)
