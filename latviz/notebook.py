"""Pictures for notebooks, drawn by matplotlib: ``pip install 'latviz[notebook]'``.

Models, regions and choices of `latviz.core` show themselves as tables in notebooks, without it.
"""

from functools import partial
from io import BytesIO
from typing import Any

import numpy as np

from latviz.core.errors import ParameterError
from latviz.core.model.models import check_model
from latviz.engine.settings.palette import SLOT_COLORS, coloured

__all__ = ["show"]


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
        raise ImportError("show needs matplotlib: pip install 'latviz[notebook]'") from error
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


def _plane(array: Any, dimensions: int) -> Any:
    """Return the plane that is drawn of a lattice of some dimensions."""
    if dimensions == 3:
        return array[len(array) // 2]
    return array[None] if dimensions == 1 else array


def _aspect(array: Any) -> str:
    return "auto" if len(array) == 1 < array.shape[1] else "equal"
