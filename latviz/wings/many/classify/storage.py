"""Classifiers in files: arrays and a JSON text in an npz archive, without executable content."""

from dataclasses import asdict
from typing import Any, get_args

import numpy as np

from latviz.core.checks import as_bounded, check_integer, check_number
from latviz.core.data.data_set import Kind
from latviz.core.data.encoding import Encoding
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.model.archive import (
    Place,
    checked_path,
    numbers_and_arrays,
    read_archive,
    write_archive,
)
from latviz.core.model.models import KINDS
from latviz.wings.many.classify.class_models import ClassModel
from latviz.wings.many.classify.classifier import LatticeClassifier, check_classifier
from latviz.wings.many.classify.gathering import Encoded, is_kind
from latviz.wings.many.classify.head import Head
from latviz.wings.many.classify.learning import Trained

FORMAT, VERSION, SUFFIX = "latviz classifier", 2, ".latclf"


def save_classifier(classifier: LatticeClassifier, path: Place) -> None:
    """Write a classifier and its learned models to a file.

    The file is written completely or not at all; an older file of this name stays until then.

    Parameters
    ----------
    classifier : LatticeClassifier
        A fitted classifier.
    path : str or path-like
        The path, ending in ``.latclf``. NumPy's `load` reads the file, too.

    Raises
    ------
    ParameterError
        If it is not a classifier or not fitted, or the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> one = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> with TemporaryDirectory() as folder:
    ...     save_classifier(one.fit(images, ["dark", "light"]), f"{folder}/greys.latclf")
    ...     load_classifier(f"{folder}/greys.latclf").classes_.tolist()
    ['dark', 'light']
    """
    check_classifier(classifier)
    target, trained = checked_path(path, SUFFIX), classifier.fitted
    parameters = classifier.get_params(deep=False)
    parameters["encoding"] = _written(classifier.encoding)
    if not isinstance(classifier.priors, str):
        parameters["priors"] = np.asarray(classifier.priors, dtype=np.float64).tolist()
    header = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": parameters,
        "classes": trained.classes.tolist(),
        "kind": trained.kind,
        "encoded": [
            {
                "observations": one.kind,
                "size": one.size,
                "encoder": None if one.encoder is None else one.encoder.to_dict(),
            }
            for one in trained.encoded
        ],
        "temperature": trained.temperature,
        "head": trained.head is not None,
        "models": [numbers_and_arrays(one.model)[0] for one in trained.models],
    }
    arrays = {"priors": trained.priors}
    if trained.head is not None:
        arrays |= {"weights": trained.head.weights, "offsets": trained.head.offsets}
    for k, one in enumerate(trained.models):
        own = numbers_and_arrays(one.model)[1]
        own |= {"codebook": one.codebook, "potentials": one.potentials}
        arrays |= {f"{k}.{name}": array for name, array in own.items()}
    write_archive(target, header, arrays)


def _written(encoding: Any) -> Any:
    """Return the parameter ``encoding`` as JSON holds it; `_encoding` reads it."""
    if isinstance(encoding, list | tuple):
        return [asdict(one) for one in encoding]
    return asdict(encoding) if isinstance(encoding, Encoding) else encoding


def _encoding(written: Any) -> Any:
    if isinstance(written, list):
        return [Encoding(**one) for one in written]
    return Encoding(**written) if isinstance(written, dict) else written


def load_classifier(path: Place) -> LatticeClassifier:
    """Return the classifier of a file that `save_classifier` wrote.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    LatticeClassifier

    Raises
    ------
    ParameterError
        If the file does not exist, has no classifier, or is from a later version of latviz.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> one = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> with TemporaryDirectory() as folder:
    ...     save_classifier(one.fit(images, ["dark", "light"]), f"{folder}/greys.latclf")
    ...     load_classifier(f"{folder}/greys.latclf").predict(images).tolist()
    ['dark', 'light']
    """
    place = checked_path(path, SUFFIX)
    header, arrays = read_archive(place, FORMAT, VERSION, "classifier")
    try:
        return _read(header, arrays)
    except (ParameterError, *_DAMAGES) as error:
        raise ParameterError(f"{place} holds no classifier: {error!s:.300}") from None


_DAMAGES = KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError


def _read(header: dict[str, Any], arrays: dict[str, Any]) -> LatticeClassifier:
    parameters = dict(header["parameters"])
    parameters["encoding"] = _encoding(parameters["encoding"])
    classifier = LatticeClassifier(**parameters)
    classifier.check()
    n_classes = len(header["classes"])
    # Version 1 has a single encoding, as the header itself
    encoded = tuple(map(_encoded, header.get("encoded", [header])))
    if n_classes < 2 or not is_kind(header["kind"]):
        raise ParameterError("its header is damaged")
    head = None
    if header["head"]:
        head = Head(*(as_bounded(name, arrays[name]) for name in ("weights", "offsets")))
    owners = encoded if head else encoded * n_classes
    priors = as_bounded("priors", arrays["priors"])
    is_right = len(encoded) == 1 or (head and encoded)
    if len(header["models"]) != len(owners) or not is_right or priors.shape != (n_classes,):
        raise ParameterError("its classes and models do not fit together")
    models = [_model(k, of, header, arrays) for k, of in enumerate(owners)]
    if not (priors > 0).all():
        raise ParameterError("its priors are not valid")
    shapes = head and (head.weights.ndim, head.weights.shape[-1:], head.offsets.shape)
    if head and shapes != (2, (n_classes,), (n_classes,)):
        raise ParameterError("its weights do not fit its classes")
    temperature = check_number("temperature", header["temperature"], 0.0, 1e300, above=True)
    classes = np.array(header["classes"])
    if classes.ndim != 1 or classes.dtype.kind not in "Uifb":
        raise ParameterError("its classes are not valid labels")
    learned = classes, encoded, header["kind"], models, priors, temperature, head
    classifier.trained_ = Trained(*learned)
    return classifier


def _encoded(written: dict[str, Any]) -> Encoded:
    kind, size = written["observations"], check_integer("size", written["size"], 1)
    if kind not in get_args(Kind):
        raise ParameterError("its header is damaged")
    encoder = None if written["encoder"] is None else Encoder.from_dict(written["encoder"])
    return Encoded(encoder, kind, size)


def _model(k: int, of: Encoded, header: dict[str, Any], arrays: dict[str, Any]) -> ClassModel:
    own = {n.partition(".")[2]: array for n, array in arrays.items() if n.startswith(f"{k}.")}
    codebook = as_bounded("codebook", own.pop("codebook"))
    potentials = as_bounded("potentials", own.pop("potentials"))
    model = KINDS[of.kind](**own, **header["models"][k])
    n_states = model.n_states
    if codebook.shape != (n_states, of.size) or model.n_symbols != of.size:
        raise ParameterError(f"the codebook of model {k} has another shape")
    if potentials.shape != (n_states, n_states) or not (potentials > 0).all():
        raise ParameterError(f"the potentials of model {k} are not valid")
    return ClassModel(model, codebook, potentials)
