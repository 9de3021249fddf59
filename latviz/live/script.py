"""What is on screen, as a program on the public core."""

from dataclasses import astuple

import numpy as np

from latviz import __version__
from latviz.live.frame import Frame


def python_of(frame: Frame) -> str:
    """Return a script whose arrays ``states``, ``A``, ``B`` or ``means``, ``score`` are a frame's.

    It learns from all signatures, whatever the frame did.
    """
    return "\n".join([*_head(frame), *_picture(frame), *_model(frame), *_score(frame), ""])


def _head(frame: Frame) -> list[str]:
    kind = type(frame.model).__name__
    lines = [f'"""{frame.request.picture.name}, as latviz {__version__} showed it."""', ""]
    if frame.n_learned < frame.n_nodes:
        lines[0] = lines[0][:-3] + (
            f"\n\nOn screen the states were learned from a sample of {frame.n_learned:,} pixels; "
            'here they are\nlearned from all.\n"""'
        )
    return [
        *lines,
        "import numpy as np",
        "",
        f"from latviz.core import Encoding, {kind}, associativity, encode, inertia",
    ]


def _picture(frame: Frame) -> list[str]:
    picture, encoding = frame.request.picture, frame.request.parameters.encoding
    origin = picture.origin
    if "path" in origin:
        page, reduction = origin.get("page", 0), origin.get("reduction", 1)
        lines = [
            "from latviz.headless import read_picture",
            "",
            f"picture = read_picture({str(origin['path'])!r}, {page}, {reduction})",
        ]
    elif "demo" in origin:
        lines = [
            "from latviz.headless import make_picture",
            "",
            f"picture, _ = make_picture({origin['demo']!r})",
        ]
    else:
        height, width = picture.shape
        lines = [
            "from latviz.live.parameters import Picture",
            "",
            f"# The image of {width} x {height} pixels came from no file: save it as image.npy.",
            'picture = Picture(np.load("image.npy"), "image")',
        ]
    return [
        *lines,
        f"encoding = Encoding{astuple(encoding)!r}",
        "observations = encode(picture.pixels, encoding, labels=picture.labels)",
        "values = observations.values",
        "",
    ]


def _model(frame: Frame) -> list[str]:
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    order = np.argsort(frame.row_slots).tolist()
    symbols = "n_symbols=observations.n_symbols, " if discrete else ""
    rows = "learned.B[order]" if discrete else "learned.means[order], learned.covariances[order]"
    kind, name = type(frame.model).__name__, "B" if discrete else "means"
    return [
        f"learned = {kind}.fit(",
        f"    values, n_states={parameters.n_states}, {symbols}"
        f"window={parameters.effective_learning_window}, smoothing={parameters.smoothing}",
        ")",
        f"order = {order}  # of the states, by their colours",
        "A = learned.A[np.ix_(order, order)]",
        f"model = {kind}(A, {rows}, window={parameters.window})",
        "states = model.decode(values)",
        f"{name} = model.{name}",
        f"print('associativity', associativity(A), 'inertia', "
        f"inertia(states, n_states={parameters.n_states}, window={parameters.window}))",
        "",
    ]


def _score(frame: Frame) -> list[str]:
    parameters = frame.request.parameters
    local = parameters.alpha_mode == "local"
    alpha = f"'local', local_base={parameters.alpha}" if local else repr(parameters.alpha)
    return [
        "score = model.evaluate(",
        f"    values, window={parameters.effective_evaluation_window}, alpha={alpha}, "
        f"normalizer={parameters.normalizer!r}",
        ")",
        "print('log-likelihood', score.log_likelihood, 'bits a pixel', score.bits_per_node)",
    ]
