"""The evidence for advice on a frame, by name. What is not computed yet raises `Untried`."""

from dataclasses import dataclass, replace

from latviz.core import choice as choices
from latviz.engine.advice.tries import CLEAR, FEW, Gain, Holding, Tries, Untried
from latviz.engine.frames.frame import Frame
from latviz.engine.indices import law
from latviz.engine.settings.parameters import Parameters

LEAST_NODES = 400
"""Nodes from which on there is something to judge: as many as one state needs for its law."""


@dataclass(frozen=True)
class Case:
    """A frame, and what was tried for its pictures."""

    frame: Frame
    tries: Tries
    before: Parameters | None = None  # the last settings that were looked at, if there are any

    @property
    def now(self) -> Parameters:
        """The settings of the frame."""
        return self.frame.request.parameters

    @property
    def node(self) -> str:
        """The word for a node."""
        return self.frame.request.picture.node_name

    @property
    def is_fixed(self) -> bool:
        """True if the states are another model's, or set by hand: nothing is tried then."""
        return self.frame.request.given is not None or bool(self.frame.request.hand_cut)

    @property
    def sees_patterns(self) -> bool:
        """True if the encoding looks at pixels around each one, as filters do."""
        encoding = self.now.encoding
        return encoding.kind.looks_around and not encoding.is_levelled

    @property
    def is_little(self) -> bool:
        """True for pictures of one value, or of few nodes."""
        if self.tries.is_flat is None:
            raise Untried("flat")
        return self.tries.is_flat or self.n_nodes < LEAST_NODES

    @property
    def n_nodes(self) -> int:
        """The number of nodes of all pictures."""
        return sum(each.n_known for each in self.tries.basis.of.everything)

    @property
    def choice(self) -> "choices.choosing.Choice":
        """What `choose` finds in the values beneath, whatever encoding is shown."""
        if self.tries.choice is None:
            raise Untried("choice")
        return self.tries.choice

    @property
    def found(self) -> "choices.choosing.Choice":
        """The choice that N is from: where neighbours depend, that of every second node."""
        # What neighbours share beyond states mostly reaches no further than to the next node
        if not self.choice.dependent or self.is_photograph or self.sparse.n_states == 1:
            return self.choice
        return self.sparse

    @property
    def sparse(self) -> "choices.choosing.Choice":
        """The choice for every second node along each axis; that for all if these are too few."""
        if self.n_nodes >> self.frame.request.picture.dimensions < LEAST_NODES:
            return self.choice
        if self.tries.sparse is None:
            raise Untried("sparse")
        return self.tries.sparse

    @property
    def are_alike(self) -> bool:
        """True if neighbours share so much within states that further states would fit it.

        Where further states save bits and neighbours share less, light or drift is the cause.
        """
        return self.tries.shared > CLEAR

    @property
    def is_sparse(self) -> bool:
        """True if N is that of every second node."""
        return self.choice.dependent and not self.found.dependent

    @property
    def last_saved(self) -> float:
        """The bits per node that the last of the chosen states saves."""
        n = self.found.n_states
        return float(self.found.saved[n - 2]) if n > 1 else 0.0

    @property
    def is_certain(self) -> bool:
        """True if nodes are independent within states, and each state is one of its own."""
        found = self.found
        if found.dependent or found.far_correlation or found.n_states < 3:
            return not (found.dependent or found.far_correlation)
        # Each of many states has fewer nodes, and so have parts of one that light sets apart
        share = min(1.0, FEW / found.n_states)
        return self.last_saved >= CLEAR * share and not self.n_rims

    @property
    def n_rims(self) -> int:
        """The chosen states that only lie between two others, as blurred borders do."""
        found = self.choice
        if found.dependent or found.n_states < 3:
            return 0
        return self.tries.of(self.chosen).n_rims

    @property
    def without_rims(self) -> Parameters | None:
        """The settings of the choice with fewer states, if it has rims."""
        # On every second node a rim is too thin for a state of its own
        if not self.n_rims or self.sparse.dependent:
            return None
        n = self.sparse.n_states
        return replace(self.chosen, n_states=n) if 1 < n < self.choice.n_states else None

    @property
    def n_states(self) -> int:
        """The N that explains the picture: that of the choice, or without rims if it has some."""
        plain = self.without_rims
        return self.found.n_states if plain is None else plain.n_states

    @property
    def over_one(self) -> Gain:
        """The pixel error with one state, and with the states on screen."""
        return self.tries.gain(self._one, self.now)

    @property
    def _one(self) -> Parameters:
        return replace(self.now, n_states=1)

    @property
    def two_refined(self) -> Parameters:
        """The settings on screen with two states, refined."""
        return replace(self.now, n_states=2, decoder="refined")

    @property
    def is_one(self) -> bool:
        """True if the choice is one state, because nothing was found."""
        return self.choice.n_states == 1 and not self.choice.dependent

    @property
    def is_noise(self) -> bool:
        """True if states explain nothing."""
        # One A for all: where some neighbours are alike and others differ, the choice finds nothing
        return self.is_one and not self.over_one.is_sure

    @property
    def is_hidden(self) -> bool:
        """True if windows explain nothing, and two refined states predict better than one."""
        return self.is_noise and self.tries.gain(self._one, self.two_refined).is_sure

    @property
    def is_photograph(self) -> bool:
        """True for an image, not of labels, with alike neighbours that the program did not make."""
        picture = self.frame.request.picture
        plain = picture.holds_image and not picture.is_made
        return self.are_alike and plain and self.tries.basis.encoding != "labels"

    @property
    def is_grey(self) -> bool:
        """True if the values beneath are one number per node."""
        return self.tries.basis.encoding == "grey"

    @property
    def is_uneven(self) -> bool:
        """True if a slow field of light lies under independent greys or colours."""
        return self.choice.uneven and not self.choice.dependent

    @property
    def law(self) -> float:
        """The index of the law of the numbers beneath in refined states; NaN if not defined."""
        return law(self.tries.of(replace(self.now, decoder="refined")).law_distance)

    @property
    def best_window(self) -> int:
        """The w of the least prediction error, with N and codebook as they are."""
        found = self.tries.windows.get(self.tries.but_window(self.now))
        if found is None:
            raise Untried("window")
        return found

    @property
    def has_outlines(self) -> bool:
        """True if regions are found by contrast."""
        return self.frame.request.region_cut.measure == "contrast"

    @property
    def lives(self) -> Holding:
        """The regions by contrast that hold while the cut is tripled."""
        if self.tries.lives is None:
            raise Untried("lives")
        return self.tries.lives

    @property
    def chosen(self) -> Parameters:
        """The settings of the choice: numbers levelled if light is uneven; belief, refined."""
        found, base = self.found, self.tries.basis.plain(self.now)
        base = replace(base, n_states=found.n_states, second_window=None, decoder="refined")
        if self.is_sparse:  # whose w is another one
            return base
        return replace(
            base,
            encoding=replace(base.encoding, level=self.is_uneven),
            window=found.window,
            learning_window=found.codebook_window,
        )

    @property
    def cost(self) -> float:
        """The bits per node by which the last change of settings raised the pixel error."""
        before, known = self.before, self.tries.tried
        if before is None or before.n_states != self.now.n_states:  # errors say nothing about N
            return 0.0
        if not {self.tries.effective(p) for p in (before, self.now)} <= known.keys():
            return 0.0
        found = self.gain(before)
        return found.before - found.after if found.is_sure else 0.0

    def gain(self, after: Parameters) -> Gain:
        """Return the pixel error now and with other settings."""
        return self.tries.gain(self.now, after)
