"""From a request to its frames: the order of stages, and early results."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

from latviz.core.data.fixed_point import sides_in
from latviz.core.model.indices import associativity
from latviz.core.parameter import rows
from latviz.core.types import Signature, States
from latviz.core.windows.decoding import CoarseStates, coarse_levels
from latviz.engine.flow.graph import Graph
from latviz.engine.flow.stages import flow
from latviz.engine.flow.stages.views import described
from latviz.engine.frames.coarse import refined
from latviz.engine.frames.frame import LATE, SLOW, Believed, Frame, Request
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.frames.numbering import Numbering, followed_rows, numbered
from latviz.engine.frames.requests import frame_of, keep, request_for
from latviz.engine.geometry.space import ESTIMATED, counted, density_of, rows_apart
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Appearance, Look, known_looks
from latviz.engine.settings.decoding import DecodingA
from latviz.engine.settings.parameters import in_force

WORTH_TWO_FRAMES = 1 << 17
"""Least pixels for showing the decoding before the rest is computed."""

ROOM, NODES = 16, 1 << 23
"""Cache size: at most ROOM values per stage and NODES nodes in total, so that a slider that turns
back finds its old values, and values computed in advance displace nothing on screen."""


class Pipeline:
    """Computes frames; remembers the last values of every stage, ``room`` at most.

    It is used by one thread at a time.
    """

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._graph = Graph(flow)
        self._shown: States | None = None
        self._members: tuple[Picture, ...] = ()

    def aside(self) -> "Pipeline":
        """Return a pipeline that shares results with this one, and shows nothing.

        Both are used by the same thread.
        """
        other = Pipeline(self._room)
        other._graph, other._members = self._graph, self._members
        return other

    def take(self, frame: Frame) -> None:
        """Take note of the frame that will be on screen."""
        self._shown = frame.states

    def shows(self, states: States) -> bool:
        """Return True if states are those on screen, not only equal to them."""
        return self._shown is states

    def run(
        self, request: Request, listener: Listener | None = None, *, late: frozenset[str] = LATE
    ) -> Frame:
        """Return the frame of a request; show coarse ones first if the image is large."""
        # Results that are `LATE` come one by one, each after a frame without it. Unknown ones are
        # left out if they are not in ``late``; if that is empty, as while a hand moves, the density
        # may be an estimate. After `Cancelled` stages that were done are remembered
        _decode_again(request.compared, listener)
        members = request.modelled.members
        if members != self._members:
            self._graph.forget()
            n_nodes = sum(one.n_nodes for one in members)
            self._graph.room = max(1, min(self._room, NODES // n_nodes))
            self._members = members
        run = _Run(self, self._graph, request, listener or Listener(), late)
        frame = run.with_late(run.frame())
        self.take(frame)
        return frame


def _decode_again(kept: DecodingA | None, listener: Listener | None) -> None:
    """Decode A again if its frame is not kept; labels of another method cannot be restored."""
    if kept is not None and not kept.by and frame_of(kept) is None:
        stop = Listener() if listener is None else Listener(stop=listener.stop)
        keep(Pipeline().run(request_for(kept.decoding, kept.pictures), stop), kept)


def inputs_of(request: Request) -> dict[str, Any]:
    """Return the inputs that stages read: a request's fields and its parameters in force by name.

    A few are computed here, or have another name.
    """
    pictures = request.modelled
    parameters = in_force(request.parameters, pictures.picture.dimensions)
    followed = {row.field: row.in_force(parameters) for row in rows(parameters) if row.follows}
    read = flow.inputs
    known = {
        **vars(request),
        **vars(parameters),
        **followed,
        "further": parameters.further_windows,
        "fit": replace(parameters.fit, spacing=request.spacing),
        "spacing": request.spacing,
        "pictures": pictures,  # the modelled ones
        "members": pictures.members,
        "picture": pictures.picture,  # the one on screen
        "other": pictures.other,  # it again, if it is not learned from
        "n_wanted": request.sample,  # signatures to learn from
        "axes_window": parameters.window if request.axes_window is None else request.axes_window,
        "map_kind": request.map,
        "compared": frame_of(request.compared),
    }
    return {name: value for name, value in known.items() if name in read}


class _Run:
    """One request on its way through the stages."""

    def __init__(
        self,
        pipeline: Pipeline,
        graph: Graph,
        request: Request,
        listener: Listener,
        late: frozenset[str],
    ) -> None:
        self._pipeline, self._graph, self._ask = pipeline, graph, graph.ask
        self._request, self._listener, self._late = request, listener, late
        self._watch = Watch(listener.stop)
        graph.begin(
            inputs_of(request),
            watch=self._watch,
            progress=Watch(listener.stop, listener.report),
            yielding=Watch(lambda: listener.replaced() or listener.stop()),
        )
        graph.give(learns_from_all=request.complete or graph.knows("complete_tree"), rows_apart=1)
        if not (request.complete or late or graph.knows("density")):
            graph.give(rows_apart=rows_apart(self._ask("shown_data").shapes))
        if self._counts_while_learning():
            graph.start("plane", "density")
        self._numbering = self._numbered()
        self._request = request = replace(
            request.moved(self._numbering.moves), coloring=None, follows=None
        )
        graph.give(row_slots=self._numbering.slots, selection=request.selection)

    def _counts_while_learning(self) -> bool:
        """Return True if another thread can count the density while one thread merges a sample."""
        merges = self._request.given is None and not self._ask("learns_from_all")
        if "space" not in self._request.needs or not merges or self._graph.knows("tree"):
            return False
        n_counted = self._request.picture.n_nodes // self._ask("rows_apart")
        return not self._ask("is_large") and n_counted <= 2 * ESTIMATED

    def _numbered(self) -> Numbering:
        """Return the slots of the codebook's rows; those of a given model are its own."""
        ask, request = self._ask, self._request
        book, given = ask("codebook_rows"), request.given
        if given is not None:
            return Numbering(given.slots_of(book), {}, settled=True, moves={})
        rows, learned = self._rows(), ask("tree")

        def sample() -> tuple[Any, Signature]:
            return ask("nodes"), ask("own_sample")

        known = followed_rows(request, learned.tree, learned.n_signatures, rows, book, sample)
        return numbered(request, rows, ask("first_slots"), known)

    def _rows(self) -> tuple[int, ...]:
        """Return the row of each codeword in straight codebooks; of repeats rows beyond them."""
        rows, beyond = self._ask("tree_cut").rows.tolist(), self._ask("hierarchy").n_leaves
        n_repeats = len(self._ask("codebook_rows")) - len(rows)
        return *rows, *range(beyond, beyond + n_repeats)

    def frame(self) -> Frame:
        """Compute the frame without missing late results; show earlier frames on the way."""
        if self._listener.show is not None and self._is_shown_coarsely():
            for frame in self._coarse_frames():
                self._show(frame)
        frame = self._decoded_frame()
        is_worth_two = self._request.picture.n_nodes >= WORTH_TWO_FRAMES
        # States that were computed in advance are new on screen, too
        takes_long = is_worth_two and not all(map(self._graph.knows, frame.pending))
        if takes_long and not self._pipeline.shows(frame.states):
            self._show(frame)
        return self._with(frame, frame.pending)

    def with_late(self, frame: Frame) -> Frame:
        """Add late results; show a frame before each, unless an earlier run has shown it."""
        is_new = bool(self._graph.timings)
        for name in sorted(self._request.needs & self._late - frame.results.keys()):
            if is_new:
                self._show(frame)
            frame, is_new = self._with(frame, {name}), True
        return self._timed(frame)

    def _with(self, frame: Frame, names: Collection[str]) -> Frame:
        """Return a frame with the results of some stages."""
        if not names:
            return frame
        return frame.with_results(**{name: self._ask(name) for name in sorted(names)})

    def _show(self, frame: Frame) -> None:
        if self._listener.show is not None:
            self._pipeline.take(frame)
            self._listener.show(self._timed(frame))

    def _timed(self, frame: Frame) -> Frame:
        return replace(frame, timings=self._graph.timings)

    def _appearance(self) -> Appearance:
        looks, ask = self._request.looks, self._ask
        means = ask("state_means") if looks.mean_colors else None
        given = ask("scribbled").looks(ask("slots")) if self._request.scribbles.strokes else ()
        return Appearance.of(looks, ask("slots"), means, (*self._known_looks(), *given))

    def _known_looks(self) -> tuple[Look, ...]:
        """Return the looks that known states give to the decoded ones with which they agree."""
        picture, ask = self._request.picture, self._ask
        if picture.truth is None or not (picture.truth_names or picture.truth_colors):
            return ()
        names, colors = picture.truth_names, picture.truth_colors
        return known_looks(ask("known_slots"), ask("slots"), names, colors)

    def _decoded_frame(self) -> Frame:
        """Return a frame with the existing results once the states are known."""
        ask, request = self._ask, self._request
        pairs, _ = ask("counts")
        frame = self._plain_frame(
            model=ask("model"), states=ask("states"), pairs=pairs, occupancy=ask("occupancy")
        )
        frame = replace(
            frame,
            source=None if ask("is_nearest") else ask("decoding_model"),
            believed=Believed(ask("strength"), ask("fields")) if request.believes else None,
            lit=None if request.selection is None else ask("lit"),
            agreement=None if ask("compared") is None else ask("agreement"),
            appearance=self._appearance(),
        )
        scored = {"scribbled"} if request.scribbles.strokes else set[str]()
        return self._with(frame, request.needs & self._soon() | scored)

    def _soon(self) -> set[str]:
        """Return the results that hardly take time now."""
        soon = {"dendrogram", "cuts", *filter(self._graph.knows, LATE - SLOW)}
        if self._graph.knows("density"):
            soon.add("space")
        if "paths" in self._request.needs and self._ask("sweep").complete:
            soon.add("paths")
        return soon

    def _plain_frame(self, **parts: Any) -> Frame:
        """Return a frame without the results for only some views."""
        ask, request = self._ask, self._request
        learned = ask("tree")
        return Frame(
            request=request,
            observed=ask("observations"),
            other=None if request.modelled.other is None else ask("other_observations"),
            slots=ask("slots"),
            row_slots=ask("row_slots"),
            tree_slots=tuple(self._numbering.known.items()),
            settled=self._numbering.settled,
            cut=ask("tree_cut"),
            associativity=associativity(parts["model"].A),
            n_learned=learned.n_signatures,
            n_signatures=ask("n_nodes"),
            timings={},
            **parts,
        )

    # Large images

    def _is_shown_coarsely(self) -> bool:
        """Return True if a large image must be decoded again during a drag."""
        is_large = self._ask("is_large") and self._request.parameters.decoding.is_nearest
        return is_large and not self._request.complete and not self._graph.knows("states")

    def _coarse_frames(self) -> Iterator[Frame]:
        """Yield frames of few nodes, finer and finer."""
        levels = self._levels()
        first, estimate = next(levels), self._ask("estimate")
        frame = self._plain_frame(
            model=self._ask("coarse_model"),
            states=first.states,
            pairs=estimate.pairs,
            occupancy=estimate.occupancy,
        )
        frame = self._with(frame, self._request.needs & {"dendrogram"})
        if "space" in self._request.needs and first.totals is not None:
            plane, window = self._ask("plane"), self._request.parameters.window
            sides = sides_in(first.totals.lattice, window)
            counts = density_of(first.totals.signatures(), sides, plane)
            space = described(plane, counted(counts, window, plane), self._ask("coarse_model"))
            frame = frame.with_results(space=space)
        some = self._ask("stroked_nodes") if self._request.scribbles.strokes else None
        for level in chain([first], levels):
            frame = refined(frame, level, some)
            yield frame

    def _levels(self) -> Iterator[CoarseStates]:
        return coarse_levels(
            self._ask("shown_data").lattices[0],
            self._ask("coarse_model").codebook,
            self._request.parameters.window,
            visible=self._request.visible,
            progress=self._watch,
        )
