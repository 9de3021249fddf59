"""Pictures and a widget for notebooks, by packages that the extra ``notebook`` adds.

Models, regions and choices of `latviz.core` show themselves as tables in notebooks, without it.
"""

from base64 import b64encode
from functools import partial
from io import BytesIO
from typing import Any

import numpy as np

from latviz.core.checks import check_integer
from latviz.core.data.data_set import as_data_set
from latviz.core.disk.reading import read_text
from latviz.core.errors import ParameterError
from latviz.core.extras import install
from latviz.core.model.learning import learn_tree
from latviz.core.model.models import check_model
from latviz.engine.settings.palette import SLOT_COLORS, coloured
from latviz.engine.settings.parameters import window_range
from latviz.resources import resource
from latviz.sharing.live import written_tree

__all__ = ["explore", "show"]
_MOST_SIDE = 1024


def show(model: Any, image: Any, observations: Any = None, *, mask: Any = None) -> Any:
    """Draw an image beside the states that a model gives it, and the model's A.

    Of a volume the middle slice is drawn, of a sequence a strip.

    Parameters
    ----------
    model : DiscreteModel or GaussianModel
    image : array_like, shape (*shape) or (*shape, 3) or (*shape, 4)
        What is drawn: grey or symbols, or colours; d from 1 to 3.
    observations : ndarray, optional
        What is decoded, as for the model's `decode`: the encoding of the image. By default the
        image itself.
    mask : ndarray, shape (*shape), bool, optional
        True where a node is known; others are hatched.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ImportError
        If matplotlib is missing.
    ParameterError
        If the observations do not fit the model, or the image does not have their shape.

    Examples
    --------
    >>> import numpy as np
    >>> from latviz.core import DiscreteModel, stripes
    >>> o = stripes((16, 16), widths=4)
    >>> model = DiscreteModel.fit(o, n_states=2, window=1)
    >>> [axes.get_title() for axes in show(model, o).axes[:3]]
    ['Image', 'States, w = 1', 'A']
    """
    try:
        from matplotlib.figure import Figure  # not at the top: it may be missing
    except ImportError as error:
        raise ImportError(f"show needs matplotlib: {install('notebook')}") from error
    pixels = np.asarray(image)
    observed = pixels if observations is None else observations
    states: Any = check_model(model).decode(observed, mask=mask)
    if isinstance(states, list) or states.ndim > 3:
        raise ParameterError("show draws one lattice with 1 to 3 dimensions")
    if pixels.shape[: states.ndim] != states.shape:
        raise ParameterError(
            f"the image must have the shape of its states, {states.shape}, got {pixels.shape}"
        )
    numbers = np.resize(SLOT_COLORS, (model.n_states, 3))
    drawn = {
        "Image": _plane(pixels, states.ndim),
        f"States, w = {model.window}": coloured(_plane(states, states.ndim), numbers),
        "A": model.A,
    }
    figure: Any = Figure(figsize=(11, 4), layout="constrained")
    for axes, (title, array) in zip(figure.subplots(1, 3), drawn.items(), strict=True):
        shown = axes.imshow(array, cmap="Blues" if title == "A" else "gray", aspect=_aspect(array))
        axes.set_title(title)
        axes.set_xticks(range(model.n_states) if title == "A" else [])
        axes.set_yticks(range(model.n_states) if title == "A" else [])
    figure.colorbar(shown, ax=axes)
    figure._repr_png_ = partial(_png, figure)  # notebooks show it without pyplot
    return figure


def _png(figure: Any) -> bytes:
    buffer = BytesIO()
    figure.savefig(buffer, format="png")
    return buffer.getvalue()


def explore(
    observations: Any,
    *,
    n_states: int = 4,
    window: int = 3,
    alpha: float = 1.0,
    n_symbols: int | None = None,
    colors: Any = None,
    mask: Any = None,
) -> Any:
    """Return a widget: sliders of N, w and alpha, and the map of states that they give.

    The browser decodes, so sliders need no kernel. The codebook is learned once, with ``window``
    as w_l. Python reads and sets the widget's ``n_states``, ``window`` and ``alpha``; the model of
    the map is ``DiscreteModel.fit(observations, n_states=.., window=.., codebook_window=..)``.

    Parameters
    ----------
    observations : ndarray of int, shape (n,) or (H, W)
        Symbols 0..M-1, M at most 254; H and W at most 1,024.
    n_states, window, alpha : optional
        Where the sliders begin: N from 1 to 32, w from 0 to 64, or to an eighth of a longer
        sequence, alpha from 0.01 to 1.
    n_symbols : int, optional
        M; by default the largest symbol + 1.
    colors : array_like, shape (M, 3), uint8, optional
        The colours of symbols; by default greys.
    mask : ndarray, shape (*shape), bool, optional
        True where a node is known.

    Returns
    -------
    anywidget.AnyWidget

    Raises
    ------
    ImportError
        If anywidget is missing.
    ParameterError
        If the observations are not of that kind, or an argument is outside its range.
    """
    try:
        import anywidget  # not at the top: it may be missing
        import traitlets  # as above
    except ImportError as error:
        raise ImportError(f"explore needs anywidget: {install('notebook')}") from error
    data = as_data_set(observations, kind="discrete", n_symbols=n_symbols, mask=mask)
    (shape,), size = data.shapes, data.n_symbols
    if len(shape) > 2 or size > 254 or (len(shape) == 2 and max(shape) > _MOST_SIDE):
        raise ParameterError(
            f"explore shows a sequence or an image of at most {_MOST_SIDE} by {_MOST_SIDE} and 254 "
            f"symbols, got {shape} and {size} symbols"
        )
    tree = written_tree(learn_tree(data.lattices, size, window))
    check_integer("n_states", n_states, 1, tree["n"])
    symbols = np.asarray(data.values[0], np.uint8)
    known = np.ones(shape, bool) if mask is None else np.asarray(mask)
    height, width = np.atleast_2d(symbols).shape
    _, most = window_range(width if height == 1 else 0)
    greys = np.linspace(0, 255, size).round().astype(np.uint8)[:, None].repeat(3, axis=1)
    content = {
        "picture": {
            "symbols": b64encode(np.where(known, symbols, np.uint8(size)).tobytes()).decode(),
            "height": height,
            "width": width,
            "size": size,
            "dimensions": len(shape),
            "colors": (greys if colors is None else np.asarray(colors)).tolist(),
        },
        "tree": tree,
        "most": most,
        "colors": SLOT_COLORS.tolist(),
    }
    parts = (read_text(resource(f"live/{name}.js")) for name in ("model", "widget"))
    fields = {
        "_esm": "\n".join(parts),
        "content": traitlets.Dict().tag(sync=True),
        "n_states": traitlets.Int(min=1, max=tree["n"]).tag(sync=True),
        "window": traitlets.Int(min=0, max=most).tag(sync=True),
        "alpha": traitlets.Float(min=0.01, max=1.0).tag(sync=True),
    }
    kind = type("Explorer", (anywidget.AnyWidget,), fields)
    return kind(content=content, n_states=n_states, window=window, alpha=alpha)


def _plane(array: Any, dimensions: int) -> Any:
    """Return the plane that is drawn of a lattice of some dimensions."""
    if dimensions == 3:
        return array[len(array) // 2]
    return array[None] if dimensions == 1 else array


def _aspect(array: Any) -> str:
    return "auto" if len(array) == 1 < array.shape[1] else "equal"
