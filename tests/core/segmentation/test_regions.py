"""Regions against plain loops, and properties of all of them."""

import numpy as np
import pytest
import scipy.cluster.hierarchy
from hypothesis import given, settings
from hypothesis import strategies as st

from latviz.core import ParameterError, as_data_set, emit, regions, sample_voronoi
from latviz.core.checks import UNKNOWN
from latviz.core.inference.emission import LEAST_SPREAD
from latviz.core.segmentation.components import components
from latviz.core.segmentation.regions import regions_of
from tests import naive_regions as plain
from tests.core import cases

SHAPES = [(1,), (40,), (1, 12), (9, 11), (4, 5, 6), (3, 2, 2, 3)]
KINDS = ["discrete", "gaussian"]


def observed(shape, kind, seed):
    if kind == "discrete":
        return cases.blocky(shape, 4, seed)
    return cases.vectors(shape, 2, seed).round(3) * [1.0, 30.0]


def code_for(values, states, kind, n_symbols=4):
    if kind == "discrete":
        return plain.code_of_symbols(values, n_symbols)
    return plain.code_of_vectors(values, states, LEAST_SPREAD)


def parts_of(labels):
    return [list(map(tuple, np.argwhere(labels == k).tolist())) for k in range(labels.max() + 1)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", KINDS)
def test_components(shape, kind):
    states, values = cases.blocky(shape, 3, 31), observed(shape, kind, 32)
    found = regions(
        values, states=states, kind=kind, **({"n_symbols": 4} if kind == "discrete" else {})
    )
    parts = plain.components(states, len(shape))
    assert parts_of(found.labels) == parts
    assert found.labels.dtype == np.int32
    lengths, outlines = plain.borders(shape, parts, len(shape))
    np.testing.assert_array_equal(found.areas, [len(part) for part in parts])
    np.testing.assert_array_equal(found.perimeters, outlines)
    np.testing.assert_array_equal(found.states, [states[part[0]] for part in parts])
    assert list(map(tuple, found.pairs.tolist())) == list(lengths)
    assert found.borders.tolist() == list(lengths.values())
    vectors = np.eye(4)[values] if kind == "discrete" else values
    means = [np.mean([vectors[t] for t in part], axis=0) for part in parts]
    np.testing.assert_allclose(found.means, means, rtol=1e-9, atol=1e-9)
    work = plain.Merging(parts, lengths, code_for(values, states, kind))
    evidence = [work.evidence(pair) for pair in lengths]
    np.testing.assert_allclose(found.evidence, evidence, rtol=0, atol=1e-4)
    near = [{*pair} - {k} for k in range(len(parts)) for pair in lengths if k in pair]
    assert found.neighbours.sum() == len(near)
    for k, weakest in enumerate(found.weakest.tolist()):
        own = [(bits, e) for e, bits in enumerate(found.evidence.tolist()) if k in found.pairs[e]]
        assert weakest == (min(own)[1] if own else -1)


@given(st.data())
@settings(max_examples=60)
def test_one_pass_labels_all_states(data):
    """Of any shape, with axes apart and unknown nodes, as a search from each node finds them."""
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=4))
    dimensions = data.draw(st.integers(1, len(shape)))
    kinds = st.sampled_from([0, 0, 0, 1, 1, 7, UNKNOWN])
    size = int(np.prod(shape))
    drawn = data.draw(st.lists(kinds, min_size=size, max_size=size))
    states = np.array(drawn, np.uint8).reshape(shape)
    labels = components(states, dimensions)
    parts = [p for p in plain.components(states, dimensions) if states[p[0]] != UNKNOWN]
    assert parts_of(labels) == parts
    np.testing.assert_array_equal(labels < 0, states == UNKNOWN)


@pytest.mark.parametrize("shape", [(40,), (9, 11), (4, 5, 6)])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_merges(shape, kind, seed):
    """Both orders are those of the loops, and a cut is the result of the merges before it."""
    states, values = cases.blocky(shape, 3, seed), observed(shape, kind, seed + 9)
    found = regions_of(states, values, kind == "discrete", 4, len(shape))
    parts = plain.components(states, len(shape))
    lengths, _ = plain.borders(shape, parts, len(shape))
    code = code_for(values, states, kind)
    for hierarchy, work in (
        (found.by_size(), plain.by_size(parts, lengths, code)),
        (found.by_evidence(), plain.by_evidence_as_remembered(parts, lengths, code)),
    ):
        assert list(map(tuple, hierarchy.merges.tolist())) == work.merges
        np.testing.assert_allclose(hierarchy.heights, work.heights, rtol=0, atol=1e-4)
        for height in (0.0, 1.0, 2.5, 40.0, 1e9):
            n_merges = sum(one < height for one in hierarchy.heights)
            groups = plain.relabelled(shape, work, n_merges)
            cut = hierarchy.cut(height)
            assert [np.flatnonzero(cut == k).tolist() for k in range(len(groups))] == groups


@pytest.mark.parametrize("kind", KINDS)
def test_large_regions_are_merged_as_evidence_says(kind):
    """If all regions have more nodes than there are pairs, caching changes nothing."""
    states = np.kron(cases.white((4, 4), 5, 3), np.ones((6, 6), np.uint8))
    values = observed(states.shape, kind, 5)
    found = regions_of(states, values, kind == "discrete", 4, 2)
    parts = plain.components(states, 2)
    lengths, _ = plain.borders(states.shape, parts, 2)
    assert len(lengths) <= found.areas.min()
    work = plain.by_evidence(parts, lengths, code_for(values, states, kind))
    hierarchy = found.by_evidence()
    assert list(map(tuple, hierarchy.merges.tolist())) == work.merges
    np.testing.assert_allclose(hierarchy.heights, work.heights, rtol=0, atol=1e-4)
    sizes = np.ones(len(found) + len(hierarchy.merges))
    for k, merge in enumerate(hierarchy.merges):
        sizes[len(found) + k] = sizes[merge].sum()
    linkage = np.column_stack([hierarchy.merges, hierarchy.heights, sizes[len(found) :]])
    assert scipy.cluster.hierarchy.is_valid_linkage(linkage.astype(np.float64))


def test_merged_regions_are_described_as_components_are():
    """Sums over components equal those that loops count in the merged map."""
    shape = (12, 14)
    states, values = cases.blocky(shape, 4, 8), cases.blocky(shape, 5, 9)
    found = regions(values, states=states).merged(7, least_evidence=3.0)
    assert 1 < len(found) < len(regions(values, states=states).merged(7))
    parts = parts_of(found.labels)
    assert parts == sorted(parts)
    lengths, outlines = plain.borders(shape, parts, 2)
    assert found.areas.tolist() == [len(part) for part in parts]
    assert found.perimeters.tolist() == outlines
    assert list(map(tuple, found.pairs.tolist())) == list(lengths)
    assert found.borders.tolist() == list(lengths.values())
    for k, part in enumerate(parts):
        own = [int(states[t]) for t in part]
        assert found.states[k] == max(sorted(set(own)), key=own.count)
        np.testing.assert_allclose(
            found.means[k], np.eye(5)[[values[t] for t in part]].mean(axis=0), rtol=1e-12, atol=0
        )
    work = plain.Merging(parts, lengths, plain.code_of_symbols(values, 5))
    evidence = [work.evidence(pair) for pair in lengths]
    np.testing.assert_allclose(found.evidence, evidence, rtol=0, atol=1e-4)


@settings(max_examples=30)
@given(
    shape=st.sampled_from([(30,), (8, 9), (3, 4, 5)]),
    seed=st.integers(0, 999),
    sizes=st.tuples(st.integers(1, 40), st.integers(1, 40)),
    bits=st.tuples(st.floats(0, 60), st.floats(0, 60)),
    kind=st.sampled_from(KINDS),
)
def test_what_holds_of_all(shape, seed, sizes, bits, kind):
    states, values = cases.blocky(shape, 3, seed), observed(shape, kind, seed + 1)
    first = regions(values, states=states, kind=kind)
    for order in (first.by_size(), first.by_evidence()):
        assert (np.diff(order.heights) >= 0).all()
        assert len(order.merges) == len(first) - 1
    coarser = None
    for size, least in ((min(sizes), 0.0), (max(sizes), min(bits)), (max(sizes), max(bits))):
        found = first.merged(size, least_evidence=least)
        assert found.areas.sum() == states.size
        assert len(found) == 1 or found.areas.min() >= size
        # Each component is in one region, and each region is connected.
        inner = {(a, b) for a, b in zip(first.labels.flat, found.labels.flat, strict=True)}
        assert len(inner) == len(first)
        assert len(plain.components(found.labels, len(shape))) == len(found)
        if coarser is not None:  # parts that were together stay together
            kept = set(zip(coarser.labels.flat, found.labels.flat, strict=True))
            assert len(kept) == len(coarser)
        coarser = found


def test_one_node_and_one_state():
    node = regions(np.array([[0]]), states=np.array([[2]]))
    assert (node.labels.tolist(), node.areas.tolist(), node.perimeters.tolist()) == (
        [[0]],
        [1],
        [4],
    )
    assert (len(node.pairs), node.weakest.tolist(), node.neighbours.tolist()) == (0, [-1], [0])
    assert len(node.merged(5, least_evidence=3.0)) == 1
    flat = regions(np.ones((3, 4, 2)), states=np.zeros((3, 4), int), kind="gaussian")
    assert (len(flat), flat.perimeters.tolist(), flat.states.tolist()) == (1, [14], [0])
    np.testing.assert_allclose(flat.means, [[1.0, 1.0]], rtol=0, atol=0)


def test_constant_channels_are_no_evidence():
    states = np.array([0, 0, 1, 1])
    vectors = np.column_stack([np.ones(4), [0.0, 0.0, 5.0, 5.0]])
    both = regions(vectors, states=states, kind="gaussian")
    assert both.evidence == regions(vectors[:, 1:], states=states, kind="gaussian").evidence
    assert both.evidence[0] > 1000  # the states explain all but a hundredth
    assert regions(np.ones((4, 1)), states=states, kind="gaussian").evidence.tolist() == [0.0]


def test_lattices_are_apart():
    states = [cases.blocky((9, 8), 3, 4), cases.blocky((5, 11), 3, 5)]
    values = [cases.blocky(one.shape, 4, 6) for one in states]
    together = regions(as_data_set(values, kind="discrete", n_symbols=4), states=states)
    for one, own, value in zip(together, states, values, strict=True):
        alone = regions(value, states=own, n_symbols=4)
        np.testing.assert_array_equal(one.labels, alone.labels)
        np.testing.assert_array_equal(one.evidence, alone.evidence)


def test_slices_that_are_apart():
    """Regions are within slices, and the only region of a slice stays."""
    states, values = cases.blocky((3, 6, 7), 3, 12), cases.blocky((3, 6, 7), 4, 13)
    found = regions_of(states, values, True, 4, 2)
    assert parts_of(found.labels) == plain.components(states, 2)
    lengths, outlines = plain.borders(states.shape, parts_of(found.labels), 2)
    assert found.perimeters.tolist() == outlines
    assert list(map(tuple, found.pairs.tolist())) == list(lengths)
    merged = found.merged(1000, least_evidence=0.0)
    np.testing.assert_array_equal(merged.labels, np.indices(states.shape)[0])
    assert len(found.by_evidence().merges) == len(found) - 3


def test_merging_finds_the_regions_of_a_noisy_field():
    """Specks are merged with their surroundings, so the field remains; false borders dissolve."""
    truth = sample_voronoi((120, 130), n_regions=9, n_states=3, random_state=5)
    symbols = emit(truth, emission=np.full((3, 3), 0.15) + 0.55 * np.eye(3), random_state=6)
    specks = np.random.default_rng(7).random(truth.shape) < 0.1
    found = regions(symbols, states=np.where(specks, symbols, truth))
    assert len(found) > 400
    merged = found.merged(50)
    wanted = regions(symbols, states=truth)
    assert len(merged) == len(wanted)
    assert (merged.labels == wanted.labels).mean() > 0.97
    halves = np.arange(130) // 65 * np.ones((120, 1), int)
    split = regions(np.random.default_rng(1).integers(0, 3, halves.shape), states=halves)
    assert split.evidence[0] < 0
    assert len(split.merged(1, least_evidence=1e-9)) == 1


def test_bad_arguments():
    states = cases.blocky((6, 7), 3, 1)
    found = regions(states, states=states)
    with pytest.raises(ParameterError, match="least_size"):
        found.merged(0)
    with pytest.raises(ParameterError, match="least_evidence"):
        found.merged(1, least_evidence=-1.0)
    with pytest.raises(ParameterError, match="shapes"):
        regions(states, states=states[1:])


@pytest.mark.parametrize("shape", [(17, 23), (6, 9, 8)])
def test_a_table_of_regions_is_that_of_scikit_image(shape):
    measure = pytest.importorskip("skimage.measure")
    states = cases.blocky(shape, 3, 5)
    states[:2] = UNKNOWN
    found = regions(np.where(states == UNKNOWN, 0, states), states=states)
    names = "label", "area", "bbox", "centroid"
    wanted = measure.regionprops_table(found.labels + 1, properties=names)
    table = found.table()
    assert set(wanted) == set(table) - {"state"}
    for name in wanted:
        np.testing.assert_allclose(table[name] + (name == "label"), wanted[name], rtol=1e-12)
    rows = list(found)
    assert [one.bbox[0] for one in rows] == wanted["bbox-0"].tolist()
    assert [one.area for one in rows] == found.areas.tolist()
    assert rows[-1] == found[-1]
    with pytest.raises(IndexError, match="regions, got"):
        found[len(found)]
