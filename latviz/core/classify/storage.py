"""Classifiers in files: arrays and a JSON text in an npz archive, without executable content."""

from dataclasses import asdict
from typing import Any, get_args

import numpy as np

from latviz.core.checks import as_bounded, check_integer, check_number
from latviz.core.classify.class_models import ClassModel
from latviz.core.classify.classifier import LatticeClassifier, Trained, check_classifier
from latviz.core.classify.gathering import Encoded, is_kind
from latviz.core.classify.head import Head
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

FORMAT, VERSION, SUFFIX = "latviz classifier", 1, ".latclf"


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
    parameters = classifier.get_params()
    if classifier.encoding is not None:
        parameters["encoding"] = asdict(classifier.encoding)
    if not isinstance(classifier.priors, str):
        parameters["priors"] = np.asarray(classifier.priors, dtype=np.float64).tolist()
    encoder = trained.encoded.encoder
    header = {
        "format": FORMAT,
        "version": VERSION,
        "parameters": parameters,
        "classes": trained.classes.tolist(),
        "kind": trained.kind,
        "observations": trained.encoded.kind,
        "size": trained.encoded.size,
        "encoder": None if encoder is None else encoder.to_dict(),
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
    if parameters["encoding"] is not None:
        parameters["encoding"] = Encoding(**parameters["encoding"])
    classifier = LatticeClassifier(**parameters)
    classifier.check()
    n_classes = len(header["classes"])
    kind, size = header["observations"], check_integer("size", header["size"], 1)
    if kind not in get_args(Kind) or n_classes < 2 or not is_kind(header["kind"]):
        raise ParameterError("its header is damaged")
    written = header["encoder"]
    encoder = None if written is None else Encoder.from_dict(written)
    encoded = Encoded(encoder, kind, size)
    head = None
    if header["head"]:
        head = Head(*(as_bounded(name, arrays[name]) for name in ("weights", "offsets")))
    models = [_model(k, kind, size, header, arrays) for k in range(len(header["models"]))]
    priors = as_bounded("priors", arrays["priors"])
    wanted = 1 if head else n_classes
    if len(models) != wanted or priors.shape != (n_classes,) or not (priors > 0).all():
        raise ParameterError("its classes and models do not fit together")
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


def _model(
    k: int, kind: str, size: int, header: dict[str, Any], arrays: dict[str, Any]
) -> ClassModel:
    own = {n.partition(".")[2]: array for n, array in arrays.items() if n.startswith(f"{k}.")}
    codebook = as_bounded("codebook", own.pop("codebook"))
    potentials = as_bounded("potentials", own.pop("potentials"))
    model = KINDS[kind](**own, **header["models"][k])
    n_states = model.n_states
    if codebook.shape != (n_states, size) or model.n_symbols != size:
        raise ParameterError(f"the codebook of model {k} has another shape")
    if potentials.shape != (n_states, n_states) or not (potentials > 0).all():
        raise ParameterError(f"the potentials of model {k} are not valid")
    return ClassModel(model, codebook, potentials)
