"""The classifier: a head on several encodings, or a model for each class and Bayes' rule (1.7)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Self, get_args

import numpy as np
from numpy.typing import NDArray

from latviz.core.checks import (
    check_flag,
    check_integer,
    check_memory,
    check_progress,
    check_states,
    check_window,
    check_word,
    shown,
)
from latviz.core.data.data_set import DataSet
from latviz.core.data.encoding import Encoding
from latviz.core.data.observations import Encoder
from latviz.core.errors import ParameterError
from latviz.core.model.models import Model
from latviz.core.progress import Progress, report, shares
from latviz.core.scalars import plain
from latviz.core.types import Floats
from latviz.wings.many import classify
from latviz.wings.many.classify.class_models import (
    ClassModel,
    Criterion,
    learned_each,
    score_map,
    scores,
)
from latviz.wings.many.classify.estimator import Estimator
from latviz.wings.many.classify.gathering import (
    Array,
    Gathered,
    Reader,
    batches,
    gathered,
    is_coloured,
)
from latviz.wings.many.classify.learning import HeadSettings, Trained, priors_of, with_head
from latviz.wings.many.classify.posteriors import log_posteriors, posteriors, unseen_temperature
from latviz.wings.many.classify.targets import checked_weights, labels_of, weights_of

AUTO = "auto"
OCTETS = Encoding("quantiles", 8)
"""The encoding by default for Bayes' rule: eight bins of grey."""
TEXTURES = Encoding("textons", 16), Encoding("patterns")
"""Those of a head by default, after `OCTETS` if images are grey, or after `COLOURS`."""
COLOURS = Encoding("palette", 16)
ELSEWHERE = {
    "n_features_in_": "images may be of any size, so they have no number of features",
    "feature_names_in_": "images may be of any size, so they have no features",
    "n_classes_": "len(classes_) is the number of classes",
    "coef_": "trained_.head.weights are those of the head",
    "decision_function": "class_scores(images) are scores without priors",
    "partial_fit": "fit learns from all images, which an iterable may read one by one",
    "transform": "models_ decode images, and head_evidence shows what decides",
    "save": "save_classifier(classifier, path) writes it",
}
"""Names of scikit-learn that are not here, and what is."""


class LatticeClassifier(Estimator):
    """Images by class: a head on the states of a few encodings, or Bayes' rule (1.7).

    It follows scikit-learn's conventions, but does not need scikit-learn: parameters are stored
    unchanged and checked by `fit`, and names of learned attributes end in an underscore. Images are
    a sequence of arrays, all grey or all in colour and of one dtype, of any sizes; they need not be
    in memory at once, see `fit`.

    **The head**, the default: logistic regression on roots of the shares of states, of symbols, and
    of pairs of neighbours. Each encoding has one codebook for all classes.

    **Bayes' rule**, the paper's: a latent-variable lattice model for each class. It suits fields
    that their A alone tells apart. An image's score under a class is a sum over its nodes t, in
    nats:

    - ``criterion="cavity"``: log sum_j c_t(j) b(j, o_t), where c_t is the belief in t's state
      from all other nodes (the messages of sum-product without t's own observation): minus the
      cavity code length. Emissions, A and the strength of A are estimated from beliefs.
    - ``criterion="windows"``: log b(q_t, o_t), where q_t is decoded from t's window without t
      itself; b is counted over states that were decoded so.
    - ``criterion="data"``: log b(q_t, o_t), with q_t decoded from the whole window.
    - ``criterion="printed"``: log P of Algorithms 1 and 5, as in the paper.

    The first two are pseudo-likelihoods: each term is the logarithm of a distribution of o_t given
    the other observations, which sums to 1 for every model, so models can be compared. For
    ``"cavity"`` on images this holds nearly, because an observation returns along the lattice's
    loops. The last two are not normalised, and are there for comparison: t affects its own state,
    and the pair term of log P favours the class with the most inert A. With ``n_states=1`` the
    score is that of a bag of symbols.

    Terms of neighbouring nodes are not independent, so their sum is far too certain. It is divided
    by a temperature, the same for all classes. The temperature has the least log loss on images
    that were not learned from: models are learned from half of the images and tested on the other
    half (of a class with a single image, on its other half). It does not change the most likely
    class if priors are equal. The head has no temperature.

    Parameters
    ----------
    encoding : "auto", Encoding or its name, sequence of these, or None, optional
        The encodings of pixels, with bins and palettes from all classes together; several need the
        head. "auto": for the head a palette of 16 colours, or 8 quantiles of grey images, with 16
        textons and local binary patterns, which need all pixels to be known; for Bayes' rule the
        quantiles. None: images are observations already, integers as symbols 0..M-1, floats
        (*shape, M) as vectors.
    n_states : int, optional
        N of each class; of all if ``shared``; of each encoding with a head. From 1 to 255. None: 16
        with a head, else 4.
    window : int, optional
        Half-width w >= 0.
    criterion : {"cavity", "windows", "data", "printed"}, optional
        The score of Bayes' rule, see above; None: "cavity".
    shared : bool, optional
        True to use the same states for all classes, so that they can be compared. With "cavity",
        states then emit the same in all classes, which differ only in A.
    head : bool, optional
        True for the head, False for Bayes' rule. None: the head, unless ``criterion`` or ``shared``
        is set, which only Bayes' rule has.
    priors : {"counts", "uniform"} or sequence of K floats, optional
        Priors of the classes: their shares of images, equal, or in the order of ``classes_``.
    calibrated : bool, optional
        True to find a temperature, which takes as long again as learning; otherwise it is 1.
    dimensions : {2, 3}, optional
        Of the images' lattices.
    most_nodes : int, optional
        Most nodes of each class in memory: if there are more, images are cut to their middles, and
        then thinned out. A head learns its encodings and codebooks from these, but counts states in
        all images, whole, if it can read them again: ``X`` must not be a generator.

    Attributes
    ----------
    trained_ : Trained
        The learned models; absent before `fit`. ``trained_.summary`` says in words what decides,
        and on which encodings.

    Examples
    --------
    >>> images = [np.full((4, 4), grey, np.uint8) for grey in (0, 255, 10, 240)]
    >>> settings = {"n_states": 1, "criterion": "windows", "calibrated": False}
    >>> classifier = LatticeClassifier(Encoding("levels", 2), **settings)
    >>> classifier.fit(images, ["dark", "light", "dark", "light"]).predict(images[:2]).tolist()
    ['dark', 'light']
    """

    _estimator_type = "classifier"

    def __init__(
        self,
        encoding: Any = AUTO,
        *,
        n_states: int | None = None,
        window: int = 1,
        criterion: Criterion | None = None,
        shared: bool = False,
        head: bool | None = None,
        priors: Any = "counts",
        calibrated: bool = True,
        dimensions: int = 2,
        most_nodes: int = 1 << 18,
    ) -> None:
        self.encoding = encoding
        self.n_states = n_states
        self.window = window
        self.criterion = criterion
        self.shared = shared
        self.head = head
        self.priors = priors
        self.calibrated = calibrated
        self.dimensions = dimensions
        self.most_nodes = most_nodes

    # scikit-learn's conventions

    if not TYPE_CHECKING:  # which would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            learned = name == "fitted" or (name.endswith("_") and not name.endswith("__"))
            if learned and self.trained is None:
                raise classify.shared_errors.NotLearned
            reason = f": {ELSEWHERE[name]}" if name in ELSEWHERE else ""
            raise AttributeError(
                f"{type(self).__name__} has no attribute {name!r}{reason}", name=name, obj=self
            )

    def __sklearn_is_fitted__(self) -> bool:
        return self.trained is not None

    def __sklearn_tags__(self) -> Any:
        from sklearn import utils  # its caller has it; others never come here

        return utils.Tags(
            estimator_type="classifier",
            target_tags=utils.TargetTags(required=True),
            classifier_tags=utils.ClassifierTags(),
            input_tags=utils.InputTags(two_d_array=False, three_d_array=True),
        )

    # Learning

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, *, progress: Progress | None = None
    ) -> Self:
        """Learn encoders and models of states, and then the head.

        Images are taken one by one: an iterable may read them from files as it goes, or hold
        callables that return an image. At most ``most_nodes`` of each class are in memory. If a
        class has more, a head reads all images a second time.

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            (H, W) or (H, W, 3), or volumes; without an encoding, symbols (*shape) or vectors
            (*shape, M). With one, integers other than uint8 and uint16 are read as float32, so that
            nested lists of numbers are images, too. Pixels that `numpy.ma` masks are unknown.
        y : iterable of str, int or bool
            The class of each image; floats must be whole numbers.
        sample_weight : array_like, shape (n,), optional
            The number of times that each image counts, up to 1,000: whole numbers, or multiples of
            the least one above 0.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        LatticeClassifier
            Itself.

        Raises
        ------
        ParameterError
            If a parameter is outside its range, an image is invalid or differs in kind from the
            first, labels are missing, or there are fewer than two classes. An earlier result stays.
        Cancelled
            If ``progress`` is cancelled.
        """
        self.check()
        check_progress(progress)
        names, weights = labels_of(y, type(self).__name__), weights_of(sample_weight)
        found = gathered(X, names, self.reader, plain(self.most_nodes), weights)
        self.trained_ = self._learned(found, X, progress)
        return self

    @property
    def has_head(self) -> bool:
        """True if it classifies by a head, False if by Bayes' rule."""
        return (self.criterion is None and not self.shared) if self.head is None else self.head

    @property
    def reader(self) -> Reader:
        """Reads images as `fit` does."""
        return Reader(self.encoding is not None, plain(self.dimensions))

    def check(self) -> None:
        """Raise `ParameterError` if a parameter is outside its range; `fit` does.

        Raises
        ------
        ParameterError
        """
        check_states(self._n_states), check_window(self.window)
        if self.criterion is not None:
            check_word("criterion", self.criterion, get_args(Criterion))
        if self.head is not None:
            check_flag("head", self.head)
        for name in ("shared", "calibrated"):
            check_flag(name, getattr(self, name))
        check_integer("dimensions", self.dimensions, 2, 3)
        check_integer("most_nodes", self.most_nodes, 1)
        if len(self.encodings(False)) > 1 and not self.has_head:
            raise ParameterError(
                "several encodings need the head: leave criterion, shared and head out"
            )

    def encodings(self, coloured: bool) -> tuple[Encoding | None, ...]:
        """Return the encodings that images get.

        Parameters
        ----------
        coloured : bool
            True for images in colour, False for grey ones.

        Returns
        -------
        tuple of Encoding or None
            (None,) if images are observations already.

        Raises
        ------
        ParameterError
            If ``encoding`` is invalid, or ``coloured`` is neither True nor False.
        """
        check_flag("coloured", coloured)
        if self._is_auto:
            first = COLOURS if coloured else OCTETS
            return (first, *TEXTURES) if self.has_head else (OCTETS,)
        if self.encoding is None:
            return (None,)
        several = self.encoding if isinstance(self.encoding, list | tuple) else (self.encoding,)
        found = tuple(Encoding(one) if isinstance(one, str) else one for one in several)
        if not found or not all(isinstance(one, Encoding) for one in found):
            wanted = "encoding must be 'auto', an Encoding or its name, a list of them, or None"
            raise ParameterError(f"{wanted}, got {shown(self.encoding)}")
        return found

    @property
    def _is_auto(self) -> bool:
        return isinstance(self.encoding, str) and self.encoding == AUTO

    def _learned(self, found: Gathered, X: Any, progress: Progress | None) -> Trained:
        priors = priors_of(self.priors, found.counts)
        trained = Trained(np.array(found.classes), (), found.kind, [], priors)
        encodings = self.encodings(is_coloured(found.kind))
        if self._is_auto and found.is_masked:
            encodings = tuple(one for one in encodings if one and not one.kind.looks_around)
        if self.has_head:
            settings = HeadSettings(encodings, self.reader, self._n_states, plain(self.window))
            return with_head(trained, found, X, settings, progress)
        (encoding,) = encodings
        encoded = self.reader.fitted([part for parts in found.parts for part in parts], encoding)
        sets = [encoded.data_set(parts) for parts in found.parts]
        models, halves = self._models, self.calibrated
        whole, calibrating = shares(progress, [1.0, 1.0]) if halves else (progress, None)
        trained = replace(trained, encoded=(encoded,), models=models(sets, whole))
        if not halves:
            return trained
        heat = unseen_temperature(sets, models, self._criterion, priors, calibrating)
        return replace(trained, temperature=heat)

    @property
    def _n_states(self) -> int:
        usual = 16 if self.has_head else 4
        return usual if self.n_states is None else plain(self.n_states)

    @property
    def _criterion(self) -> Criterion:
        return self.criterion or "cavity"

    def _models(self, sets: Sequence[DataSet], progress: Progress | None) -> list[ClassModel]:
        settings = self._n_states, plain(self.window), self._criterion
        return learned_each(sets, *settings, shared=self.shared, progress=progress)

    # Results of learning

    @property
    def trained(self) -> Trained | None:
        """The results of learning; None before `fit`."""
        return vars(self).get("trained_")

    @property
    def fitted(self) -> Trained:
        """The results of learning, or `ParameterError` before `fit`."""
        found = self.trained
        if found is None:
            raise classify.shared_errors.NotLearned
        return found

    @property
    def classes_(self) -> NDArray[Any]:
        """The labels, sorted, shape (K,)."""
        return self.fitted.classes

    @property
    def models_(self) -> list[Model]:
        """The model of each class; of a head, that of each encoding, for all classes."""
        return [one.model for one in self.fitted.models]

    @property
    def encoder_(self) -> Encoder | None:
        """The encoder of images, the first of several; None if they are observations already."""
        return self.encoders_[0]

    @property
    def encoders_(self) -> list[Encoder | None]:
        """The encoder of each encoding."""
        return [one.encoder for one in self.fitted.encoded]

    @property
    def priors_(self) -> Floats:
        """The prior of each class, shape (K,)."""
        return self.fitted.priors

    @property
    def temperature_(self) -> float:
        """The divisor of scores."""
        return self.fitted.temperature

    # Classifying

    def class_scores(self, X: Any) -> Floats:
        """Return the score of each image under each class, in nats: see "What is summed".

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            As for `fit`, of the same kind.

        Returns
        -------
        ndarray, shape (n, K), float64
            Without priors and temperature; with a head, its logits.

        Raises
        ------
        ParameterError
            If nothing was learned yet, there is no image, or one is invalid or of another kind.
        """
        trained = self.fitted
        found = [self._scores(trained, batch) for batch in batches(X, self.reader, trained.kind)]
        if not found:
            raise ParameterError("there must be at least one image, got none")
        return np.concatenate(found)

    def score_maps(self, image: Any, *, progress: Progress | None = None) -> Floats:
        """Return the contribution of each node of an image to its score under each class, in nats.

        Parameters
        ----------
        image : ndarray, or a callable that returns one
            As for `fit`, of the same kind.
        progress : Progress, optional
            Receives the fraction done; may cancel.

        Returns
        -------
        ndarray, shape (K, *shape), float64
            In the order of ``classes_``, NaN of unknown pixels. Each map sums to the image's
            `class_scores`, up to rounding.

        Raises
        ------
        ParameterError
            If nothing was learned yet, the image is invalid or of another kind, or there is a head:
            it uses roots of shares of the whole image, which have no terms for single nodes.
        Cancelled
            If ``progress`` is cancelled.
        """
        trained = self.fitted
        if trained.head is not None:
            raise ParameterError(
                "a head has no scores of single nodes: it uses roots of shares of the whole image"
            )
        data = trained.encoded[0].data_set(self._alone(trained, image))
        rows = len(trained.models) * int(np.prod(data.shapes[0]))
        check_memory("maps of scores", 8 * rows)
        parts = shares(check_progress(progress), [1.0] * len(trained.models))
        found = list[Floats]()
        for of, part in zip(trained.models, parts, strict=True):
            found.append(score_map(data, of, self._criterion, part))
            report(part, 1.0)
        return np.stack(found)

    def head_evidence(self, image: Any) -> Floats:
        """Return the contribution of each state's share to the logit of each class.

        Shares of pairs and of symbols, and the offsets, contribute the rest.

        Parameters
        ----------
        image : ndarray, or a callable that returns one
            As for `fit`, of the same kind.

        Returns
        -------
        ndarray, shape (K, N), float64
            In the order of ``classes_``; of E encodings (K, E N), one after the other.

        Raises
        ------
        ParameterError
            If nothing was learned yet, there is no head, or the image is invalid or of another
            kind.
        """
        trained = self.fitted
        if trained.head is None:
            raise ParameterError("the classifier has no head: its scores are those of score_maps")
        parts, start = list[Floats](), 0
        for of, block in zip(
            trained.models, trained.blocks(self._alone(trained, image)), strict=True
        ):
            rows = slice(start, start + of.model.n_states)
            parts.append(block[0, : of.model.n_states, None] * trained.head.weights[rows])
            start += block.shape[1]
        return np.concatenate(parts).T

    def _alone(self, trained: Trained, image: Any) -> list[Array]:
        """Return a single image, checked."""
        (found,) = batches([image], self.reader, trained.kind)
        return found

    def _scores(self, trained: Trained, images: list[Array]) -> Floats:
        if trained.head is None:
            return scores(trained.encoded[0].data_set(images), trained.models, self._criterion)
        return trained.head.logits(np.concatenate(trained.blocks(images), axis=1))

    def _log_joints(self, X: Any) -> Floats:
        found, trained = self.class_scores(X), self.fitted
        return found if trained.head else found / trained.temperature + np.log(trained.priors)

    def predict_proba(self, X: Any) -> Floats:
        """Return the posterior of each class for each image, by log-sum-exp.

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            As for `fit`, of the same kind.

        Returns
        -------
        ndarray, shape (n, K), float64
            In the order of ``classes_``; rows sum to 1.

        Raises
        ------
        ParameterError
            As for `class_scores`.
        """
        return posteriors(self._log_joints(X))

    def predict_log_proba(self, X: Any) -> Floats:
        """Return the logarithm of the posterior of each class for each image.

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            As for `fit`, of the same kind.

        Returns
        -------
        ndarray, shape (n, K), float64
            In the order of ``classes_``, in nats; -inf where a class is impossible.

        Raises
        ------
        ParameterError
            As for `class_scores`.
        """
        return log_posteriors(self._log_joints(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each image.

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            As for `fit`, of the same kind.

        Returns
        -------
        ndarray, shape (n,)
            Of ``classes_``; of equally probable ones the first.

        Raises
        ------
        ParameterError
            As for `class_scores`.
        """
        return np.asarray(self.fitted.classes[self._log_joints(X).argmax(axis=1)])

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of images whose most probable class is their label.

        Parameters
        ----------
        X : iterable of ndarray, or of callables that return one
            As for `fit`, of the same kind.
        y : iterable of str, int or bool
            The class of each image.
        sample_weight : array_like, shape (n,), optional
            The weight of each image: numbers of 0 or more.

        Returns
        -------
        float
            From 0 to 1.

        Raises
        ------
        ParameterError
            As for `class_scores`, or if there are more or fewer labels or weights than images.
        """
        found, truth = self.predict(X), list(labels_of(y, type(self).__name__))
        weights = np.ones(len(found)) if sample_weight is None else checked_weights(sample_weight)
        for name, given in (("labels", truth), ("weights", weights)):
            if len(given) != len(found):
                raise ParameterError(f"there must be {len(found)} {name}, got {len(given)}")
        right = [one == other for one, other in zip(found.tolist(), truth, strict=True)]
        return float(np.average(right, weights=weights))


def check_classifier(classifier: Any) -> LatticeClassifier:
    """Return a classifier, or raise `ParameterError` for other objects."""
    if not isinstance(classifier, LatticeClassifier):
        raise ParameterError(f"classifier must be a LatticeClassifier, got {shown(classifier)}")
    return classifier
