"""Regions in the data flow: of images, volumes and sequences; their colours, table and pixels."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from skimage import data

from latviz.core import ParameterError, contrast_regions, regions
from latviz.core.data.encoding import Encoding
from latviz.core.disk.errors import ExportError
from latviz.core.segmentation.contrast import contrast_regions_of
from latviz.core.segmentation.relief import relief_of
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import border_ranks, listed, region_table
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.geometry.selection import ConnectedSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.exports import export_regions
from tests.new_frames import new_frame

RNG = np.random.default_rng(3)
PICTURES = {
    "image": Picture(np.ascontiguousarray(data.camera()[100:150, 150:210]), "camera"),
    "colours": Picture(np.ascontiguousarray(data.astronaut()[100:150, 150:210]), "astronaut"),
    "volume": Picture(
        np.ascontiguousarray(data.camera()[100:140, 150:190]).reshape(4, 10, 40),
        "volume",
        dimensions=3,
    ),
    "sequence": Picture(
        np.repeat(RNG.integers(0, 4, 40), 5).astype(np.uint8),
        "letters",
        dimensions=1,
        alphabet=tuple("ACGT"),
    ),
}
NEEDS = frozenset({"regions", "region_colors", "painted_regions"})
SIZES = {1: ("Length", "Ends"), 2: ("Area", "Perimeter"), 3: ("Volume", "Surface")}
"""The size of a region and its outline, by the axes that it extends along."""


def frame_of(name: str, *cut: Any, **parameters: object) -> Frame:
    picture = PICTURES["volume"].sliced(True) if name == "slices" else PICTURES[name]
    encoding = Encoding("labels" if picture.alphabet else "rgb" if name == "colours" else "levels")
    asked = Parameters(encoding, **{"n_states": 3, "window": 0, **parameters})
    region_cut = RegionCut(*cut)
    return new_frame(picture, asked, needs=NEEDS, region_cut=region_cut)


@pytest.mark.parametrize("name", PICTURES)
def test_they_are_those_of_the_core(name: str) -> None:
    frame = frame_of(name, 6, 2.5)
    observed = frame.observations
    kind = "discrete" if observed.discrete else "gaussian"
    first = regions(observed.values, states=frame.states, kind=kind, n_symbols=observed.n_symbols)
    np.testing.assert_array_equal(frame.regions.labels, first.merged(6, least_evidence=2.5).labels)
    assert len(first) > len(frame.regions) > 1


@pytest.mark.parametrize("name", PICTURES)
def test_those_by_contrast_are_those_of_the_core(name: str) -> None:
    """States describe them, and change nothing else."""
    frame = frame_of(name, 6, 1e9, "contrast", 0.15)
    picture, observed = frame.request.picture, frame.observations
    d = picture.dimensions
    relief = relief_of(picture.pixels, d, d, picture.alphabet)
    given = frame.states, observed.values, observed.discrete, observed.n_symbols, d
    first = contrast_regions_of(relief, *given)
    wanted = first.merged(least_contrast=0.15).merged(6)
    np.testing.assert_array_equal(frame.regions.labels, wanted.labels)
    np.testing.assert_array_equal(frame.regions.states, wanted.states)
    assert len(first) > len(frame.regions) > 1
    if d == 2:
        own = contrast_regions(picture.pixels, least_contrast=0.15).merged(6)
        assert len(own) == len(wanted)


def test_slices_that_are_apart_have_basins_of_their_own() -> None:
    frame = frame_of("slices", 1, 0.0, "contrast", 1.0)
    np.testing.assert_array_equal(frame.regions.labels, np.indices((4, 10, 40))[0])


def test_contrasts_are_listed_ranked_and_exported(tmp_path: Path) -> None:
    frame = frame_of("colours", 1, 0.0, "contrast", 0.03)
    found, (names, rows) = frame.regions, region_table(frame)
    assert "Evidence" not in names
    for k, cells in enumerate(rows):
        row = dict(zip(names, cells, strict=True))
        own = (found.pairs == k).any(axis=1)
        assert row["Contrast"] == found.contrasts[own].min()
        assert row["Nearest"] - 1 == found.pairs[own][found.contrasts[own].argmin()].sum() - k
    ranks = border_ranks(found)
    assert (np.diff(ranks[np.argsort(found.contrasts)].astype(int)) >= 0).all()
    export_regions(frame, tmp_path / "a.npz")
    arrays = np.load(tmp_path / "a.npz")
    np.testing.assert_array_equal(arrays["contrasts"], found.contrasts)
    np.testing.assert_array_equal(arrays["merges"], found.by_contrast().merges)
    export_regions(frame_of("colours"), tmp_path / "b.npz")
    assert "contrasts" not in np.load(tmp_path / "b.npz")


@pytest.mark.parametrize("name", PICTURES)
def test_colours_are_means_of_pixels(name: str) -> None:
    frame = frame_of(name, 6)
    picture, found = frame.request.picture, frame.regions
    shown = picture.shown if picture.colors is None else picture.colors[picture.shown]
    colors, painted = frame.results["region_colors"], frame.results["painted_regions"]
    assert painted.shape == (*picture.shape, 3)
    for k in range(len(found)):
        inside = found.labels == k
        mean = shown[inside].reshape(inside.sum(), -1).mean(axis=0)
        np.testing.assert_allclose(colors[k], np.broadcast_to(mean, 3), rtol=0, atol=0.5001)
        assert (painted[inside] == colors[k]).all()


def n_sides(inside: NDArray[np.bool_], *axes: int) -> int:
    """Return how many sides of nodes a region has to the outside, along all axes or some."""
    padded = np.pad(inside, 1).astype(np.int8)
    return sum(int(np.abs(np.diff(padded, axis=axis)).sum()) for axis in axes or range(inside.ndim))


@pytest.mark.parametrize("name", PICTURES)
def test_the_table(name: str) -> None:
    frame = frame_of(name, 4)
    found, (names, rows) = frame.regions, region_table(frame)
    size, outline = SIZES[frame.request.picture.dimensions]
    assert len(rows) == len(found)
    for k, cells in enumerate(rows):
        row = dict(zip(names, cells, strict=True))
        inside = found.labels == k
        assert (row["Region"], row[size]) == (k + 1, inside.sum())
        assert (row[outline], row["State"]) == (n_sides(inside), found.states[k] + 1)
        first = np.argwhere(inside)[0]
        named = {1: ["Position"], 2: ["Row", "Column"], 3: ["Slice", "Row", "Column"]}[first.size]
        first[0] += first.size != 2
        assert [row[place] for place in named] == first.tolist()
        within = np.argwhere(inside)
        within[:, 0] += first.size != 2
        for word, wanted in (("First", within.min(0)), ("Last", within.max(0))):
            assert [row[f"{word} {place.lower()}"] for place in named] == wanted.tolist()
        centre = [row[f"Centroid {place.lower()}"] for place in named]
        np.testing.assert_allclose(centre, within.mean(axis=0), rtol=1e-12)
        near = {
            (int((set(pair) - {k}).pop()), bits)
            for pair, bits in zip(found.pairs.tolist(), found.evidence.tolist(), strict=True)
            if k in pair
        }
        assert row["Neighbours"] == len(near)
        assert row["Evidence"] == min(bits for _, bits in near)
        assert (row["Nearest"] - 1, row["Evidence"]) in near
        assert cells[-frame.observations.n_symbols :] == found.means[k].tolist()
    assert region_table(replace(frame, results={})) == ([], [])


def test_a_region_alone_has_no_nearest_one() -> None:
    names, rows = region_table(frame_of("image", 10**6))
    (row,) = rows
    cells = dict(zip(names, row, strict=True))
    assert (cells["Neighbours"], cells["Nearest"], cells["Evidence"]) == (0, "", "")


def test_the_largest_are_listed_largest_first() -> None:
    found = frame_of("image").regions
    some = listed(found, np.zeros((len(found), 3), np.uint8), 9)
    assert some.areas.tolist() == sorted(found.areas.tolist(), reverse=True)[:9]
    assert found.areas[some.numbers].tolist() == some.areas.tolist()


def test_unknown_nodes_are_in_no_region() -> None:
    states = np.array([[255, 0, 0, 255], [1, 1, 255, 2]], np.uint8)
    found = regions(np.zeros_like(states), states=states, kind="discrete", n_symbols=2)
    some = listed(found, np.zeros((len(found), 3), np.uint8))
    assert some.nodes.tolist() == [[0, 1], [1, 0], [1, 3]]


def test_borders_are_ranked_by_evidence() -> None:
    frame = frame_of("image", 4)
    bits, ranks = frame.regions.evidence, border_ranks(frame.regions)
    assert (ranks.min() >= 1, ranks.max()) == (True, 255)
    order = sorted(range(len(bits)), key=lambda e: bits[e])
    assert (np.diff(ranks[order].astype(int)) >= 0).all()
    assert len(border_ranks(frame.regions.merged(10**6))) == 0


def test_a_region_is_lit_by_a_node_in_it() -> None:
    base = frame_of("image", 20)
    for node in ((30, 40), (0, 0)):
        request = replace(base.request, selection=ConnectedSelection(node))
        lit = Pipeline().run(request).lit
        np.testing.assert_array_equal(lit.mask, base.regions.labels == base.regions.labels[node])
    for node in ((50, 0), (-1, 0), (0,), (1, 2, 3)):
        lit = Pipeline().run(replace(base.request, selection=ConnectedSelection(node))).lit
        assert lit.n_pixels == 0


@pytest.mark.parametrize(
    "bad",
    [
        (0, 0.0),
        (1, -1.0),
        (1.5, 0.0),
        (1, float("nan")),
        (1, 0.0, "size"),
        (1, 0.0, "contrast", 1.1),
    ],
)
def test_a_cut_is_checked(bad: tuple[Any, ...]) -> None:
    with pytest.raises(ParameterError, match=r"the (least|measure)"):
        RegionCut(*bad)


@pytest.mark.parametrize(
    ("apart", "title", "each"), [(False, "Volume (µm³)", 0.25), (True, "Area (µm²)", 0.125)]
)
def test_sizes_have_the_unit_of_the_picture(apart: bool, title: str, each: float) -> None:
    picture = replace(PICTURES["volume"], spacing=(2.0, 0.5, 0.25), unit="µm")
    asked, picture = Parameters(Encoding("levels"), n_states=3, window=0), picture.sliced(apart)
    names, rows = region_table(new_frame(picture, asked, needs=NEEDS))
    assert names[7] == title
    assert [row[7] for row in rows] == [row[1] * each for row in rows]
    assert names[8] == ("Perimeter (µm)" if apart else "Surface (µm²)")


@pytest.mark.parametrize("name", PICTURES)
def test_files(name: str, tmp_path: Path) -> None:
    """A sequence is a row of a picture, and the slices of a volume are below each other."""
    frame = frame_of(name, 4, 3.0)
    found = frame.regions
    for suffix in (".csv", ".png", ".npz"):
        export_regions(frame, tmp_path / f"a{suffix}")
    with Image.open(tmp_path / "a.png") as image:
        labels = found.labels.reshape(-1, found.labels.shape[-1])
        np.testing.assert_array_equal(np.asarray(image), labels)
    arrays = np.load(tmp_path / "a.npz")
    for key, value in (("regions", found.labels), ("means", found.means), ("pairs", found.pairs)):
        np.testing.assert_array_equal(arrays[key], value)
    assert (np.diff(arrays["heights"]) >= 0).all()
    lines = (tmp_path / "a.csv").read_text().splitlines()
    assert len(lines) == 1 + len(found)
    sizes = ",".join(SIZES[frame.request.picture.dimensions])
    assert lines[0].startswith(f"Region,{sizes},State,Neighbours,Nearest,Evidence,")
    if name == "volume":
        with pytest.raises(ExportError, match="no polygons"):
            export_regions(frame, tmp_path / "a.geojson")
    else:
        export_regions(frame, tmp_path / "a.geojson")
        written = json.loads((tmp_path / "a.geojson").read_text())
        names, rows = region_table(frame)
        for feature, row in zip(written["features"], rows, strict=True):
            facts, rings = feature["properties"], feature["geometry"]["coordinates"]
            assert [facts[one] for one in names] == [None if one == "" else one for one in row]
            assert facts["classification"]["name"] == f"state {facts['State']}"
            areas = [sum(x * v - u * y for (x, y), (u, v) in pairwise(ring)) / 2 for ring in rings]
            assert sum(areas) == facts[names[1]]
    with pytest.raises(ExportError, match=r"\.csv \(their table\)"):
        export_regions(frame, tmp_path / "a.txt")
