"""The frame on screen, as a program on the public core."""

import json
from collections.abc import Iterable
from dataclasses import fields, replace
from itertools import chain

import numpy as np

from latviz import __version__
from latviz.core.data.encoding import Encoding
from latviz.core.model.archive import numbers_and_arrays
from latviz.core.model.fitting import FitSettings
from latviz.engine.frames.frame import Frame
from latviz.engine.pictures.leaving import LEFT_OUT
from latviz.engine.pictures.picture import Picture, PictureSet
from latviz.engine.settings.given import Given
from latviz.engine.settings.parameters import Parameters, in_force


def python_of(frame: Frame, parts: Iterable[list[str]] = (), session: str = "") -> str:
    """Return a script that computes ``states``, ``A``, ``B`` or ``means``, ``score`` of a frame."""
    # It learns from all signatures, even if the frame did not. ``parts`` are lines of the views;
    # ``session`` is the path of a session file with the picture
    own = *_head(frame), *_picture(frame, session), *_model(frame), *_score(frame)
    return "\n".join([*own, *chain.from_iterable(parts), ""])


def _head(frame: Frame) -> list[str]:
    kind, picture = type(frame.model).__name__, frame.request.picture
    name = repr(picture.name)[1:-1].replace('"', '\\"')
    lines = [f'"""{name}, as latviz {__version__} showed it."""', ""]
    if frame.sampled:
        lines[0] = lines[0][:-3] + (
            f"\n\nOn screen the states were learned from a sample of {frame.n_learned:,} "
            f'{picture.node_name}s; here they are\nlearned from all.\n"""'
        )
    used = [kind, "Encoding", "associativity", "encode", "inertia"]
    decoding = frame.request.parameters.decoding
    used += [decoding.refining] if decoding.refines else []
    applied = frame.request.given is not None
    lines += ["import json", "from dataclasses import replace", ""] if applied else []
    used += ["Encoder"] if applied else []
    names = ", ".join(sorted(used))
    return [*lines, "import numpy as np", "", f"from latviz.core import {names}"]


def _picture(frame: Frame, session: str) -> list[str]:
    picture, encoding = frame.request.picture, frame.request.parameters.encoding
    pictures, several = frame.request.modelled, are_several(frame)
    source = _source_of_files(pictures) or _source(picture, session, several)
    if frame.request.given is not None:
        given = _given(frame.request.given)
        return [*source, *given, *_by_encoder(picture, is_masked(frame)), *_values(frame), ""]
    made = (_of_known if is_masked(frame) else _observations)(picture, encoding, several)
    if pictures.other is not None:
        made = [
            *made[:-1],
            "encoder = observed[0].encoder",
            *_by_encoder(picture, is_masked(frame)),
        ]
    return [*source, *made, *_values(frame), ""]


_CHANGES = "truth", "coloured", "part", LEFT_OUT
_OF_FILES = ("path", "axes", "page", "reduction", "volume", "mask", "sha256", *_CHANGES)
"""The parts of an origin that are needed to read a picture again."""


def _source_of_files(pictures: PictureSet) -> list[str]:
    """Return lines that load pictures of several files, or parts of files; [] for others."""
    origins = [picture.origin for picture in pictures.everything]
    paths = {origin.get("path") for origin in origins}
    is_changed = any({*_CHANGES} & origin.keys() for origin in origins)
    if None in paths or any(origin.get("embedded") for origin in origins):
        return []
    if len(paths) == 1 and not is_changed and pictures.other is None:
        return []
    kept = [{name: o[name] for name in _OF_FILES if name in o} for o in origins]
    members = kept[: len(pictures.members)]
    lines = [
        "from latviz.workspace import read_again, read_from",
        "",
        "pictures = read_again([  # the pictures to learn from",
        *(f"    {origin!r}," for origin in members),
        f"]).showing({pictures.shown})",
    ]
    if pictures.other is None:
        return [*lines, "picture = pictures.picture"]
    return [*lines, f"picture = read_from({kept[-1]!r})"]


def _given(given: Given) -> list[str]:
    """Return the model that is applied, and its encoder."""
    numbers, arrays = numbers_and_arrays(given.model)
    values = [f"{name}=np.array({array.tolist()})" for name, array in arrays.items()]
    values += [f"{name}={value!r}" for name, value in numbers.items() if value is not None]
    return [
        f"# The model {given.name!r}, which was learned from other pictures.",
        f"encoder = Encoder.from_dict(json.loads({json.dumps(given.encoder.to_dict())!r}))",
        f"applied = {type(given.model).__name__}({', '.join(values)})",
    ]


def _by_encoder(picture: Picture, masked: bool) -> list[str]:
    """Return lines that encode a picture as others were."""
    if masked:
        return [_DATA_SETS, "observations = data_sets.encoded_by(encoder, picture)"]
    own = _dimensions(picture) if picture.dimensions > 1 else ""
    labels = ", labels=picture.labels" if picture.labels is not None else ""
    return [f"observations = encoder.encode(picture.pixels{labels}{own})"]


def _source(picture: Picture, session: str, several: bool) -> list[str]:
    """Return lines that get the picture: from its own file if it has one, else out of a session."""
    read, name = ("read_pictures", "pictures") if several else ("read_picture", "picture")
    shown = ["picture = pictures.picture"] if several else []
    origin = picture.origin
    if {LEFT_OUT, "axes"} & origin.keys() and "demo" in origin:
        return [
            "from latviz.workspace import read_again",
            "",
            f"picture = read_again([{dict(origin)!r}]).picture",
        ]
    if "demo" in origin:
        return [
            "from latviz.workspace import make_picture",
            "",
            f"picture, _ = make_picture({origin['demo']!r})",
        ]
    if "path" in origin and not origin.get("embedded"):
        axes, reduction = origin.get("axes", origin.get("page", 0)), origin.get("reduction", 1)
        mask = f", mask={origin['mask']!r}" if "mask" in origin else ""
        return [
            f"from latviz.workspace import {read}",
            "",
            f"{name} = {read}({str(origin['path'])!r}, {axes!r}, {reduction}{mask})",
            *shown,
        ]
    if session:
        return [
            "from latviz.workspace import read_session",
            "",
            f"pictures, _ = read_session({session!r})  # it contains the image",
            "picture = pictures.picture",
        ]
    more = _dimensions(picture) + (f", alphabet={picture.alphabet!r}" if picture.alphabet else "")
    masked = picture.known is not None
    more += ', known=np.load("known.npy")' if masked else ""
    return [
        "from latviz.engine.pictures.picture import Picture",
        "",
        f"# The image of {picture.size_text} is not in a file: save the session and copy this "
        "again,",
        f"# or save the image as image.npy{', and which pixels are known as known.npy' * masked}.",
        f'picture = Picture(np.load("image.npy"), "image"{more})',
    ]


_DATA_SETS = "from latviz.engine.pictures import data_sets"


def _of_known(picture: Picture, encoding: Encoding, several: bool) -> list[str]:
    """Return lines that encode pictures, some of whose pixels are unknown."""
    made, *_ = _observations(picture, encoding, several)
    if several:
        observed = "observed = data_sets.observed(pictures.members, encoding)"
        return [_DATA_SETS, made, observed, "observations = observed[pictures.shown]"]
    return [_DATA_SETS, made, "observations = data_sets.observed([picture], encoding)[0]"]


def _observations(picture: Picture, encoding: Encoding, several: bool) -> list[str]:
    each = ((one, getattr(encoding, one.name)) for one in fields(encoding))
    unusual = ", ".join(f"{one.name}={value!r}" for one, value in each if value != one.default)
    made = f"encoding = Encoding({unusual})"
    own, labels = _dimensions(picture), "picture.labels"
    if several:
        labels = "[p.labels for p in pictures.members]"
    more = "alphabet=picture.alphabet" if picture.alphabet else f"labels={labels}{own}"
    if picture.channels:
        more = f"channels=picture.channels{own}"
    if not several:
        return [made, f"observations = encode(picture.pixels, encoding, {more})"]
    return [
        made,
        f"observed = encode([p.pixels for p in pictures.members], encoding, {more})",
        "observations = observed[pictures.shown]",
    ]


def _dimensions(picture: Picture) -> str:
    return "" if picture.dimensions == 2 else f", dimensions={picture.dimensions}"


def _values(frame: Frame) -> list[str]:
    apart = frame.request.picture.apart
    if is_masked(frame):
        lines = ["values = data_sets.data_set_of([observations], [picture])"]
        if are_several(frame) and frame.request.given is None:
            lines += ["data = data_sets.data_set_of(observed, pictures.members)"]
        return lines
    values = "values = observations.values"
    if apart:
        values = "values = list(observations.values)  # each slice is a lattice of its own"
    if not are_several(frame) or frame.request.given is not None:
        return [values]
    each = (
        "[slice for o in observed for slice in o.values]"
        if apart
        else "[o.values for o in observed]"
    )
    return [values, f"data = {each}  # the observations to learn from"]


def is_masked(frame: Frame) -> bool:
    """Return True if pixels are unknown, so that lattices are in a data set."""
    return any(picture.known is not None for picture in frame.request.modelled.everything)


def stacked(frame: Frame, call: str) -> str:
    """Return code that makes a picture's array of a call's results for ``values``."""
    if frame.request.picture.apart:
        return f"np.stack({call})"
    return f"{call}[0]" if is_masked(frame) else call


def are_several(frame: Frame) -> bool:
    """Return True if the model is learned from several pictures, or from another one."""
    return len(frame.observed) > 1 or frame.other is not None


def learned_from(frame: Frame) -> str:
    """Return the name of the variable that the model is learned from."""
    return "data" if are_several(frame) else "values"


def decoded(frame: Frame) -> str:
    """Return the name of the states as lattices."""
    if frame.request.picture.apart:
        return "list(states)"
    return "[states]" if is_masked(frame) else "states"


def decoding_model(frame: Frame) -> str:
    """Return the name of the model that decodes."""
    return "model" if frame.source is None else "decoding"


def believed(frame: Frame) -> str:
    """Return code for beliefs; "" if states follow from windows."""
    parameters = _in_force(frame)
    call = f"{decoding_model(frame)}.beliefs(values, passes={parameters.passes})"
    return call if parameters.decoding.has_beliefs else ""


def kind_of(frame: Frame) -> str:
    """Return the arguments for the kind of observations: symbols, or vectors."""
    if frame.observations.discrete:
        return 'kind="discrete", n_symbols=observations.n_symbols'
    return 'kind="gaussian", scalar=False'


def _model(frame: Frame) -> list[str]:
    parameters, discrete = _in_force(frame), frame.observations.discrete
    order = np.argsort(frame.row_slots).tolist()
    symbols = "n_symbols=observations.n_symbols, " if discrete else "scalar=False, "
    rows = "learned.B[order]" if discrete else "learned.means[order], learned.covariances[order]"
    kind, name = type(frame.model).__name__, "B" if discrete else "means"
    decode = _decode(frame)
    refine = parameters.decoding.refining
    refined = [f"model = {refine}({learned_from(frame)}, model=model).model", "A = model.A"]
    fit = _fit(frame)
    counted, spaced = fit.common_arguments, f", spacing={fit.spacing}" if fit.spacing else ""
    recounted = [
        "decoding = model  # gives the states, over which A and covariances are counted below",
        f"model = decoding.recounted(values, states={decoded(frame)}, {counted})",
        "A = model.A",
    ]
    fitted = [
        f"learned = {kind}.fit(",
        f"    {learned_from(frame)}, {symbols}{fit.arguments}",
        ")",
    ]
    rows += (
        f", further_windows={further}, further_codewords=learned.further_codewords[order]"
        if (further := parameters.further_windows)
        else ""
    )
    learned = [
        *(_cut_by_hand(frame) if frame.request.hand_cut else fitted),
        f"order = {order}  # of the states, by their colours",
        "A = learned.A[np.ix_(order, order)]",
        f"model = {kind}(A, {rows}, window={parameters.window}, A_decoded=True{spaced})",
    ]
    applied = [f"A, model = applied.A, replace(applied, window={parameters.window})"]
    return [
        *(learned if frame.request.given is None else applied),
        *(refined if parameters.decoding.refines else []),
        f"states = {stacked(frame, decode)}",
        *(recounted if frame.source is not None else []),
        *([f"state_names = {list(frame.names)!r}"] if any(frame.names) else []),
        f"{name} = model.{name}",
        f"print('associativity', associativity(A), 'inertia', "
        f"inertia({decoded(frame)}, n_states={parameters.n_states}, "
        f"window={parameters.window}{spaced}))",
        "",
    ]


def _decode(frame: Frame) -> str:
    """Return lines that decode the values."""
    parameters = _in_force(frame)
    row, given = parameters.decoding, ["values"]
    given += [] if row.is_nearest else [f"decoder={row.plain!r}"]
    if "passes" in row.uses and frame.request.picture.dimensions > 1:
        given.append(f"passes={parameters.passes}")
    return f"model.decode({', '.join(given)})"


def _cut_by_hand(frame: Frame) -> list[str]:
    """Return lines that learn the merge tree, cut it by hand, and make a model."""
    fit, kind, made = _fit(frame), type(frame.model).__name__, learned_from(frame)
    made = made if is_masked(frame) else f"as_data_set({made}, {kind_of(frame)})"
    return [
        *([] if is_masked(frame) else ["from latviz.core import as_data_set"]),
        "from latviz.core.data.cutting import ClusterHierarchy, TreeCut",
        "from latviz.core.data.hand_cut import HandCut, Pair",
        "from latviz.core.model.learning import learn_tree, padded",
        "from latviz.core.windows.decoding import decode_each",
        "",
        f"data_set = {made}.spaced({fit.spacing})",
        f"learned = learn_tree(data_set.lattices, data_set.n_symbols, {fit.learning_window})",
        "tree = ClusterHierarchy(learned)",
        f"hand = {frame.request.hand_cut!r}",
        f"cut = TreeCut.of(tree, min({fit.n_states}, tree.n_leaves), hand)",
        f"codebook = padded(cut.codebook, {fit.n_states})",
        f"decoded = decode_each(data_set, codebook, {fit.window})",
        f"learned = {kind}.from_states(",
        f"    data_set, codebook=codebook, states=decoded, {fit.arguments}",
        ")",
    ]


def _score(frame: Frame) -> list[str]:
    parameters, node = _in_force(frame), frame.request.picture.node_name
    local = parameters.alpha_mode == "local"
    normalizer = f"normalizer={parameters.normalizer!r}"
    if parameters.decoding.is_nearest:
        alpha = f"'local', local_base={parameters.alpha}" if local else repr(parameters.alpha)
        how = f"alpha={alpha}, {normalizer}"
        score = ["score = model.evaluate(", f"    values, {how}", ")"]
    else:
        within = f"{parameters.n_states}, window={parameters.window}, base={parameters.alpha}"
        within += f", spacing={spacing}" if (spacing := frame.request.spacing) else ""
        corrected = f"locally({within})" if local else f"under({parameters.alpha})"
        plain = f"model.evaluate_states(values, states={decoded(frame)}, {normalizer})"
        score = [f"score = {plain}.{corrected}"]
    printed = f"'log-likelihood', score.log_likelihood, 'bits per {node}', score.bits_per_node"
    return [*score, f"print({printed})"]


def _fit(frame: Frame) -> FitSettings:
    return replace(_in_force(frame).fit, spacing=frame.request.spacing)


def _in_force(frame: Frame) -> Parameters:
    return in_force(frame.request.parameters, frame.request.picture.dimensions)
