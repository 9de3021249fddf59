"""The script of what is on screen, run outside of the program.

A separate process runs the scripts of all tests, one after the other: importing the core takes
longer than running them. Each has names of its own, and has to import its modules; that of a demo
has a process of its own, as a user's would.
"""

import ast
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from skimage import data, io

from latviz.core.data.encoding import Encoding
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import ALL_NEEDS, Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.geometry.region_cut import Measure, RegionCut
from latviz.engine.geometry.signature_space import Projection
from latviz.engine.keeping.results import arrays
from latviz.engine.keeping.session import opened
from latviz.engine.pictures.leaving import without
from latviz.engine.pictures.picture import Picture, Pictures
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.parameters import Parameters
from latviz.workspace import make_picture, read_picture, read_pictures, read_session, write_session
from tests.app.shown_numbers import python_of
from tests.new_frames import new_frame


def completed(picture: Pictures, *moves: Parameters) -> Frame:
    """Return the frame after some moves, whose colours it keeps."""
    pipeline = Pipeline()
    for parameters in moves:
        frame = pipeline.run(Request(picture, parameters, complete=True))
    return frame


def cut_by_hand(picture: Pictures, parameters: Parameters) -> Frame:
    """Return the frame of a cut with one state split, and two others merged."""
    pipeline = Pipeline()
    straight = pipeline.run(Request(picture, parameters, complete=True))
    split = straight.cut.split(1)
    merged = split.merged(split.with_siblings(split.clusters.size - 2))
    changed = replace(parameters, n_states=merged.clusters.size)
    looks = Looks(own=(Look(straight.row_slots[0], "sky"),))
    request = Request(picture, changed, complete=True, hand_cut=merged.hand, looks=looks)
    return pipeline.run(replace(request, needs=ALL_NEEDS))


RUNNER = """
import contextlib, io, json, os, runpy, sys, traceback

for folder in sys.stdin:
    os.chdir(folder.rstrip("\\n"))
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        try:
            runpy.run_path("script.py", run_name="__main__")
        except BaseException:
            traceback.print_exc()
    print(json.dumps([said.getvalue(), complained.getvalue()]), flush=True)
"""
RunScript = Callable[[Path], tuple[str, str]]
Run = Callable[..., dict[str, np.ndarray]]
Small = Callable[[str], Picture]


@pytest.fixture(scope="module")
def run_script() -> Iterator[RunScript]:
    """Yield a function that runs ``script.py`` in a folder, and returns its output and errors."""
    with subprocess.Popen(
        [sys.executable, "-c", RUNNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        ask, answers = process.stdin, process.stdout

        def run(folder: Path) -> tuple[str, str]:
            print(folder, file=ask, flush=True)
            printed, complained = json.loads(answers.readline())
            return printed, complained

        yield run
        process.stdin.close()


def alone(folder: Path) -> tuple[str, str]:
    """Run ``script.py`` in a folder in a process of its own, as `run_script` does."""
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=folder, capture_output=True, text=True, check=False
    )
    return done.stdout, done.stderr


SMALL = {
    "photo": data.astronaut()[100:160, 130:200],
    "labels": data.camera()[100:160, 160:230] // 90,
    "volume": np.stack([data.camera()[k : k + 30, 160:200] for k in range(6)]),
    "little volume": np.stack([data.camera()[k : k + 18, 160:180] for k in range(4)]),
}
"""Parts of photographs, which scripts read from files."""


@pytest.fixture
def small(tmp_path: Path) -> Small:
    """Return a function that writes one of the small pictures to a file, and reads it."""

    def written(name: str) -> Picture:
        np.save(tmp_path / f"{name}.npy", SMALL[name])
        return read_picture(tmp_path / f"{name}.npy")

    return written


@pytest.fixture
def run(run_script: RunScript) -> Run:
    return partial(arrays_of, run_script)


def arrays_of(run_script, frame, folder, session="", more="") -> dict[str, np.ndarray]:
    name = "B" if frame.observations.discrete else "means"
    noise = "noise=[noise.associativity, noise.inertia], " if frame.noise is not None else ""
    noise += "left=left, " if frame.residual_correlation is not None else ""
    has_law = not np.isnan(frame.law_distance or 0.0) and frame.law_distance is not None
    noise += "distance=distance, " if has_law else ""
    save = (
        f"\nnp.savez('out.npz', states=states, A=A, emissions={name}, {noise}"
        f"nodes=score.node_log_likelihood, total=score.log_likelihood, {more})\n"
    )
    text = python_of(frame, session=session) + save
    (folder / "script.py").write_text(text, encoding="utf-8")
    printed, complained = run_script(folder)
    assert complained == ""
    late = frame.noise, frame.residual_correlation
    assert printed.count("\n") == 2 + sum(one is not None for one in late) + has_law
    with np.load(folder / "out.npz") as stored:
        return dict(stored)


def assert_same(frame: Frame, found: dict[str, np.ndarray]) -> None:
    assert frame.evaluation is not None
    np.testing.assert_array_equal(found["states"], frame.states)
    np.testing.assert_allclose(found["A"], frame.model.A, rtol=1e-12, atol=0.0)
    np.testing.assert_allclose(found["emissions"], frame.codebook, rtol=1e-12, atol=0.0)
    if frame.residual_correlation is not None:
        assert found["left"] == pytest.approx(frame.residual_correlation, rel=1e-9, nan_ok=True)
    if "distance" in found:
        assert found["distance"] == pytest.approx(frame.law_distance, rel=1e-9, nan_ok=True)
    if frame.noise is not None:
        noise = [frame.noise.associativity, frame.noise.inertia]
        np.testing.assert_allclose(found["noise"], noise, rtol=1e-12, atol=0.0)
    nodes = arrays(frame, large=True)["node_log_likelihood"]
    np.testing.assert_allclose(found["nodes"].reshape(nodes.shape), nodes, rtol=1e-6, atol=1e-6)
    total = frame.evaluation.log_likelihood
    np.testing.assert_allclose(found["total"], total, rtol=1e-9, atol=0.0)


@pytest.mark.parametrize(
    "parameters",
    [
        Parameters(Encoding("quantiles", 5), n_states=5, window=3, smoothing=0.5, alpha=0.7),
        Parameters(
            Encoding("palette", 6),
            n_states=4,
            window=4,
            learning_window=2,
            smoothing=0.2,
            alpha=0.5,
            alpha_mode="local",
            normalizer="states",
        ),
        Parameters(Encoding("texture", scale=1.5), n_states=3, window=2),
        Parameters(Encoding("lab"), n_states=4, window=1, learning_window=2, second_window=5),
    ],
)
def test_a_file(run: Run, tmp_path: Path, parameters: Parameters) -> None:
    io.imsave(tmp_path / "a photo.png", data.astronaut()[:150, :170])
    picture = read_picture(tmp_path / "a photo.png", reduction=2)
    first = Parameters(parameters.encoding, n_states=3, window=6)
    frame = completed(picture, first, parameters)
    assert_same(frame, run(frame, tmp_path))


def test_few_rows_of_many_channels(run: Run, tmp_path: Path) -> None:
    pixels = np.random.default_rng(0).normal(0, 1, (16, 4, 30)).astype(np.float32)
    np.save(tmp_path / "bands.npy", pixels)
    picture = read_picture(tmp_path / "bands.npy", "z=vector")
    frame = completed(picture, Parameters(Encoding("channels"), n_states=3, window=1))
    assert_same(frame, run(frame, tmp_path))


@pytest.mark.parametrize(
    "name", ['""";raise SystemExit("""', "back\\up", "two\nlines", "\udcff'\""]
)
def test_a_name_is_no_program(name: str) -> None:
    picture = Picture(np.eye(9, dtype=np.uint8), name)
    text = python_of(completed(picture, Parameters(n_states=2, window=1)))
    assert ast.get_docstring(ast.parse(text.encode())).startswith(f"{name}, as latviz")


def test_a_demo(tmp_path: Path) -> None:
    picture, parameters = make_picture("figure1")
    frame = completed(picture, parameters)
    assert_same(frame, arrays_of(alone, frame, tmp_path))


def test_a_pasted_image_and_a_sample(run: Run, tmp_path: Path) -> None:
    pixels = np.ascontiguousarray(data.camera()[:200, :300])
    picture = Picture(pixels, "Pasted image", origin={"clipboard": True})
    parameters = Parameters(Encoding("grey"), n_states=3, window=3)
    sampled = new_frame(picture, parameters)
    assert "sample of 4," in python_of(sampled)
    np.save(tmp_path / "image.npy", pixels)
    frame = completed(picture, parameters)
    assert "sample" not in python_of(frame)
    assert_same(frame, run(frame, tmp_path))


@pytest.mark.parametrize("inside", [False, True])
def test_records_of_a_file(run: Run, tmp_path: Path, inside: bool) -> None:
    rng = np.random.default_rng(0)
    texts = ("".join(rng.choice(list("ACGT"), n)) for n in (300, 500, 80))
    genes = tmp_path / "genes.fasta"
    genes.write_text("".join(f">{k}\n{text}\n" for k, text in enumerate(texts)))
    pictures, session = read_pictures(genes, 1), ""
    parameters = Parameters(Encoding("labels"), n_states=3, window=9, smoothing=0.1)
    if inside:
        session = str(tmp_path / "work.latviz")
        write_session(session, replace(opened(pictures, parameters), embedded=True), pictures)
        genes.unlink()
        pictures, _ = read_session(session)
    frame = completed(pictures, parameters)
    assert frame.states.shape == (500,)
    assert frame.n_learned == 880
    assert_same(frame, run(frame, tmp_path, session))


@pytest.mark.parametrize(
    ("shown", "name", "apart"),
    [
        ("figure1", "labels", False),
        ("protein", "labels", False),
        ("photo", "grey", False),
        ("volume", "grey", False),
        ("volume", "grey", True),
    ],
)
def test_the_trade_off_shown(run_script, small, tmp_path, shown, name, apart) -> None:
    picture = (small(shown) if shown in SMALL else make_picture(shown)[0]).sliced(apart)
    parameters = Parameters(Encoding(name), 3, window=2, learning_window=1, smoothing=0.5)
    frame, sweeping = completed(picture, parameters), Sweeping()
    found = [sweeping.next(frame, Watch(lambda: False)) for _ in range(3)][-1]
    assert found is not None
    found = replace(found, windows=(2, 3))
    save = (
        "\nrows = [[s.n_states, s.window, s.code_length, s.accuracy, s.inertia] for s in settings]"
        "\nnp.save('out.npy', np.array(rows, float))\n"
    )
    (tmp_path / "script.py").write_text(python_of(frame, found) + save, encoding="utf-8")
    assert run_script(tmp_path)[1] == ""
    rows = np.load(tmp_path / "out.npy")
    assert len(rows) == 16
    for n, w, *values in rows:
        if w == 2:
            s = found.settings[int(n), 2]
            accuracy = np.nan if s.accuracy is None else s.accuracy
            wanted = [s.code_length, accuracy, s.inertia]
            np.testing.assert_allclose(values, wanted, rtol=1e-9, atol=0.0)


CORNERS = ((-1.0, 0.3), (0.1, 0.9), (0.7, 0.7), (1.0, -0.2), (-0.4, -1.0))


@pytest.mark.parametrize(
    ("encoding", "projection"),
    [
        (Encoding("quantiles", 2), Projection()),
        (Encoding("quantiles", 4), Projection("tetrahedron", turn=(0.4, 0.2, -0.7, 0.1))),
        (Encoding("quantiles", 5), Projection("polygon", corners=CORNERS)),
        (Encoding("quantiles", 6), Projection("symbols", (5, 0, 3))),
        (Encoding("quantiles", 6), Projection("components")),
        (Encoding("grey"), Projection()),
        (Encoding("rgb"), Projection("components")),
        (Encoding("texture", scale=1.5), Projection("principal")),
    ],
)
def test_where_the_states_are_drawn(run, small, tmp_path, encoding, projection) -> None:
    parameters, picture = Parameters(encoding, n_states=4, window=2, smoothing=0.3), small("photo")
    frame = new_frame(picture, parameters, projection=projection, complete=True)
    more = "codewords=codewords" + ("" if encoding.discrete else ", ellipses=ellipses")
    found = run(frame, tmp_path, more=more)
    same = {"rtol": 0.0, "atol": 1e-9 * np.abs(frame.space.codewords).max()}
    np.testing.assert_allclose(found["codewords"], frame.space.codewords, **same)
    if not encoding.discrete:
        most = np.abs(frame.space.ellipses).max()
        np.testing.assert_allclose(
            found["ellipses"], frame.space.ellipses, rtol=0.0, atol=1e-9 * most
        )


def test_views_that_are_hidden_are_in_no_script() -> None:
    picture, parameters = make_picture("figure1")
    shown = frozenset(ALL_NEEDS) - {"space", "node_map", "dendrogram"}
    text = python_of(new_frame(picture, parameters, needs=shown))
    for name in ("codewords", "node_map", "merge_costs"):
        assert name not in text


@pytest.mark.parametrize(
    ("kind", "name", "encoding", "apart"),
    [
        ("likelihood", "photo", Encoding("grey"), False),
        ("doubt", "labels", Encoding("labels"), False),
        ("inertia", "volume", Encoding("quantiles", 3), True),
        ("resemblance", "volume", Encoding("quantiles", 3), False),
    ],
)
def test_maps_and_merges(run, small, tmp_path, name, encoding, apart, kind) -> None:
    picture = small(name).sliced(apart)
    parameters = Parameters(encoding, n_states=3, window=2, learning_window=3, alpha=0.8)
    views = frozenset(ALL_NEEDS)
    request = Request(picture, parameters, complete=True, needs=views, map=kind)
    frame = Pipeline().run(request)
    found = run(frame, tmp_path, more="node_map=node_map, merge_costs=merge_costs")
    np.testing.assert_allclose(found["node_map"], frame.node_map.values, rtol=1e-5, atol=1e-5)
    assert found["merge_costs"].size == frame.dendrogram.n_leaves - 1
    np.testing.assert_allclose(
        found["merge_costs"], frame.dendrogram.costs[1:], rtol=1e-9, atol=0.0
    )


@pytest.mark.parametrize(
    ("name", "measure"), [("photo", "evidence"), ("volume", "contrast"), ("protein", "contrast")]
)
def test_regions(run: Run, small: Small, tmp_path: Path, name: str, measure: Measure) -> None:
    picture = (small(name) if name in SMALL else make_picture(name)[0]).sliced(True)
    encoding = Encoding("labels" if picture.alphabet else "quantiles", 3)
    parameters = Parameters(encoding, n_states=3, window=2)
    cut = RegionCut(5, 2.0, measure, 0.02)
    needs = frozenset({*ALL_NEEDS, "regions"})
    request = Request(picture, parameters, complete=True, needs=needs, region_cut=cut)
    frame = Pipeline().run(request)
    found = run(frame, tmp_path, more="labels=regions.labels")
    np.testing.assert_array_equal(found["labels"], frame.regions.labels)


@pytest.mark.parametrize(
    ("name", "encoding", "changes"),
    [
        ("photo", Encoding("lab"), {"smoothing": 0.0}),
        ("labels", Encoding("labels"), {"smoothing": 0.5, "alpha": 0.7}),
        ("volume", Encoding("quantiles", 4), {"alpha_mode": "local"}),
        ("figure1", Encoding("labels"), {}),
    ],
)
def test_pixels_left_out(run: Run, small: Small, tmp_path: Path, name, encoding, changes) -> None:
    whole = (small(name) if name in SMALL else make_picture(name)[0]).sliced(True)
    out = np.random.default_rng(0).random(whole.shape) < 0.3
    picture = without(whole, out)
    assert np.array_equal(~out, picture.known)
    frame = completed(picture, Parameters(encoding, n_states=3, window=2, **changes))
    assert_same(frame, run(frame, tmp_path))


@pytest.mark.parametrize(
    ("decoder", "name", "changes"),
    [
        ("belief", "labels", {"encoding": Encoding("labels"), "passes": 2}),
        ("refined", "little volume", {"alpha": 0.7, "alpha_mode": "local"}),
        ("scales", "labels", {"encoding": Encoding("labels"), "n_states": 4}),
        ("refined", "protein", {"normalizer": "states"}),
    ],
)
def test_beliefs(run, small, tmp_path, decoder, name, changes) -> None:
    if name in SMALL:
        picture, parameters = small(name).sliced(True), Parameters(n_states=3, window=2)
    else:
        picture, parameters = make_picture(name)
    parameters = replace(parameters, decoder=decoder, **changes)
    asked = Request(picture, parameters, complete=True, needs=ALL_NEEDS, map="doubt")
    frame = Pipeline().run(asked)
    assert frame.believed is not None
    found = run(frame, tmp_path, more="node_map=node_map")
    assert_same(frame, found)
    np.testing.assert_allclose(found["node_map"], frame.node_map.values, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("pasted", [False, True])
def test_an_image_inside_a_session(run: Run, tmp_path: Path, pasted: bool) -> None:
    io.imsave(tmp_path / "photo.png", data.astronaut()[:90, :70])
    picture, parameters = read_picture(tmp_path / "photo.png"), Parameters(n_states=3, window=2)
    if pasted:
        picture = replace(picture, origin={"clipboard": True})
    session = tmp_path / "it's work.latviz"
    write_session(session, replace(opened(picture, parameters), embedded=True), picture)
    (tmp_path / "photo.png").unlink()
    frame = completed(read_session(session)[0], parameters)
    assert_same(frame, run(frame, tmp_path, str(session)))
    for text in (python_of(frame), python_of(frame, session=str(session))):
        assert "photo.png" not in text.split('"""')[2]  # the name is in the docstring alone


@pytest.mark.parametrize(("name", "second"), [("quantiles", None), ("grey", 5)])
def test_a_cut_by_hand_is_the_same(name: str, second: int | None, run: Run, tmp_path: Path) -> None:
    io.imsave(tmp_path / "photo.png", data.camera()[100:220, 160:280])
    parameters = Parameters(Encoding(name, 4), n_states=6, window=3, second_window=second)
    frame = cut_by_hand(read_picture(tmp_path / "photo.png"), parameters)
    assert frame.cut.rows.tolist() != list(range(frame.cut.clusters.size))
    found, emissions = run(frame, tmp_path, more="names=state_names"), frame.codebook
    np.testing.assert_array_equal(found["states"], frame.states)
    np.testing.assert_allclose(found["A"], frame.model.A, rtol=1e-12)
    np.testing.assert_allclose(found["emissions"], emissions, rtol=1e-9)
    assert found["names"].tolist() == list(frame.names)
