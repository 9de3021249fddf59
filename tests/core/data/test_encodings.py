"""Encodings from outside: one object, registered once, is listed with all encodings."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from latviz.app.program.window import MainWindow
from latviz.cli.options import changed, parser_of
from latviz.computing import compute
from latviz.core import EncodingKind, Fitted, ParameterError, encode, plugins, register_encoding
from latviz.core.data.encoding import ENCODINGS, GROUP, Encoding
from latviz.core.data.fences import fenced
from latviz.core.parameter import row_of
from latviz.engine.frames.script import python_of
from latviz.engine.pictures.picture import Picture
from latviz.engine.pictures.sample_size import LIVE
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.parameters import Parameters
from tests.app.conftest import learn_once, photo, settle, window  # noqa: F401
from tests.parameter_table import parameters_page

TOY = """
import numpy as np
from latviz.core import EncodingKind, Fitted

class Parities:
    def __init__(self, n_symbols):
        self.n_symbols = n_symbols

    def prepare(self, image, labels):
        return image if image.ndim == 2 else image[..., 0]

    def fit(self, prepared):
        names = tuple(f"rest {k}" for k in range(self.n_symbols))
        greys = np.linspace(0, 255, self.n_symbols).astype(np.uint8)
        return Fitted(names, np.repeat(greys[:, None], 3, axis=1))

    def values(self, prepared, fitted):
        return (prepared % self.n_symbols).astype(np.uint8)

KIND = EncodingKind(
    name="parity",
    title="Parity",
    summary="Each pixel is the rest of its grey value.",
    discrete=True,
    uses_symbols=True,
    of_image=Parities,
)
"""


@pytest.fixture
def toy() -> Iterator[EncodingKind]:
    space: dict[str, object] = {}
    exec(TOY, space)
    kind = space["KIND"]
    assert isinstance(kind, EncodingKind)
    yield register_encoding(kind)
    del ENCODINGS["parity"]


def test_is_found_by_the_core(toy: EncodingKind) -> None:
    image = np.arange(35, dtype=np.uint8).reshape(5, 7)
    for pixels, dimensions in ((image, 2), (np.stack([image, image + 1]), 3)):
        made = encode(pixels, Encoding("parity", 3), dimensions=dimensions)
        np.testing.assert_array_equal(made.values, pixels % 3)
        assert made.names == ("rest 0", "rest 1", "rest 2")
    with pytest.raises(ParameterError, match=r"a sequence has its own symbols.*Labels"):
        encode(np.zeros(5, np.uint8), Encoding("parity"), alphabet=("a", "b"))
    with pytest.raises(ParameterError, match="there is an encoding 'parity' already"):
        register_encoding(toy)


def test_is_found_in_the_panel(
    toy: EncodingKind,
    window: MainWindow,  # noqa: F811
    qtbot: QtBot,
) -> None:
    box = window.controls["encoding.name"]
    assert box.findText("Parity") >= 0
    box.setCurrentIndex(box.findText("Parity"))
    box.activated.emit(box.currentIndex())
    frame = settle(qtbot, window)
    assert frame.request.parameters.encoding.name == "parity"
    np.testing.assert_array_equal(frame.observations.values, window.document.picture.pixels % 3)
    assert window.controls["encoding.n_symbols"].isVisible()
    assert not window.controls["encoding.scale"].isVisible()
    assert not window.banner.isVisible()


def test_is_found_on_the_command_line_and_in_the_manual(toy: EncodingKind) -> None:
    options = parser_of().parse_args(["--encoding", "parity", "--symbols", "5"])
    assert changed(Parameters(), options).encoding == Encoding("parity", 5)
    assert "; Parity |" in parameters_page(Parameters)
    refused = row_of(Parameters, "encoding.scale").refused(Parameters(Encoding("parity")), 2)
    assert refused == "the encoding parity has no scale"


def test_is_found_in_the_script_which_runs(toy, tmp_path, monkeypatch) -> None:
    pixels = np.random.default_rng(4).integers(0, 256, (40, 50)).astype(np.uint8)
    np.save(tmp_path / "image.npy", pixels)
    monkeypatch.chdir(tmp_path)
    parameters = Parameters(Encoding("parity", 4), n_states=3, window=2)
    frame = compute(Picture(pixels.copy(), "image"), Decoding(parameters, LIVE))
    script = python_of(frame)
    assert "Encoding(name='parity', n_symbols=4)" in script
    space: dict[str, np.ndarray] = {}
    exec(script, space)
    np.testing.assert_array_equal(space["states"], frame.states)


def installed(folder: Path, *entries: str, **modules: str) -> dict[str, str]:
    """Return the environment of a process in which a package offers encodings."""
    about = folder / "toy-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: toy\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("\n".join((f"[{GROUP}]", *entries, "")))
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}


USING = """
import numpy as np
from latviz.core import Encoding, encode
print(encode(np.arange(5, dtype=np.uint8)[None], Encoding("parity", 3)).values.tolist())
"""


def test_plug_ins_are_loaded_or_left_out_with_a_line(tmp_path: Path) -> None:
    """In a process of its own, because it happens at the first import."""
    environment = installed(
        tmp_path, "parity = toy:KIND", "raising = bad:KIND", toy=TOY, bad="raise OSError('a\\nb')"
    )
    command = [sys.executable, "-c", USING]
    found = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert found.stdout == "[[0, 1, 2, 0, 1]]\n"
    (line,) = found.stderr.splitlines()
    assert "the plug-in 'raising' of latviz.encodings was left out: OSError: a\\nb" in line


def test_plug_ins_that_fail_are_named_and_left_out(tmp_path, monkeypatch) -> None:
    cases = {
        "raising": ("raise OSError('no licence')", "OSError: no licence"),
        "empty": ("", "has no attribute 'KIND'"),
        "number": ("KIND = 3", "it is of type int, not EncodingKind"),
        "taken": (TOY.replace('"parity"', '"grey"'), "there is an encoding 'grey' already"),
        "nowhere": (None, "No module named 'nowhere'"),
        "leaving": ("import sys; sys.exit(7)", "SystemExit: 7"),
        "ending": ("class End(BaseException): pass\nraise End('over')", "End: over"),
        "loud": ("raise OSError('a\\n\\x1b[31mb')", "OSError: a\\n\\x1b[31mb"),
        "mute": ("class E(Exception):\n  def __str__(self): 1/0\nraise E", "E"),
        "broken": ("def (", "SyntaxError: "),
    }
    entries = [f"{name}er = {name}:KIND" for name in cases]
    installed(
        tmp_path, *entries, **{name: text for name, (text, _) in cases.items() if text is not None}
    )
    monkeypatch.syspath_prepend(tmp_path)
    left = dict(plugins.load(GROUP, EncodingKind, register_encoding))
    assert left.keys() == {f"{name}er" for name in cases}
    for name, (_, reason) in cases.items():
        assert reason in left[f"{name}er"], name
        sys.modules.pop(name, None)


def test_an_encoding_that_no_picture_can_have_is_refused() -> None:
    kind = EncodingKind(name="none", title="", summary="", discrete=True)
    with pytest.raises(ParameterError, match="of_image or of_sequence"):
        register_encoding(kind)
    assert "none" not in ENCODINGS


def test_plug_ins_of_a_group_that_nobody_offers() -> None:
    assert plugins.load("latviz.nothing", EncodingKind, pytest.fail) == []


def test_entry_points_that_cannot_be_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(group: str) -> None:
        raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, group)

    monkeypatch.setattr("latviz.core.plugins.metadata.entry_points", refuse)
    ((name, reason),) = plugins.load(GROUP, EncodingKind, pytest.fail)
    assert name == "of some package"
    assert reason.startswith("UnicodeDecodeError: ")


def test_an_interrupt_is_the_users() -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        plugins.failure(interrupt)


class Leaving:
    """A method that ends the program, or tries to, when it is used."""

    reach = 3

    def prepare(self, image: np.ndarray, labels: object) -> np.ndarray:
        raise SystemExit(3)

    def fit(self, prepared: object) -> Fitted:
        raise GeneratorExit

    def values(self, prepared: object, fitted: object) -> np.ndarray:
        raise ZeroDivisionError("a\nb")


def test_what_a_plug_ins_method_raises_is_one_line() -> None:
    kind = EncodingKind(name="toy", title="", summary="", discrete=True, of_image=lambda: Leaving())
    assert kind.of_image is not None
    method = fenced(kind).of_image()
    assert method.reach == 3
    assert not hasattr(method, "depth")
    for do, said in (
        (lambda: method.prepare(np.zeros((1, 1)), None), "SystemExit: 3"),
        (lambda: method.fit([]), "GeneratorExit: "),
        (lambda: method.values(0, 0), r"ZeroDivisionError: a\\nb"),
    ):
        with pytest.raises(ParameterError, match=f"the encoding 'toy' failed: {said}"):
            do()

    def refuse() -> None:
        raise SystemExit

    with pytest.raises(ParameterError, match="the encoding 'toy' failed"):
        fenced(replace(kind, of_image=refuse)).of_image()


def test_sequences_can_have_encodings_of_their_own() -> None:
    class Halves:
        def __init__(self, names: tuple[str, ...]) -> None:
            self.n_symbols = len(names)

        def prepare(self, image: np.ndarray, labels: object) -> np.ndarray:
            return image

        def fit(self, prepared: object) -> Fitted:
            colors = np.array([[0, 0, 0], [255, 255, 255]], dtype=np.uint8)
            return Fitted(("low", "high"), colors)

        def values(self, prepared: np.ndarray, fitted: Fitted) -> np.ndarray:
            return (prepared >= self.n_symbols / 2).astype(np.uint8)

    kind = EncodingKind(
        name="halves", title="Halves", summary="Half.", discrete=True, of_sequence=Halves
    )
    register_encoding(kind)
    try:
        symbols = np.arange(40, dtype=np.uint8) % 4
        sequence = Picture(symbols, "sequence", dimensions=1, alphabet=tuple("ACGT"))
        assert [one.name for one in ENCODINGS.values() if one.suits(1)] == ["labels", "halves"]
        assert not kind.suits(2)
        frame = compute(sequence, Decoding(Parameters(Encoding("halves"), n_states=2), LIVE))
        np.testing.assert_array_equal(frame.observations.values, symbols // 2)
        with pytest.raises(ParameterError, match="“Halves” is for sequences only"):
            encode(np.zeros((4, 5), np.uint8), Encoding("halves"))
    finally:
        del ENCODINGS["halves"]
