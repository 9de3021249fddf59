"""The data flow: each change recomputes what depends on it, and nothing more."""

from dataclasses import replace
from functools import cache
from graphlib import TopologicalSorter
from typing import Any

import numpy as np
import pytest
from skimage import data

from latviz.core.data.encoding import Encoding
from latviz.engine.flow import stages
from latviz.engine.flow.graph import Derived, Either
from latviz.engine.flow.pipeline import Pipeline, inputs_of
from latviz.engine.flow.stages import flow
from latviz.engine.flow.stages.learning import is_large
from latviz.engine.frames.frame import Request
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import ConnectedSelection, StateSelection
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters

ALL_NEEDS = frozenset(
    {
        *("inertia", "evaluation", "noise", "code_lengths", "residual_correlation"),
        *("law_distance", "space", "node_map", "dendrogram", "cuts", "regions"),
    }
)
PHOTO = Picture(np.ascontiguousarray(data.camera()[100:140, 150:200]), "camera")
SYMBOLS = Parameters(Encoding("quantiles", 5), n_states=4, window=3)
VECTORS = Parameters(Encoding("rgb"), n_states=4, window=3)

ENCODED = {"fitted observations", "data set"}
LEARNED = {"common sample", "sample tree", "dendrogram", "cuts"}
DECODED = {"codeword states", "learning neighbours", "discrete model"}
INDICES = {"inertia", "plain evaluation", "map of likelihood", "residuals"}
INDICES |= {"law distance"}
INDICES |= {"components", "regions"}
BELIEVED = {"strength", "fields", "believed states", "shown neighbours", *INDICES, "noise"}
BELIEVED |= {"belief lengths", "space"}
SPACE = {"plane", "density", "space"}
NOISE = {"noise trees", "noise"}
CODED = {"window lengths"}
OF_OBSERVATIONS = {"shuffled", "one state length"}
ALL = (
    ENCODED
    | {"first nodes"}
    | LEARNED
    | DECODED
    | INDICES
    | SPACE
    | NOISE
    | CODED
    | OF_OBSERVATIONS
)
SMOOTHED = {"smoothed codewords", "smoothed states", "learning neighbours", "discrete model"}

CHANGES: list[tuple[dict[str, Any], set[str]]] = [
    ({}, set()),
    ({"encoding": Encoding("quantiles", 4)}, ALL - {"first nodes"}),
    ({"n_states": 5}, DECODED | INDICES | {"space", "noise"} | CODED),
    ({"window": 4}, LEARNED | DECODED | INDICES | SPACE | NOISE | CODED),
    (
        {"window": 4, "learning_window": 3},
        DECODED | INDICES | {"sample with w", "noise"} | SPACE | CODED,
    ),
    (
        {"learning_window": 2},
        LEARNED | DECODED | INDICES | {"sample with w"} | SPACE | NOISE | CODED,
    ),
    ({"decoder": "belief"}, BELIEVED),
    ({"decoder": "refined"}, BELIEVED | {"refined"}),
    ({"passes": 3}, set()),
    ({"normalizer": "states"}, {"plain evaluation", "map of likelihood"}),
    ({"alpha": 0.5}, {"map of likelihood"}),
    ({"alpha_mode": "local"}, {"evaluation with local alpha", "map of likelihood"}),
    ({"smoothing": 1.0}, SMOOTHED | INDICES | {"space", "noise"}),
]


def request(parameters: Parameters = SYMBOLS, **options: Any) -> Request:
    return Request(PHOTO, parameters, **{"needs": ALL_NEEDS, "sample": 512, **options})


@cache
def pipeline_of(parameters: Parameters) -> Pipeline:
    """Return a pipeline that remembers the last values alone, of these parameters each time."""
    return Pipeline(room=1)


def recomputed(before: Request, after: Request) -> set[str]:
    # A picture learned from all signatures stays so.
    pipeline = Pipeline() if after.complete else pipeline_of(before.parameters)
    pipeline.run(before)
    return set(pipeline.run(after).timings)


def test_the_first_frame_computes_each_stage_once() -> None:
    assert set(Pipeline().run(request()).timings) == ALL


@pytest.mark.parametrize(
    ("changes", "stages"), CHANGES, ids=[",".join(changes) or "nothing" for changes, _ in CHANGES]
)
def test_a_parameter_recomputes(changes: dict[str, Any], stages: set[str]) -> None:
    found = recomputed(request(), request(replace(SYMBOLS, **changes)))
    assert found == stages


@pytest.mark.parametrize(
    ("changes", "stages"),
    [
        ({"passes": 3}, BELIEVED - {"strength", "noise"}),
        ({"alpha": 0.5}, {"map of likelihood"}),
        ({"window": 4}, LEARNED | DECODED | BELIEVED | SPACE | NOISE),
        ({"window": 4, "learning_window": 3}, DECODED | {"sample with w"} | SPACE | BELIEVED),
        ({"decoder": "nearest"}, INDICES | CODED | {"noise", "space"}),
    ],
    ids=lambda c: ",".join(c) if isinstance(c, dict) else "stages",
)
def test_a_parameter_recomputes_of_beliefs(changes: dict[str, Any], stages: set[str]) -> None:
    believing = replace(SYMBOLS, decoder="belief")
    assert recomputed(request(believing), request(replace(believing, **changes))) == stages


def test_a_relief_depends_on_no_parameter_and_no_limit() -> None:
    pipeline, by_contrast = Pipeline(), RegionCut(9, 2.0, "contrast")
    pipeline.run(request())
    for parameters, cut, wanted in (
        (SYMBOLS, by_contrast, {"relief", "basins", "regions"}),
        (SYMBOLS, replace(by_contrast, least_size=4), {"regions"}),
        (SYMBOLS, replace(by_contrast, least_contrast=0.2), {"regions"}),
        (replace(SYMBOLS, encoding=Encoding("quantiles", 4)), by_contrast, {"basins", "regions"}),
        (replace(SYMBOLS, window=4), by_contrast, {"basins", "regions"}),
    ):
        frame = pipeline.run(request(parameters, region_cut=cut))
        assert frame.timings.keys() & {"relief", "basins", "components", "regions"} == wanted


def test_doubt_is_that_of_what_decodes() -> None:
    doubt = {"map": "doubt"}
    believing = replace(SYMBOLS, decoder="belief")
    assert recomputed(request(believing), request(believing, **doubt)) == {"doubt of nodes"}


def test_what_only_the_window_of_decoding_reads_for_vectors() -> None:
    found = recomputed(request(VECTORS), request(replace(VECTORS, smoothing=2.0)))
    emitted = {"gaussian model", "plain evaluation", "map of likelihood", "space"}
    assert found == {*emitted, "noise", "law distance"}


@pytest.mark.parametrize(
    ("options", "stages"),
    [
        ({"projection": Projection("principal")}, SPACE),
        ({"map": "inertia"}, {"map of inertia"}),
        ({"region_cut": RegionCut(9, 2.0)}, {"regions"}),
        ({"selection": ConnectedSelection((3, 4))}, {"lit connected"}),
        ({"map": "doubt"}, {"doubt of windows"}),
        ({"selection": StateSelection(0)}, {"lit state"}),
        ({"sample": 1024}, {"first nodes"} | LEARNED | DECODED | INDICES | SPACE | CODED),
        (
            {"complete": True},
            {"complete tree", "dendrogram", "cuts"} | DECODED | INDICES | {"space"} | CODED,
        ),
        ({"visible": (slice(0, 9), slice(0, 9))}, set()),
        ({"difference": True}, set()),
        ({"needs": ALL_NEEDS | {"paths"}}, {"sweep", "path codewords"}),
    ],
    ids=lambda c: ",".join(c) if isinstance(c, dict) else "stages",
)
def test_what_is_shown_recomputes(options: dict[str, Any], stages: set[str]) -> None:
    assert recomputed(request(), request(**options)) == stages


def test_stages_read_one_another_in_no_circle() -> None:
    read = {name: flow[name].reads for name in flow.names()}
    assert set(TopologicalSorter(read).static_order()) >= set(flow.names())


def test_a_stage_is_defined_after_what_it_reads() -> None:
    """Each module reads as the data flow, top to bottom."""
    modules, module = dict[str, str](), ""
    for name in flow.names():  # functions made by a combinator are in the module that calls it
        made_in = flow[name].compute.__module__
        module = made_in if made_in.startswith(stages.__name__) else module
        modules[name] = module
    known: set[str] = set()
    for name in flow.names():
        stage = flow[name]
        if not isinstance(stage, Either):  # which may choose among stages below it
            beside = {read for read in stage.reads if modules.get(read) == modules[name]}
            assert beside <= known, name
        known.add(name)


def test_requests_give_all_inputs_and_no_others() -> None:
    late = {"learns_from_all", "row_slots", "rows_apart"}  # depend on cached values
    assert inputs_of(request()).keys() | late == flow.inputs
    renamed = {"sample"}  # which stages read as n_wanted
    assert {*vars(request()), *vars(Parameters())} & {*flow.names()} == renamed


def test_inputs_that_follow_from_others_are_hashable() -> None:
    derived = [name for name in flow.names() if isinstance(flow[name], Derived)]
    assert {"discrete", "is_large", "n_sampled", "slots"} <= set(derived)


def test_a_large_picture_of_a_set_or_of_several_windows_is_not_coarse_first() -> None:
    large = Picture(np.zeros((3000, 3000), np.uint8), "large")
    assert is_large(large, True, ())
    assert not is_large(large, False, ())
    assert not is_large(large, True, (5,))
