"""What is on screen, as a program on the public core."""

from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from latviz import __version__
from latviz.core.data.encoding import Encoding
from latviz.engine.frame import Frame
from latviz.engine.picture import Picture
from latviz.engine.projection import ProjectionKind
from latviz.engine.scope import Scope
from latviz.engine.tradeoff import TradeOff

_DRAWN: dict[ProjectionKind | None, str] = {
    None: "all of the space",
    "polygon": "symbols are the corners of a polygon",
    "tetrahedron": "symbols are the corners of a tetrahedron, seen from one side",
    "principal": "the first two principal components of a sample",
    "components": "three components, seen from one side",
    "symbols": "three symbols are the corners of a triangle, all others are in its middle",
}


def python_of(frame: Frame, trade_off: TradeOff | None = None, session: str = "") -> str:
    """Return a script whose arrays ``states``, ``A``, ``B`` or ``means``, ``score`` are a frame's.

    So are ``codewords``, where the states are in the signature space, ``node_map`` and
    ``merge_costs``, as far as the frame has them. It learns from all signatures, whatever the frame
    did. With a trade-off its ``settings`` are those, in another order. ``session`` is the path of a
    session file that has the picture, if there is one.
    """
    parts = [*_head(frame), *_picture(frame, session), *_model(frame), *_score(frame)]
    parts += [*_space(frame), *_node_map(frame), *_tree(frame)]
    return "\n".join([*parts, *([] if trade_off is None else _sweep(frame, trade_off)), ""])


def _head(frame: Frame) -> list[str]:
    kind, picture = type(frame.model).__name__, frame.request.picture
    name = repr(picture.name)[1:-1].replace('"', '\\"')
    lines = [f'"""{name}, as latviz {__version__} showed it."""', ""]
    if frame.n_learned < frame.n_nodes:
        lines[0] = lines[0][:-3] + (
            f"\n\nOn screen the states were learned from a sample of {frame.n_learned:,} "
            f'{picture.node_name}s; here they are\nlearned from all.\n"""'
        )
    names = ", ".join(sorted([kind, "Encoding", "associativity", "encode", "inertia"]))
    more = ["from latviz.core.model.evaluation import stacked"] if _are_apart(frame) else []
    return [*lines, "import numpy as np", "", f"from latviz.core import {names}", *more]


def _picture(frame: Frame, session: str) -> list[str]:
    picture, encoding = frame.request.picture, frame.request.parameters.encoding
    source = _source(picture, session)
    return [*source, *_observations(picture, encoding), _values(frame), ""]


def _source(picture: Picture, session: str) -> list[str]:
    """Return how the picture is had: from its own file if it has one, else out of a session."""
    origin = picture.origin
    if "demo" in origin:
        return [
            "from latviz.workspace import make_picture",
            "",
            f"picture, _ = make_picture({origin['demo']!r})",
        ]
    if "path" in origin and not origin.get("embedded"):
        page, reduction = origin.get("page", 0), origin.get("reduction", 1)
        volume = ", volume=True" if picture.dimensions == 3 else ""
        return [
            "from latviz.workspace import read_picture",
            "",
            f"picture = read_picture({str(origin['path'])!r}, {page}, {reduction}{volume})",
        ]
    if session:
        return [
            "from latviz.workspace import read_session",
            "",
            f"picture, _ = read_session({session!r})  # the image is in there",
        ]
    more = _dimensions(picture) + (f", alphabet={picture.alphabet!r}" if picture.alphabet else "")
    return [
        "from latviz.engine.picture import Picture",
        "",
        f"# The image of {picture.size_text} is in no file: save the session, and copy this again;",
        "# or save the image as image.npy.",
        f'picture = Picture(np.load("image.npy"), "image"{more})',
    ]


def _observations(picture: Picture, encoding: Encoding) -> list[str]:
    more = f"labels=picture.labels{_dimensions(picture)}"
    if picture.alphabet:
        more = "alphabet=picture.alphabet"
    return [
        f"encoding = Encoding{astuple(encoding)!r}",
        f"observations = encode(picture.pixels, encoding, {more})",
    ]


def _dimensions(picture: Picture) -> str:
    return "" if picture.dimensions == 2 else f", dimensions={picture.dimensions}"


def _values(frame: Frame) -> str:
    if _are_apart(frame):
        return "values = list(observations.values)  # each slice is a lattice of its own"
    return "values = observations.values"


def _are_apart(frame: Frame) -> bool:
    return frame.request.parameters.slices_apart and frame.request.picture.dimensions == 3


def _model(frame: Frame) -> list[str]:
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    order = np.argsort(frame.row_slots).tolist()
    symbols = "n_symbols=observations.n_symbols, " if discrete else ""
    rows = "learned.B[order]" if discrete else "learned.means[order], learned.covariances[order]"
    kind, name = type(frame.model).__name__, "B" if discrete else "means"
    decoded, parts = "model.decode(values)", "states"
    if _are_apart(frame):
        decoded, parts = "np.stack([model.decode(one) for one in values])", "list(states)"
    return [
        f"learned = {kind}.fit(",
        f"    values, n_states={parameters.n_states}, {symbols}"
        f"window={parameters.effective_learning_window}, smoothing={parameters.smoothing}",
        ")",
        f"order = {order}  # of the states, by their colours",
        "A = learned.A[np.ix_(order, order)]",
        f"model = {kind}(A, {rows}, window={parameters.window})",
        f"states = {decoded}",
        f"{name} = model.{name}",
        f"print('associativity', associativity(A), 'inertia', "
        f"inertia({parts}, n_states={parameters.n_states}, window={parameters.window}))",
        "",
    ]


def _score(frame: Frame) -> list[str]:
    parameters, node = frame.request.parameters, frame.request.picture.node_name
    local = parameters.alpha_mode == "local"
    alpha = f"'local', local_base={parameters.alpha}" if local else repr(parameters.alpha)
    window, normalizer = parameters.effective_evaluation_window, parameters.normalizer
    how = f"window={window}, alpha={alpha}, normalizer={normalizer!r}"
    score = ["score = model.evaluate(", f"    values, {how}", ")"]
    if _are_apart(frame):
        score = ["score = stacked(", f"    [model.evaluate(one, {how}) for one in values]", ")"]
    told = f"'log-likelihood', score.log_likelihood, 'bits a {node}', score.bits_per_node"
    return [*score, f"print({told})"]


def _space(frame: Frame) -> list[str]:
    """Return where the states are in the signature space as it is drawn, if it is shown."""
    space, projection = frame.space, frame.request.projection
    if space is None:
        return []
    observations = frame.observations
    drawn = projection.drawn(observations.n_symbols, observations.discrete)
    lines = ["", f"# Where the states are drawn: {_DRAWN[drawn]}."]
    if space.corners is not None:  # a mixture of symbols is drawn at that mixture of the corners
        lines += _literal("corners", space.corners)
        return [*lines, "codewords = B @ corners  # a corner for each symbol"]
    lines += _literal("matrix", space.matrix)
    return [
        *lines,
        f"codewords = {space.origin.tolist()} + means @ matrix.T",
        "ellipses = matrix @ model.covariances @ matrix.T",
    ]


def _literal(name: str, matrix: NDArray[np.float64]) -> list[str]:
    rows = [f"        {row}," for row in matrix.tolist()]
    return [f"{name} = np.array(", "    [", *rows, "    ]", ")"]


def _node_map(frame: Frame) -> list[str]:
    """Return the map of one number a node, if it is shown."""
    if frame.map is None:
        return []
    if frame.map.kind == "likelihood":
        return ["", "node_map = score.node_log_likelihood / np.log(2)  # bits"]
    name, lattices, call = "belief_entropy", "values", "belief_entropy(model, {})"
    if frame.map.kind == "inertia":
        parameters = frame.request.parameters
        name, lattices = "local_inertia", "states"
        call = f"local_inertia({{}}, {parameters.n_states}, {parameters.window})"
    made = call.format(lattices)
    if _are_apart(frame):
        made = f"np.stack([{call.format('one')} for one in {lattices}])"
    return ["", f"from latviz.core import {name}", "", f"node_map = {made}"]


def _tree(frame: Frame) -> list[str]:
    """Return what the last merges cost, if the merge tree is shown."""
    if frame.tree is None:
        return []
    window = frame.request.parameters.effective_learning_window
    lattices = "values" if _are_apart(frame) else "[values]"
    return [
        "",
        "from latviz.core.model.learning import learn_tree",
        "",
        f"lattices = [model.lattice(one) for one in {lattices}]",
        f"tree = learn_tree(lattices, model.n_symbols, window={window})",
        f"merge_costs = tree.costs[::-1][:{frame.tree.n_leaves - 1}]  # of 2 to 1, 3 to 2, ...",
    ]


def _sweep(frame: Frame, trade_off: TradeOff) -> list[str]:
    parameters, discrete = frame.request.parameters, frame.observations.discrete
    values, truth = (
        _part(name, trade_off.scope) for name in ("observations.values", "picture.truth")
    )
    kind = '"discrete", n_symbols=observations.n_symbols' if discrete else '"gaussian"'
    return [
        "",
        "from latviz.core import sweep",
        "",
        "settings = list(",
        "    sweep(",
        f"        {values},",
        f"        windows={list(trade_off.windows)},",
        f"        states={list(trade_off.states)},",
        f"        kind={kind},",
        f"        hole={trade_off.hole},",
        f"        near=({parameters.n_states}, {parameters.window}),",
        *([f"        truth={truth},"] if trade_off.has_truth else []),
        "    )",
        ")",
        "for s in settings:",
        "    print(s.n_states, s.window, s.code_length, s.standard_error)",
    ]


def _part(name: str, scope: Scope) -> str:
    """Return the lattices of an array that are looked at."""
    part = f"{name}[{', '.join(f'{s.start}:{s.stop}' for s in scope.region)}]"
    return f"list({part})" if scope.apart else part
