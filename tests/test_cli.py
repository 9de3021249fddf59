"""The command line: in this process, and in separate processes where these matter."""

import csv
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import cast, get_args

import numpy as np
import pytest
import tifffile
from PIL import Image
from scipy.ndimage import find_objects, label

from latviz import cli, core
from latviz.app.program import platforms
from latviz.cli import many, notes
from latviz.cli.options import begun, parser_of
from latviz.cli.rules import RULES, problem
from latviz.collection.models import read_model
from latviz.computing import compute
from latviz.core import threads
from latviz.core.data.encoders import encode
from latviz.core.data.encoding import ENCODINGS, SHORTHANDS, Encoding
from latviz.engine.choosing.tradeoff import What
from latviz.engine.geometry.selection import MapKind
from latviz.engine.keeping.session import Session, opened
from latviz.engine.settings.appearance import Look, Looks
from latviz.engine.settings.decoding import Coloring, Decoding
from latviz.engine.settings.palette import SLOT_COLORS
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import State
from latviz.workspace import read_picture, write_session

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
FIGURES_OF = {"space": ".svg", "states": ".png", "adjacency": ".pdf", "tree": ".svg"}
PARSER = parser_of()
Result = subprocess.CompletedProcess[str]


def process(*arguments: object, **named: object) -> Result:
    """Run the program as users do."""
    environment = {key: value for key, value in os.environ.items() if key not in DISPLAYS}
    environment |= {key: str(value) for key, value in named.items()}
    command = [sys.executable, "-W", "error", "-m", "latviz", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=120, check=False
    )


def assert_one_line(result: Result, code: int, *words: str) -> None:
    assert result.returncode == code, result.stderr
    assert result.stdout == ""
    assert result.stderr.startswith("latviz: ")
    assert result.stderr.count("\n") == 1
    for word in words:
        assert word in result.stderr


Run = Callable[..., Result]
Refuse = Write = Callable[..., None]


@pytest.fixture
def latviz(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run arguments in this process: one of their own takes seconds to begin."""

    def run(*arguments: object) -> Result:
        try:
            ended: object = cli.run([str(each) for each in arguments])
        except SystemExit as refusal:
            ended = refusal.code
        told = capsys.readouterr()
        return subprocess.CompletedProcess([], cast("int", ended), told.out, told.err)

    return run


@pytest.fixture
def write(latviz: Run) -> Write:
    """Run arguments in this process; assert that files are written, with notes at most."""

    def run(*arguments: object) -> None:
        result, names = latviz(*arguments), [Path(str(each)).name for each in arguments]
        assert (result.returncode, result.stdout) == (0, "")
        assert all(line.split(": ")[1] in names for line in result.stderr.splitlines())

    return run


@pytest.fixture
def refuse(latviz: Run) -> Refuse:
    """Run arguments in this process, and assert that they are refused in one line."""

    def run(arguments: Sequence[object], code: int, *words: str) -> None:
        assert_one_line(latviz(*arguments), code, *words)

    return run


def test_help_and_version() -> None:
    for option, word in (("--help", "--snapshot"), ("--version", "latviz 0.")):
        result = process(option)
        assert (result.returncode, result.stderr) == (0, "")
        assert word in result.stdout


SCIPY = "linalg", "ndimage", "optimize", "sparse", "spatial", "special", "stats"
HEAVY = "numba", "PIL", "tifffile", *(f"scipy.{part}" for part in SCIPY)


@pytest.mark.parametrize(
    ("run", "heavy"),
    [
        (
            "from latviz.cli.options import parser_of; parser_of()",
            ("numpy", "numba", "scipy", "PyQt6", "PIL"),
        ),
        ("import latviz.app.program.main", HEAVY),  # imported when the window is up
    ],
)
def test_nothing_heavy_is_loaded_for_nothing(run: str, heavy: tuple[str, ...]) -> None:
    code = f"import sys; {run}; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


def test_the_compiler_begins_before_the_modules_of_the_window_load(monkeypatch) -> None:
    begun, module = list[str](), ModuleType("latviz.app.program.main")

    def imported(name: str) -> Callable[..., int]:
        begun.append(name)
        return lambda *_: 0

    vars(module)["__getattr__"] = imported
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(platforms, "has_display", lambda: True)
    monkeypatch.setattr(platforms, "opened", lambda *_: None)
    monkeypatch.setattr(gc, "disable", lambda: begun.append("collects nothing"))
    monkeypatch.setattr(cli, "begin_early", lambda: begun.append("compiler"))
    assert cli.run([]) == 0
    assert begun[:2] == ["collects nothing", "compiler"]
    assert "show" in begun[2:]


@pytest.mark.parametrize(("chosen", "wanted"), [(None, 1), ("2", 2)])
def test_products_of_matrices_leave_the_other_cores_alone(chosen: str | None, wanted: int) -> None:
    """A thread of OpenBLAS that waited for products took half of two cores."""
    code = (
        "import threadpoolctl, latviz.__main__, latviz.cli\n"
        "def run(_):\n"
        "    import numpy\n"
        "    print([each['num_threads'] for each in threadpoolctl.threadpool_info()])\n"
        "latviz.cli.run_to_end = run\n"
        "latviz.__main__.main()"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_NUM_THREADS"}
    if chosen is not None:
        environment["OPENBLAS_NUM_THREADS"] = chosen
    result = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert result.stdout.strip() == f"[{wanted}]", result.stderr


def test_a_volume_and_a_sequence(tmp_path: Path, latviz: Run, write: Write) -> None:
    pages = [Image.fromarray(np.eye(20, 30, k, dtype=np.uint8) * 255) for k in range(4)]
    pages[0].save(tmp_path / "pages.tif", save_all=True, append_images=pages[1:])
    out = tmp_path / "out.npz"
    for options, shape in (((), (20, 30)), (("--volume", "--slices", "apart"), (4, 20, 30))):
        write(tmp_path / "pages.tif", *options, "--window", 1, "--export", out)
        with np.load(out) as arrays:
            assert arrays["states"].shape == shape
    (tmp_path / "slices").mkdir()
    for k, page in enumerate(pages):
        page.save(tmp_path / f"slices/s{k}.png")
    latviz(tmp_path / "slices", "--volume", "--export", tmp_path / "states.npz")
    with np.load(tmp_path / "states.npz") as arrays:
        assert arrays["states"].shape == (4, 20, 30)
    latviz(tmp_path / "pages.tif", "--volume", "--export", tmp_path / "states.png")
    with Image.open(tmp_path / "states.png") as states:
        assert states.size == (30, 80)
    latviz(tmp_path / "pages.tif", "--volume", "--export", tmp_path / "states.ome.tif")
    assert tifffile.imread(tmp_path / "states.ome.tif").shape == (4, 20, 30)
    (tmp_path / "gene.fasta").write_text(">gene\n" + "GATTACA" * 30)
    write(tmp_path / "gene.fasta", "--export", out, "--export", tmp_path / "out.json")
    write(tmp_path / "gene.fasta", "--export", tmp_path / "gene.tif")
    assert tifffile.imread(tmp_path / "gene.tif").shape == (1, 210)
    with np.load(out) as arrays:
        assert arrays["states"].shape == (210,)
        assert arrays["B"].shape == (4, 4)
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["image"]["width"] == 210
    assert "height" not in written["image"]
    assert written["observations"]["names"] == ["A", "C", "G", "T"]
    result = latviz(tmp_path / "gene.fasta", "--encoding", "grey", "--export", out)
    assert_one_line(result, 2, "its own symbols")


HOLE = np.add.outer((np.arange(40) - 15) ** 2, (np.arange(50) - 20) ** 2) < 90
GREYS = np.random.default_rng(4).integers(1, 255, HOLE.shape) // 2 + 100 * (HOLE.cumsum(1) > 0)
GEO = {"photometric": "minisblack", "extratags": [(42113, "s", 0, "-9999", True)]}
UNKNOWN_IN: dict[str, Callable[[Path], object]] = {
    "nan.tif": lambda path: tifffile.imwrite(path, np.where(HOLE, np.nan, GREYS).astype("f4")),
    "geo.tif": lambda path: tifffile.imwrite(
        path, np.where(HOLE, -9999, GREYS).astype("i2"), **GEO
    ),
    "clear.png": lambda path: Image.fromarray(
        np.stack([GREYS, GREYS, GREYS, 255 * ~HOLE], -1).astype(np.uint8)
    ).save(path),
    "masked.png": lambda path: Image.fromarray(GREYS.astype(np.uint8)).save(path),
    "table.csv": lambda path: np.savetxt(
        *(path, np.where(HOLE, np.nan, GREYS)[:, 16:23]), fmt="%g", delimiter=",", header="a"
    ),
}
"""Ways of saying that nothing is known of the pixels of a hole."""


def test_nothing_is_written_where_beliefs_are_refused(refuse, tmp_path) -> None:
    names = [tmp_path / "states.tif", tmp_path / "states.beliefs.tif"]
    outputs = [part for one in names for part in ("--export", one)]
    refuse(["--demo", "blobs", *outputs], 1, "decode by belief")
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("name", UNKNOWN_IN)
def test_unknown_pixels_from_the_file_to_all_results(name, tmp_path, write) -> None:
    UNKNOWN_IN[name](tmp_path / name)
    Image.fromarray(~HOLE).save(tmp_path / "mask.png")
    known = ~HOLE if "csv" not in name else ~HOLE[:, 16:23].any(axis=1, keepdims=True).T
    mask = ("--mask", tmp_path / "mask.png") if name == "masked.png" else ()
    endings = ("out.npz", "out.json", "out.tif", "out.png", "b.beliefs.tif")
    outputs = [part for one in endings for part in ("--export", tmp_path / one)]
    write(*(tmp_path / name, *mask, "--states", 3, "--decoder", "belief", *outputs))
    with np.load(tmp_path / "out.npz") as arrays:
        states = arrays["states"]
        assert arrays["occupancy"].sum() == known.sum()
    np.testing.assert_array_equal(states == 255, ~known)
    np.testing.assert_array_equal(np.unique(states[known]), np.arange(3))
    np.testing.assert_array_equal(tifffile.imread(tmp_path / "out.tif"), states + np.uint8(1))
    with Image.open(tmp_path / "out.png") as image:
        np.testing.assert_array_equal(np.asarray(image), states)
        assert image.info["transparency"] == 255
        np.testing.assert_array_equal(np.asarray(image.convert("RGBA"))[..., 3] > 0, known)
    beliefs = tifffile.imread(tmp_path / "b.beliefs.tif")
    np.testing.assert_allclose(beliefs.sum(axis=0), known, atol=1e-5)
    written = json.loads((tmp_path / "out.json").read_text())
    assert (written["image"]["known"], written["image"]["unknown"]) == (known.sum(), (~known).sum())
    assert sum(written["occupancy"]) == known.sum()
    assert written["learned_from"]["nodes"] == known.sum()


def test_names_agree_with_what_there_is() -> None:
    actions = {action.dest: action for action in parser_of()._actions}
    assert (*ENCODINGS, *SHORTHANDS) == actions["encoding.name"].choices
    assert get_args(MapKind) == actions["map"].choices
    assert get_args(What) == actions["choose"].choices


@pytest.mark.parametrize(("opens_with", "begun_with"), [("lab", "quantiles"), ("palette",) * 2])
def test_symbols_alone_are_those_of_an_encoding_that_has_some(opens_with, begun_with) -> None:
    found = begun(Parameters(Encoding(opens_with)), PARSER.parse_args(["--symbols", "5"]))
    assert found.encoding == Encoding(begun_with, 5)


@pytest.mark.usefixtures("untried")
def test_every_parameter_has_an_option(tmp_path: Path, write: Write) -> None:
    options = {
        "states": 3,
        "window": 2,
        "learning_window": 1,
        "second_window": 6,
        "smoothing": 0.5,
        "alpha": 0.25,
        "alpha_mode": "local",
        "normalizer": "states",
    }
    words = [w for name, value in options.items() for w in (f"--{name.replace('_', '-')}", value)]
    coded = "--encoding", "palette", "--symbols", 5
    write(noisy_blobs(tmp_path), *coded, *words, "--export", tmp_path / "a.json")
    told = json.loads((tmp_path / "a.json").read_text())["parameters"]
    encoding = told.pop("encoding")
    assert (encoding["name"], encoding["n_symbols"]) == ("palette", 5)
    options["n_states"] = options.pop("states")
    assert told == {**options, "spacing": None, "decoder": "nearest", "passes": 10}
    believed = "--decoder", "belief", "--passes", 3
    write(noisy_blobs(tmp_path), *believed, "--export", tmp_path / "a.json")
    told = json.loads((tmp_path / "a.json").read_text())
    assert (told["parameters"]["decoder"], told["parameters"]["passes"]) == ("belief", 3)
    assert 0 < told["strength"] < 4
    coded = "--encoding", "texture", "--scale", 3.5
    write(noisy_blobs(tmp_path), *coded, "--export", tmp_path / "a.json")
    told = json.loads((tmp_path / "a.json").read_text())["parameters"]
    assert told["encoding"]["scale"] == 3.5


def test_options_without_effect_are_refused_with_the_reason(tmp_path, refuse, write) -> None:
    Image.fromarray(np.eye(20, 30, dtype=np.uint8) * 255).save(tmp_path / "flat.png")
    (tmp_path / "gene.fasta").write_text(">gene\n" + "GATTACA" * 30)
    np.save(tmp_path / "volume.npy", np.zeros((9, 20, 30), dtype=np.uint8))
    parameters = Parameters(Encoding("grey"))
    session = tmp_path / "a.latviz"
    picture = read_picture(tmp_path / "flat.png")
    write_session(session, opened(picture, parameters), picture)
    out = ["--export", tmp_path / "a.png"]
    for arguments, words in (
        (["--demo", "blobs", "--slices", "apart"], ("--slices", "only a volume has slices")),
        ([tmp_path / "flat.png", "--slices", "together"], ("only a volume has slices",)),
        (["--demo", "blobs", "--window", "1,3,3"], ("3 half-widths", "2 axes")),
        (["--demo", "volume", "--window", "1,3"], ("2 half-widths", "3 axes")),
        (["--demo", "volume", "--window", "1,65,3"], ("from 0 to 64", "65")),
        (["--demo", "blobs", "--scale", 3], ("--scale", "labels", "has no scale")),
        ([tmp_path / "gene.fasta", "--symbols", 3], ("--symbols", "labels", "number of symbols")),
        ([tmp_path / "flat.png", "--encoding", "lab", "--symbols", 3], ("--symbols", "lab")),
        ([session, "--symbols", 3], ("--symbols", "grey", "number of symbols")),
        (["--demo", "volume", "--map", "inertia"], ("--map", "--snapshot")),
        (["--demo", "blobs", "--states", 3, "--choose", "N"], ("--states", "--choose N")),
        (["--demo", "blobs", "--states", 3, "--choose", "both"], ("--choose both",)),
    ):
        refuse([*arguments, *out], 2, *words)
    refuse(["--choose", "w"], 2, "--choose", "--export")
    for picture in (["--demo", "volume"], [tmp_path / "volume.npy"]):
        write(*picture, "--slices", "apart", *out)


@pytest.mark.parametrize("sides", [(1, 4, 2), (4, 1)])
def test_a_half_width_for_each_axis(tmp_path: Path, write: Write, sides: tuple[int, ...]) -> None:
    shape = (5, 20, 30)[-len(sides) :]
    given = [tmp_path / "a.npy", "--window", ",".join(map(str, sides)), "--export"]
    np.save(given[0], np.random.default_rng(0).integers(0, 4, shape).astype(np.uint8))
    write(*given, tmp_path / "a.npz")
    write(*given, tmp_path / "a.json")
    found = np.load(tmp_path / "a.npz")
    told = json.loads((tmp_path / "a.json").read_text())["parameters"]
    assert told["spacing"] == pytest.approx([9 / (2 * side + 1) for side in sides])
    there = np.eye(found["B"].shape[1])[found["observations"]]
    signatures = np.zeros(there.shape)
    for t in np.ndindex(shape):
        around = (slice(max(0, k - w), k + w + 1) for k, w in zip(t, sides, strict=True))
        signatures[t] = there[tuple(around)].mean(axis=tuple(range(len(shape))))
    distances = ((signatures[..., None, :] - found["B"]) ** 2).sum(axis=-1)
    own = np.take_along_axis(distances, found["states"][..., None].astype(int), -1)[..., 0]
    assert (own <= distances.min(axis=-1) + 1e-6).all()


def noisy_blobs(folder: Path) -> Path:
    """Write a small image of three states."""
    truth = core.sample_blobs((48, 56), n_states=3, scale=8.0, random_state=1)
    pixels = 80 * truth + np.random.default_rng(1).normal(40, 30, truth.shape)
    Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(folder / "a.png")
    return folder / "a.png"


@pytest.mark.usefixtures("untried")
@pytest.mark.parametrize("what", ["w", "both"])
def test_choosing(what: str, tmp_path: Path, latviz: Run) -> None:
    image, out = noisy_blobs(tmp_path), tmp_path / "a.json"
    start = [image, "--encoding", "quantiles", "--symbols", 4, "--window", 6]
    given = ["--states", 5] if what == "w" else []
    result = latviz(*start, *given, "--choose", what, "--export", out)
    assert (result.returncode, result.stderr) == (0, "")
    told = json.loads(out.read_text())["parameters"]
    grey = encode(read_picture(image).pixels, Encoding("grey"))
    n_states = core.choose(grey.values, kind="gaussian", scalar=True).n_states
    assert told["n_states"] == (5 if what == "w" else n_states)
    symbols = encode(read_picture(image).pixels, Encoding("quantiles", 4))
    n_symbols, w_l = symbols.n_symbols, told["learning_window"]
    sizes = [told["n_states"]]
    settings = core.sweep(
        symbols.values,
        windows=range(1, 21),
        n_states=sizes,
        n_symbols=n_symbols,
        codebook_window=w_l,
    )
    best = min(settings, key=lambda found: found.code_length)
    assert told["window"] == best.window
    assert result.stdout.endswith(".\n")
    assert f"{'w' if what == 'w' else 'N'} = " in result.stdout


def test_advice_is_followed_to_its_end(tmp_path: Path, latviz: Run) -> None:
    image, out = noisy_blobs(tmp_path), tmp_path / "a.json"
    command = [image, "--encoding", "grey", "--window", 9, "--advise", "--export", out]
    before = None
    for _ in range(5):
        result = latviz(*command)
        assert (result.returncode, result.stderr) == (0, "")
        found = json.loads(out.read_text())["advice"]
        lines = [found["says"], found["because"]]
        offer = found["offer"]
        if offer is None:
            break
        assert offer["after"] < offer["before"]
        assert before in (None, offer["before"])  # unrounded
        before, gain = offer["after"], f"{offer['after'] - offer['before']:.2f}"
        assert offer["text"].endswith(f": pixel error {gain} bits".replace("-", "−"))
        lines.append(f"{offer['text']}: {' '.join(offer['options'])}")
        assert result.stdout.splitlines() == lines
        command += offer["options"]
    assert result.stdout.splitlines() == lines
    assert len(command) > 7  # one offer at least


def test_figures_are_those_of_the_window(tmp_path: Path, write: Write, qapp: object) -> None:
    paths = {name: tmp_path / f"{name}{suffix}" for name, suffix in FIGURES_OF.items()}
    asked = (part for name, path in paths.items() for part in ("--figure", name, path))
    write("--demo", "stripes", *asked, "--dpi", "150")
    starts = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF-"}
    for path in paths.values():
        assert path.read_bytes().startswith(starts[path.suffix])
    with Image.open(paths["states"]) as image:
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)
    assert "% of the variance" in paths["space"].read_text()
    assert "Squared error" in paths["tree"].read_text()


def test_a_map_is_drawn_over_the_image_with_its_histogram(tmp_path, latviz, qapp) -> None:
    out, old = tmp_path / "image.svg", tmp_path / "map.svg"
    run = latviz("--demo", "stripes", "--map", "doubt", "--figure", "image", out)
    assert (run.returncode, run.stderr) == (0, "")
    assert "belief, bits" in out.read_text()
    run = latviz("--demo", "stripes", "--figure", "map", old)
    assert (run.returncode, run.stderr.count("\n")) == (0, 1)
    assert "--figure image" in run.stderr
    assert "Log-likelihood of each pixel, bits" in old.read_text()


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["--figure", "nothing", "a.svg"], 2, ("'nothing'", "adjacency")),
        (["--figure", "space", "a.jpg"], 2, ("--figure", ".pdf", "a.jpg")),
        (["--figure", "space", "no/such/a.svg"], 1, ("a.svg",)),
        (["--dpi", "300", "--export", "a.npz"], 2, ("--dpi", "--figure")),
        (["--figure", "space", "a.svg", "--dpi", "7"], 2, ("24", "600", "'7'")),
    ],
)
def test_figures_that_cannot_be(arguments, code, words, tmp_path, refuse) -> None:
    placed = [str(tmp_path / part) if part.startswith("a.") else part for part in arguments]
    refuse(["--demo", "stripes", *placed], code, *words)


def test_a_report(tmp_path: Path, write: Write, qapp: object) -> None:
    image, page = tmp_path / "a.png", tmp_path / "a.html"
    Image.fromarray(np.random.default_rng(0).integers(0, 9, (20, 30), dtype=np.uint8)).save(image)
    write(image, "--report", page)
    assert "<h1>a.png</h1>" in page.read_text(encoding="utf-8")
    assert str(tmp_path) not in page.read_text(encoding="utf-8")


def test_a_live_page(tmp_path: Path, write: Write) -> None:
    write("--lesson", "associativity", "--live", tmp_path / "a.html")
    assert 'id="alpha"' in (tmp_path / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--film", "window", "a.gif", "--film-size", "90"], ("--film", "is gone", "--live")),
        (["--evaluation-window", "4"], ("--evaluation-window", "is gone", "window=W")),
        (["--report", "a.pdf"], (".html", "a.pdf")),
        (["--live", "a.pdf"], (".html", "a.pdf")),
        (["--snapshot", "a.gif"], (".png", "a.gif")),
    ],
)
def test_reports_that_cannot_be(arguments, words, refuse) -> None:
    refuse(arguments, 2, *words)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--states", "0", "--export", "a.npz"], ("N", "from 1 to 32", "got 0")),
        (["--states", "33", "--export", "a.npz"], ("from 1 to 32", "got 33")),
        (["--window", "65", "--export", "a.npz"], ("from 0 to 64", "got 65")),
        (["--alpha", "0", "--export", "a.npz"], ("alpha", "got 0")),
        (["--symbols", "65", "--export", "a.npz"], ("64", "65")),
        (["--states", "three", "--export", "a.npz"], ("--states", "three")),
        (["--demo", "nothing", "--export", "a.npz"], ("nothing", "blobs")),
        (["--encoding", "nothing", "--export", "a.npz"], ("nothing", "palette")),
        (["--export", "a.txt"], (".npz", ".json", ".png", "a.txt")),
        (["--snapshot", "a.png", "--size", "12"], ("1280x800", "12")),
        (["--snapshot", "a.png", "--size", "1x9999999"], ("8192",)),
        (["--snapshot", "a.png", "--size", "900x8193"], ("8192", "900x8193")),
        (["--snapshot", "a.png", "--page", "0"], ("--page", "0")),
        (["a.png", "--demo", "blobs", "--export", "a.npz"], ("--demo", "not allowed", "IMAGE")),
        (["--unknown"], ("--unknown",)),
        (["--demo", "blobs", "--page", "2", "--export", "a.npz"], ("--page", "image")),
        (["--demo", "blobs", "--reduce", "2", "--export", "a.npz"], ("--reduce", "image")),
        (["a.png", "--reduce", "3", "--export", "a.npz"], ("--reduce", "3")),
        (["--encoding", "rgb", "--symbols", "4", "--export", "a.npz"], ("--symbols", "rgb")),
    ],
)
def test_bad_arguments(arguments: list[str], words: tuple[str, ...], refuse: Refuse) -> None:
    refuse(arguments, 2, *words)


ASKED = [
    *(["a.png"], ["a.png", "b.png"], ["a.latviz"], ["--demo", "blobs"], ["--page", "2"]),
    *(["--axes", "c=0+2"], ["--mask", "m.png"]),
    *(["--volume"], ["--reduce", "2"], ["--choose", "N"], ["--snapshot", "a.png"]),
    *(["--figure", "space", "a.svg"], ["--dpi", "100"], ["--report", "a.html"]),
    *(["--map", "inertia"], ["--size", "800x600"], ["--theme", "dark"], ["--export", "a.npz"]),
    *(["--settings", "window=2"], ["--settings", "demo=blobs"], ["--recursive"]),
    *(["--labels", "_t"], ["--json"], ["--export", "-"]),
    *(["--model", "m.npz"], ["--save-model", "m.npz"], ["--states", "3"], ["--scale", "4"]),
    *(["--symbols", "3"], ["--encoding", "lab"], ["--decoder", "refined"], ["--lesson", "window"]),
    ["--handout", "h.pdf"],
]
"""An option each, with values that are right on their own."""


def refusal_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Return the exit code and the line that refuse arguments, or nothing; no work is done."""
    try:
        given = PARSER.parse_args(arguments)
        many.sort_out(given)
        if reason := problem(given, PARSER):
            PARSER.error(reason)
    except SystemExit as ended:
        return f"{ended.code} {capsys.readouterr().err}"
    return ""


def test_of_options_that_do_not_go_together_one_is_named(capsys, nowhere) -> None:
    check_refusals(combinations(ASKED, 2), RULES, capsys)


def check_refusals(pairs, rules, capsys) -> None:
    """Check that a line names an option where two are refused, and that each rule refuses some."""
    found = set[str]()
    for pair in pairs:
        for first in ([], ["a.png"], ["a.png", "b.png"], ["--export", "a.npz"]):
            arguments = [*first, *pair[0], *pair[1]]
            told = refusal_of(arguments, capsys)
            if told:
                assert told.startswith("2 latviz: ")
                assert told.count("\n") == 1
                names = [word for word in arguments if word.startswith("--")]
                assert any(name in told for name in [*names, "session", "display"]), told
                found.add(told.strip())
    for rule in rules:
        ending = rule.reason.split("}")[-1]
        assert any(told.endswith(ending) for told in found), rule


@pytest.mark.parametrize(
    "arguments",
    [
        *([], ["a.png"], ["--demo", "blobs"], ["a.png", "--page", "2"], ["--states", "3"]),
        *(["a.png", "--export", "a.npz"], ["a.png", "--model", "m.npz", "--window", "2"]),
        *(["a.latviz", "--snapshot", "a.png", "--size", "800x600"], ["--settings", "demo=blobs"]),
        *(["a.png", "--save-model", "m.npz"], ["--report", "a.html"]),
        ["a.png", "--choose", "both", "--export", "a.npz"],
    ],
)
def test_options_that_go_together_are_taken(arguments, capsys, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert refusal_of(arguments, capsys) == ""


def test_a_process_ends_with_the_code_of_what_is_refused(tmp_path: Path) -> None:
    assert_one_line(process("--states", "0", "--export", "a.npz"), 2, "N", "from 1 to 32", "got 0")
    missing = tmp_path / "missing.png"
    assert_one_line(process(missing, "--export", tmp_path / "a.npz"), 1, "missing.png")


def test_without_a_display_a_process_draws_the_demo(tmp_path: Path) -> None:
    result = process("--states", 3, TMPDIR=tmp_path)
    assert (result.returncode, result.stderr) == (0, "")
    first, second = result.stdout.splitlines()
    (path,) = tmp_path.glob("latviz-*.png")
    assert first == f"There is no display, so the window was drawn to {path}"
    assert "ssh -X" in second
    with Image.open(path) as drawn:
        assert drawn.size == (1280, 800)
        colors = {color: count for count, color in drawn.convert("RGB").getcolors(1 << 20)}
    slots = [colors.get(tuple(color), 0) for color in SLOT_COLORS.tolist()]
    assert sum(count > 2000 for count in slots) == 3  # the map shows as many states


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that names no display."""
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


def test_without_a_display_what_cannot_be_opened_is_an_error(nowhere, tmp_path, refuse) -> None:
    nowhere.setattr(tempfile, "tempdir", str(tmp_path))
    refuse([tmp_path / "missing.png"], 1, "missing.png")
    assert list(tmp_path.iterdir()) == []


def test_many_images_without_a_display(nowhere, tmp_path, refuse) -> None:
    if sys.platform == "linux":
        refuse([tmp_path, "--recursive"], 2, "no display")


@pytest.mark.skipif(sys.platform != "linux", reason="others have a display of their own")
def test_a_display_that_does_not_answer() -> None:
    named = {"QT_QPA_PLATFORM": "", "WAYLAND_DISPLAY": "", "DISPLAY": ":77"}
    assert_one_line(process(**named), 2, "DISPLAY=':77'", "--snapshot")


def test_files_are_drawn_whatever_display_is_named_and_without_fonts(tmp_path: Path) -> None:
    out, figure = tmp_path / "w.png", tmp_path / "space.svg"
    files = "--snapshot", out, "--figure", "space", figure
    none = tmp_path / "fonts.conf"  # as on Windows, where Qt has none without a display
    none.write_text("<fontconfig/>")
    named = {"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":77", "FONTCONFIG_FILE": str(none)}
    result = process(noisy_blobs(tmp_path), *files, "--theme", "light", **named)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert figure.is_file()
    with Image.open(out) as window:
        menus = np.asarray(window.convert("L"))[:22, :320] < 128
    found, _ = label(menus, np.ones((3, 3)))
    shapes = {menus[place].tobytes() for place in find_objects(found)}
    assert len(shapes) > len({*"FileEditView"})  # boxes for letters have two


@pytest.fixture
def no_library(tmp_path: Path) -> dict[str, str]:
    """An environment in which Qt misses a library."""
    broken = tmp_path / "broken" / "PyQt6"
    broken.mkdir(parents=True)
    said = "libEGL.so.1: cannot open shared object file: No such file or directory"
    (broken / "__init__.py").write_text(f"raise ImportError({said!r})\n")
    return {"PYTHONPATH": os.pathsep.join([str(broken.parent), *sys.path])}


def test_a_library_that_is_missing(no_library: dict[str, str]) -> None:
    asked = [["--snapshot", "w.png"], ["--figure", "space", "space.svg"], []]
    code = f"from latviz import cli; print([cli.run(one) for one in {asked}])"
    environment = {key: value for key, value in os.environ.items() if key not in DISPLAYS}
    environment |= {**no_library, "DISPLAY": ":77"}
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True
    )
    assert result.stdout == "[2, 2, 2]\n"
    said = result.stderr.splitlines()
    assert len(said) == len(asked)
    for line in said:
        assert line.startswith("latviz: ")
        assert "libEGL.so.1" in line


def test_tests_say_which_library_is_missing(no_library: dict[str, str]) -> None:
    command = [sys.executable, "-m", "pytest", "--collect-only", __file__]
    environment = {**os.environ, **no_library}
    result = subprocess.run(
        command, capture_output=True, text=True, env=environment, timeout=120, check=False
    )
    assert result.returncode != 0
    assert result.stderr.startswith("Qt needs libEGL.so.1")
    assert result.stderr.endswith("run: sh .ci/system\n")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("model", ["BJO", "ACDEFGHIKLMNPQRSTVWY"])
def test_a_model_of_other_letters_is_refused(model, tmp_path, write, refuse) -> None:
    """By their places in the alphabet, U would be read as J, and G of DNA as D of a protein."""
    rng = np.random.default_rng(0)
    for name, letters in (("one", model), ("other", "UXZ" if model == "BJO" else "ACGT")):
        (tmp_path / f"{name}.txt").write_text("".join(rng.choice([*letters], 300)))
    saved, other = tmp_path / "m.npz", tmp_path / "other.txt"
    write(tmp_path / "one.txt", "--states", "2", "--save-model", saved)
    words = [other, "--model", saved, "--export", tmp_path / "a.json"]
    refuse(words, 1, f"({', '.join(model)})", "(U, X, Z)" if model == "BJO" else "(A, C, G, T)")
    assert "other symbols" in read_model(saved).refusal(read_picture(other))


def test_notes_on_how_a_file_was_read(tmp_path: Path, latviz: Run) -> None:
    tifffile.imwrite(tmp_path / "a.tif", np.arange(400, dtype=np.int16).reshape(20, 20))
    result = latviz(tmp_path / "a.tif", "--export", tmp_path / "a.json")
    assert (result.returncode, result.stdout) == (0, "")
    (line,) = result.stderr.splitlines()
    assert line.startswith("latviz: a.tif: ")
    assert "int16" in line


def test_notes_that_are_alike_are_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    alike = [(f"/x/{k}.tif", f"page 1 of {k + 2}") for k in range(500)]
    notes.print_notes([("a/1.tif", "turned"), *alike, ("b/1.tif", "turned")])
    assert capsys.readouterr().err.splitlines() == [
        "latviz: 1.tif: turned (and likewise for 1 other image)",
        "latviz: 0.tif: page 1 of 2 (and likewise for 499 other images)",
    ]
    notes.print_notes((f"{k}.tif", chr(0x4E00 + k)) for k in range(30))
    *_, last = lines = capsys.readouterr().err.splitlines()
    assert (len(lines), last) == (21, "latviz: further kinds of notes: 10")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["https://example.org/a.png"], "download"),
        (["a.png", "s3://place/b.png"], "download"),
        (["a.png", "--model", "HTTPS://example.org/m.npz"], "download"),
        (["scale", "https://example.org/a.zarr", "-o", "b.zarr"], "download"),
        (["a.png", "--mask", "-"], "only an image is read from the standard input"),
    ],
)
def test_addresses_are_not_read(arguments, word, latviz) -> None:
    result = latviz(*arguments)
    assert (result.returncode, result.stderr.count("\n")) == (2, 1)
    assert word in result.stderr


def test_a_number_of_threads_that_is_none(latviz: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_threads", 0)
    monkeypatch.setenv(threads.VARIABLE, "abc")
    result = latviz("--check-lesson", "none.md")
    assert result.stderr.splitlines()[0] == (
        "latviz: LATVIZ_THREADS must be a number from 1 to 256, got 'abc': it is ignored"
    )
    assert threads.get_threads() == threads.CORES  # without a warning, which is an error here


def test_bad_images(tmp_path: Path, refuse: Refuse) -> None:
    text = tmp_path / "text.png"
    text.write_text("not an image")
    for name in ("missing.png", "text.png"):
        out = tmp_path / "out.npz"
        refuse([tmp_path / name, "--export", out], 1, name)
        assert not out.exists()


def test_an_image_that_the_encoding_cannot_take(tmp_path: Path, latviz: Run, qapp: object) -> None:
    many = tmp_path / "many.png"
    Image.fromarray(np.arange(256, dtype=np.uint8).reshape(16, 16)).save(many)
    for out in (["--export", tmp_path / "a.npz"], ["--snapshot", tmp_path / "a.png"]):
        assert_one_line(latviz(many, "--encoding", "labels", *out), 2, "more than 64 distinct")


def test_unwritable_targets(tmp_path: Path, latviz: Run, qapp: object) -> None:
    for option, name in (("--export", "a.npz"), ("--snapshot", "a.png")):
        target = tmp_path / "nowhere" / name
        assert_one_line(latviz("--demo", "stripes", option, target), 1, name)


def test_reducing(tmp_path: Path, write: Write) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (30, 41)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    write(tmp_path / "a.png", "--reduce", 4, "--export", tmp_path / "a.npz")
    with np.load(tmp_path / "a.npz") as stored:
        assert stored["states"].shape == (8, 11)
    keys, scale, tie = (
        [1, 1, 0, 1, 1025, 0, 1, 1],
        (10.0, 10.0, 0.0),
        (0.0, 0.0, 0.0, 5e5, 4e6, 0.0),
    )
    tags = [(34735, 3, 8, keys, True), (33550, 12, 3, scale, True), (33922, 12, 6, tie, True)]
    tifffile.imwrite(tmp_path / "map.tif", pixels, extratags=tags)
    write(tmp_path / "map.tif", "--reduce", 4, "--export", tmp_path / "states.tif")
    with tifffile.TiffFile(tmp_path / "states.tif") as file:
        written = file.pages[0]
        assert (written.shape, written.tags[33550].value) == ((8, 11), (40.0, 40.0, 0.0))


def test_regions_are_those_of_the_settings(tmp_path: Path, write: Write) -> None:
    paths = tmp_path / "a.csv", tmp_path / "a.geojson"
    options = [word for path in paths for word in ("--regions", path)]
    write("--settings", "demo=blobs&region_cut.least_size=200", *options)
    lines = list(csv.DictReader(paths[0].read_text().splitlines()))
    areas = [int(line["Area"]) for line in lines]
    assert min(areas) >= 200
    assert sum(areas) == 256 * 256
    assert len(json.loads(paths[1].read_text())["features"]) == len(lines)


def test_sessions(tmp_path: Path, latviz: Run, write: Write, qapp: object) -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (90, 80)).astype(np.uint8)
    Image.fromarray(pixels).save(tmp_path / "a.png")
    picture = read_picture(tmp_path / "a.png")
    parameters = Parameters(n_states=5, window=2)
    first = compute(picture, Decoding(parameters, 4096))
    slots = tuple(np.random.default_rng(4).permutation(len(first.slots)).tolist())
    coloring = Coloring(slots, first.n_learned)
    looks = Looks(own=(Look(slots[2], "sky"),))  # of row 2, which has this slot there
    session = Session(State(parameters=parameters, looks=looks), coloring)
    path, out = tmp_path / "a.latviz", tmp_path / "a.npz"
    write_session(path, session, picture)
    for option in ([], ["--snapshot", tmp_path / "w.png"]):
        write(path, "--export", out, *option)
        expected = compute(picture, session.shown)
        assert expected.coloring == first.coloring
        assert expected.names[expected.slots.index(first.row_slots[2])] == "sky"
        with np.load(out) as stored:
            np.testing.assert_array_equal(stored["states"], expected.states)
            np.testing.assert_array_equal(stored["A"], expected.model.A)
    write(path, "--states", 3, "--export", out)
    with np.load(out) as stored:
        assert stored["A"].shape == (3, 3)
    (tmp_path / "a.png").unlink()
    assert_one_line(latviz(path, "--export", out), 1, "a.latviz", str(tmp_path / "a.png"))
    assert_one_line(latviz(path, "--page", 2, "--export", out), 2, "--page", "image")


@pytest.mark.posix("/bin/sh")
def test_without_a_standard_error(tmp_path: Path) -> None:
    """A file opened first must not take its number: libtiff prints there, and so does Qt."""
    image, export = tmp_path / "fax.tif", tmp_path / "a.json"
    stripes = np.add.outer(np.arange(40) // 7, np.arange(50) // 9) % 2 == 1
    Image.fromarray(stripes).save(image, compression="group4")
    before = image.read_bytes()
    command = [sys.executable, "-m", "latviz", str(image), "--export", str(export)]
    shell = ["sh", "-c", '"$@" 2>&-', "sh", *command]
    assert subprocess.run(shell, stdout=subprocess.PIPE, timeout=120, check=False).returncode == 0
    assert json.loads(export.read_text())
    assert image.read_bytes() == before
