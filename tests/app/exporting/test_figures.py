"""Figures: views in files are drawn without the pointer's highlights."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image
from PyQt6.QtCore import QMarginsF, QPoint, QRectF, QSize, QSizeF, Qt, qInstallMessageHandler
from PyQt6.QtGui import QFontDatabase, QImage, QPageSize, QPainter, QPaintEvent, QPdfWriter
from PyQt6.QtPdf import QPdfDocument
from PyQt6.QtSvg import QSvgGenerator, QSvgRenderer
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QTabBar,
    QTableView,
    QWidget,
)
from pytestqt.qtbot import QtBot

from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.exporting import pdf
from latviz.app.exporting.drawing import (
    FORMATS,
    MARGIN,
    _quoted,
    cleaned,
    drawn,
    drawn_figure,
    figure_of,
    file_stem,
    tight,
)
from latviz.app.exporting.exporting import Exporter
from latviz.app.panels.preferences import Preferences
from latviz.app.program.window import MainWindow
from latviz.app.views.base import View
from latviz.app.views.space.plot import Plot
from latviz.app.views.space.view import SpaceView
from latviz.app.widgets.lifetimes import painting_on, pdf_writer
from latviz.app.widgets.raster import draw_pixels
from latviz.core.data.encoding import Encoding
from latviz.engine.geometry.selection import StateSelection
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.parameters import Parameters
from latviz.files.names import safe_name
from tests.app import conftest
from tests.app.conftest import begin_anew, settle, settle_all
from tests.app.frames import alone
from tests.app.frames import show_all as show_every_dock
from tests.products import FULL

CONTROLS = (QAbstractButton, QAbstractSlider, QAbstractSpinBox, QComboBox, QTabBar)
ON_SCREEN_ONLY = ("Camera", "Put back", "Paths", "Drag", "click", "point at", "Choose")
"""Words of controls and hints."""
SAID = {
    "states": "4",
    "space": "39–208",
    "adjacency": "Row: state of a pixel. Column: state of its neighbour.",
    "indices": "Associativity",
    "likelihood": "Pair term",
    "emissions": "39–208",
    "pixel": "row 40, column 50",
    "image": "Log-likelihood of each pixel, bits",
    "tree": "N = 4",
}
"""A text of each view's figure that is text in files of vectors, too."""
TELLING = ("image", "space", "adjacency", "tradeoff", "pixel")
"""Views of each kind: pictures, plots, bars, a table; daily they alone are drawn in all formats."""


@pytest.fixture(autouse=True)
def _part_of_the_photograph(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show a sixth of the photograph: all N and w are decoded before figures are drawn."""
    part = np.ascontiguousarray(conftest.photographed()[:80, :100])
    monkeypatch.setattr(conftest, "photographed", lambda: part)


@contextmanager
def messages() -> Iterator[list[str]]:
    """Collect the messages of Qt."""
    found: list[str] = []
    before = qInstallMessageHandler(lambda _kind, _context, text: found.append(text or ""))
    try:
        yield found
    finally:
        qInstallMessageHandler(before)


def show_all(window: MainWindow, qtbot: QtBot) -> None:
    """Show every view, settled, and pin a pixel."""
    show_every_dock(window)
    window.document.set_layers("image", map=True)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: "node_map" in window.document.frame.results)
    qtbot.waitUntil(lambda: window.document.frame.dendrogram is not None)
    window.document.pin((40, 50))
    tradeoff = window.views["tradeoff"]
    qtbot.waitUntil(lambda: tradeoff.trade_off is not None and tradeoff.trade_off.fraction == 1)
    window.parts[IdleJobs].cancel()
    settle(qtbot, window)
    QTest.qWait(100)


def content(window: MainWindow, name: str, path: Path, dpi: float = 96) -> bytes:
    """Write a figure; return the file's content."""
    drawn_figure(window.specs[name], window.views[name], path, dpi)()
    return path.read_bytes()


def opened(path: Path) -> QPdfDocument:
    """Return a PDF file of one page."""
    document = QPdfDocument(None)
    assert document.load(str(path)) == QPdfDocument.Error.None_
    assert document.pageCount() == 1
    return document


def texts_of(path: Path) -> list[str]:
    """Return the texts in an SVG file, without its title and description."""
    name = "{http://www.w3.org/2000/svg}text"
    return ["".join(each.itertext()) for each in ElementTree.parse(path).iter(name)]


def test_figures_of_all_views(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    """They are valid, tight and light, and hold no highlights and no controls."""
    show_all(window, qtbot)
    check_vectors(window, tmp_path)
    pixels, vectors = tmp_path / "figure.png", tmp_path / "figure.svg"
    plain = {name: (tmp_path / f"{name}.svg").read_bytes() for name in window.views}
    for name in window.views if FULL else TELLING:
        content(window, name, pixels)
        check_margins(pixels, name)
    space = content(window, "space", pixels)
    window.parts[Preferences].choose_theme("dark")  # figures are on white in any theme
    QTest.qWait(100)
    # Put the pointer over a state of the signature space.
    plot = window.views["space"].plot
    assert isinstance(plot, Plot)
    for at in (QPoint(1, 1), plot.mapFromScene(plot.box.mapToScene(plot.discs()[0].centre))):
        QTest.mouseMove(plot.viewport(), at)
    assert window.document.pointer.state is not None
    state = window.document.pointer.state
    assert content(window, "space", pixels) == space
    assert window.document.pointer.state == state
    for name in window.views if FULL else TELLING:
        point_everywhere(window.views[name])
        window.document.inspector.hover((30, 60))
        pointer = window.document.pointer
        assert content(window, name, vectors) == plain[name], name
        assert window.document.pointer == pointer, name
    window.document.set("6", encoding=Encoding("quantiles", 6), n_states=32)
    settle_all(qtbot, window)
    window.parts[IdleJobs].cancel()
    check_no_controls(window, vectors)


def point_everywhere(view: View) -> None:
    """Move the pointer over parts of a view of every kind, which gets the keyboard, too."""
    parts = [part for part in (view, *view.findChildren(QWidget)) if part.isVisible()]
    for part in parts if FULL else {type(part): part for part in parts}.values():
        QTest.mouseMove(part, QPoint(part.width() // 3, part.height() // 3))
    view.keyboard.setFocus()
    QTest.keyClick(view.keyboard, Qt.Key.Key_Shift)


def check_no_controls(window: MainWindow, path: Path) -> None:
    """Assert that no figure shows controls that need a screen."""
    for name, view in window.views.items():
        with figure_of(window.specs[name], view, 96) as figure:
            seen = [part for part in figure.findChildren(CONTROLS) if part.isVisible()]
            names = {part.metaObject().className() for part in seen}
            assert names <= {"QTableCornerButton"}, name  # which is drawn as ground
            assert not figure.hasFocus()
            assert not [table for table in figure.findChildren(QTableView) if is_cut(table)], name
            drawn(figure, path, part=tight(figure), dpi=96)()
        said = texts_of(path)
        assert "log" not in said
        assert not [text for text in said if any(word in text for word in ON_SCREEN_ONLY)], name
        assert name != "emissions" or "32" in said


def is_cut(table: QTableView) -> bool:
    """Return True if a column is narrower than its contents."""
    shown = [k for k in range(table.model().columnCount()) if not table.isColumnHidden(k)]
    return any(table.columnWidth(k) < table.sizeHintForColumn(k) for k in shown)


def check_vectors(window: MainWindow, tmp_path: Path) -> None:
    families = QFontDatabase.families()
    for name, view in window.views.items():
        stem = tmp_path / name
        with messages() as reported:
            content(window, name, stem.with_suffix(".svg"))
            if FULL or name in TELLING:
                check_pdf(window, name, stem.with_suffix(".pdf"))
        assert [text for text in reported if "propagateSizeHints" not in text] == [], name
        with messages() as reported:
            renderer = QSvgRenderer(str(stem.with_suffix(".svg")))
            image = QImage(renderer.defaultSize(), QImage.Format.Format_RGB32)
            image.fill(Qt.GlobalColor.white)
            with painting_on(image) as painter:
                renderer.render(painter)
        assert renderer.isValid()
        assert reported == [], name
        root = ElementTree.parse(stem.with_suffix(".svg")).getroot()
        assert root.attrib["version"] == "1.1"
        text = stem.with_suffix(".svg").read_text(encoding="utf-8")
        for family in set(re.findall(r'font-family="([^"]*)"', text)):
            first, *others = family.split(", ")
            assert first.strip("'") in families
            assert others[-1] == "sans-serif"
        said = texts_of(stem.with_suffix(".svg"))
        assert SAID.get(name, "") in ["", *said] or any(SAID[name] in each for each in said), name
        title = root.find("{http://www.w3.org/2000/svg}title")
        assert title.text.startswith("camera: ")
        assert view.isVisible()


def check_pdf(window: MainWindow, name: str, path: Path) -> None:
    written = content(window, name, path)
    opened(path)
    assert name == "image" or b"/FontFile" in written, "fonts are in the file"


def test_what_xml_cannot_hold_is_left_out() -> None:
    svg = '<svg><text font-family="Sans Serif">a\x01\x0bb\ud800</text><path x="1" d=""/></svg>'
    found = cleaned(svg).decode()
    assert re.fullmatch(r'<svg><text font-family="[^"]+, sans-serif">ab</text></svg>', found)
    ElementTree.fromstring(found)


def check_margins(path: Path, name: str) -> None:
    with Image.open(path) as image:
        drawn = (np.asarray(image.convert("RGB")) != 255).any(axis=2)
    for axis in (0, 1):
        at = np.flatnonzero(drawn.any(axis=axis))
        assert at[0] == MARGIN, name
        spare = drawn.shape[1 - axis] - 1 - at[-1] - MARGIN
        assert 0 <= spare < 4, name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("astronaut-simplex", "astronaut-simplex"),
        ('a/b\\c:d*e?f"g<h>i|j\x00k\nl', "a-b-c-d-e-f-g-h-i-j-k-l"),
        ("../../etc/passwd", "etc-passwd"),
        ("-rf", "rf"),
        ("what: --x?-y", "what- -x-y"),
        (".hidden", "hidden"),
        ("con", "_con"),
        ("LPT1.x", "_LPT1.x"),
        ("Größe 日本", "Größe 日本"),
        ("…", "latviz"),
        ("", "latviz"),
        ("é" * 300, "é" * 100),
    ],
)
def test_safe_names(text: str, name: str) -> None:
    assert safe_name(text) == name
    assert len(safe_name(text).encode()) <= 200


@pytest.fixture
def export(window, tmp_path, monkeypatch) -> Callable[[str, str], Path]:
    """Return a function that exports a view to a file of a suffix, and returns its path."""

    def begin(name: str, suffix: str) -> Path:
        path = tmp_path / f"{name}{suffix}"
        monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(path))
        window.parts[Exporter].export_view(name)
        return path

    return begin


@pytest.mark.qt_log_ignore("does not support grabbing", extend=True)
def test_figures_are_of_what_was_asked_for_and_have_names(
    window, qtbot, tmp_path, photo, monkeypatch, export
) -> None:
    begin_anew(qtbot, window)
    (tmp_path / "sizes").mkdir()
    check_sizes_and_parts_are_those_asked_for(window, tmp_path / "sizes")
    begin_anew(qtbot, window)
    check_figures_have_what_is_picked_out_what_comes_late_and_what_is_compared(
        window, qtbot, tmp_path, export
    )
    begin_anew(qtbot, window)
    check_files_have_names_and_the_resolution_of_the_menu_and_are_written_before_the_end(
        window, qtbot, photo, monkeypatch, export
    )


def check_sizes_and_parts_are_those_asked_for(window: MainWindow, tmp_path: Path) -> None:
    for name in ("states", "space", "indices"):
        check_sizes(window, tmp_path / name)
    check_density(window)
    canvas, plot = window.views["image"].canvas, window.views["space"].plot
    canvas.zoom(4.0)
    plot.zoom(3.0)
    for name in ("image", "space"):
        with figure_of(window.specs[name], window.views[name], 96) as figure:
            box = figure.canvas.box if name == "image" else figure.plot.box
            shown = canvas.box if name == "image" else plot.box
            here, there = box.viewRect(), shown.viewRect()
            assert abs(here.center().x() - there.center().x()) < 0.02 * there.width()
            assert here.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(there)
            assert here.width() < 1.7 * there.width()
    assert not canvas.whole
    view, least = window.views["indices"], window.views["indices"].sizeHint
    alone(window, "indices", 190, 150)  # a figure has enough room in any dock
    QTest.qWait(10)
    with figure_of(window.specs["indices"], view, 96) as figure:
        assert figure.width() >= least().width()
        assert figure.height() >= least().height()
    assert file_stem(window.specs["indices"], view) == "camera-indices"


def check_sizes(window: MainWindow, stem: Path) -> None:
    for suffix in FORMATS:
        content(window, stem.name, stem.with_suffix(suffix), 150)
    root = ElementTree.parse(stem.with_suffix(".svg")).getroot()
    width, height = (int(side) for side in root.attrib["viewBox"].split()[2:])
    with Image.open(stem.with_suffix(".png")) as image:
        assert image.size == (round(width * 150 / 96), round(height * 150 / 96))
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)
    page = opened(stem.with_suffix(".pdf")).pagePointSize(0)
    assert (page.width(), page.height()) == (width * 0.75, height * 0.75)


def density_of(view: SpaceView) -> tuple[int, int]:
    """Return the rows and columns of the levels that a view draws."""
    images = (getattr(item, "image", None) for item in view.plot.scene().items())
    (shape,) = (image.shape[:2] for image in images if image is not None)
    return shape


def check_density(window: MainWindow) -> None:
    """Check that each pixel has its own level: neighbours would be equal in an enlarged image."""
    shapes = {}
    for dpi in (96, 384):
        with figure_of(window.specs["space"], window.views["space"], dpi) as figure:
            shapes[dpi] = density_of(figure)
            pixels = dpi / 96 * tight(figure).width()
        assert shapes[dpi][1] >= 0.9 * min(pixels, 9 * 256)
    assert shapes[384][0] >= 2 * shapes[96][0]
    assert density_of(window.views["space"]) == (256, 256)


def check_figures_have_what_is_picked_out_what_comes_late_and_what_is_compared(
    window, qtbot, tmp_path, export
) -> None:
    document, path = window.document, tmp_path / "figure.png"
    plain = content(window, "states", path)
    document.select(StateSelection(document.frame.slots[1]))
    qtbot.waitUntil(lambda: document.frame.lit is not None)
    settle(qtbot, window)
    assert content(window, "states", path) != plain
    # The code length comes after the frame, and at a first start some seconds later.
    document.set("N", n_states=3)
    path = export("likelihood", ".svg")
    qtbot.waitUntil(path.exists)
    assert "Prediction error" in path.read_text(encoding="utf-8")
    assert "…" not in path.read_text(encoding="utf-8")
    document.freeze(True)
    document.set("w", window=6)
    frame = settle(qtbot, window)
    content(window, "states", path)
    said = " ".join(texts_of(path))
    assert f"{100 * frame.agreement.matched:.1f}\N{NO-BREAK SPACE}% of pixels agree" in said
    assert "Reference: w 3" in said
    assert "Current: w 6" in said
    assert "Swap" not in said


def check_files_have_names_and_the_resolution_of_the_menu_and_are_written_before_the_end(
    window, qtbot, photo, monkeypatch, export
) -> None:
    menu = window.menus.menus["Resolution of figures"]
    texts = [action.text() for action in menu.actions()]
    assert texts == [f"{dpi} pixels per inch" for dpi in (96, 150, 300, 600)]
    assert [action.isChecked() for action in menu.actions()] == [False, False, True, False]
    menu.actions()[1].trigger()
    path = export("indices", ".png")
    qtbot.waitUntil(path.exists)
    with Image.open(path) as image:
        assert image.info["dpi"] == pytest.approx((150, 150), abs=0.02)
    asked: list[str] = []
    monkeypatch.setattr(
        "latviz.app.shell.shell.ask_where",
        lambda _parent, _folder, stem, _suffixes: asked.append(stem) or "",
    )
    parameters = Parameters(Encoding("quantiles", n_symbols=3), n_states=4)
    window.document.open(Picture(photo.pixels, "astro/naut: 1?.png"), parameters)
    settle(qtbot, window)
    window.parts[Exporter].export_view("space")
    window.parts[Exporter].export_view("adjacency")
    window.parts[Exporter].export_results(".npz")
    window.document.set("rgb", encoding=Encoding("grey"))
    settle(qtbot, window)
    window.parts[Exporter].export_view("space")
    assert asked == [f"naut- 1-{end}" for end in ("simplex", "adjacency", "latviz", "space")]
    path = export("space", ".png")
    assert not path.exists()
    window.close_now()
    with Image.open(path) as image:
        image.load()


class Noise(QWidget):
    """Two images of noise side by side; of one, the left half is translucent."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.resize(80, 40)
        noise = np.random.default_rng(0).integers(0, 2**32, (2, side, side), np.uint32)
        noise[:, :, side // 2 :] |= 0xFF000000
        kinds = (QImage.Format.Format_ARGB32, QImage.Format.Format_RGB32)
        sides = (side, side)
        self.images = [
            QImage(n.tobytes(), *sides, k).copy() for n, k in zip(noise, kinds, strict=True)
        ]

    def paintEvent(self, _: QPaintEvent | None) -> None:
        with painting_on(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.LosslessImageRendering)
            for k, image in enumerate(self.images):
                bounds = QRectF(40.0 * k + 5, 5.0, 30.0, 20.0)
                draw_pixels(painter, bounds, lambda p, r=bounds, i=image: p.drawImage(r, i))


def rendered(path: Path) -> np.ndarray:
    """Return the pixels of a file, 120 pixels high."""
    if path.suffix == ".pdf":
        image = opened(path).render(0, QSize(240, 120))
    else:
        image = QImage(240, 120, QImage.Format.Format_RGB32)
        image.fill(Qt.GlobalColor.white)
        with painting_on(image) as painter:
            QSvgRenderer(str(path)).render(painter)
    image = image.convertToFormat(QImage.Format.Format_RGB32)  # held while its bits are read
    bits = image.constBits()
    return np.frombuffer(bits.asstring(image.sizeInBytes()), np.uint8).reshape(120, 240, 4)


@pytest.mark.parametrize("suffix", [".svg", ".pdf"])
def test_images_that_are_put_in_later_are_those_that_qt_writes(qapp, tmp_path, suffix) -> None:
    noise, wanted, found = Noise(30), tmp_path / f"wanted{suffix}", tmp_path / f"found{suffix}"
    device: QSvgGenerator | QPdfWriter
    if suffix == ".svg":
        device = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
        device.setFileName(str(wanted))
        device.setSize(noise.size())
        device.setViewBox(noise.rect())
    else:
        device = QPdfWriter(str(wanted))
        device.setPageSize(QPageSize(QSizeF(60.0, 30.0), QPageSize.Unit.Point))
        device.setPageMargins(QMarginsF())
        device.setResolution(96)
    with painting_on(device) as painter:
        painter.fillRect(noise.rect(), noise.palette().window())
        noise.render(painter)
    drawn(noise, found, dpi=96)()
    expected = rendered(wanted)
    assert np.ptp(expected[:, 15:120, :3].astype(int), axis=(0, 1)).min() > 100, "there is noise"
    np.testing.assert_array_equal(rendered(found), expected)


def test_what_was_put_in_a_pdf_file_is_where_its_table_says(qapp, tmp_path) -> None:
    path = tmp_path / "noise.pdf"
    drawn(Noise(30), path, dpi=960)()
    pdf = path.read_bytes()
    start = re.search(rb"startxref\n(\d+)\n%%EOF\n$", pdf)
    table = pdf[int(start[1]) :]
    assert table.startswith(b"xref")
    offsets = [int(entry) for entry in re.findall(rb"(\d{10}) 00000 n", table)]
    for number, offset in enumerate(offsets, 1):
        assert pdf[offset:].startswith(b"%d 0 obj" % number)
    for length, packed in re.findall(
        rb"/Length (\d+) 0 R.*?stream\n(.*?)\nendstream", pdf, re.DOTALL
    ):
        at = offsets[int(length) - 1]
        assert int(pdf[at:].split(b"\n")[1]) == len(packed)
    sizes = re.findall(rb"/Width (\d+)\n/Height (\d+)", pdf)
    assert sizes.count((b"300", b"200")) == 4, "two images with their opacities"


def test_an_image_that_finds_no_place_is_no_figure_without_it() -> None:
    pixel = QImage(1, 1, QImage.Format.Format_RGB32)
    with pdf_writer() as (writer, buffer):
        with painting_on(writer):
            pass
        empty = buffer.data().data()
    for content in (b"%PDF-1.4 no table", empty):
        with pytest.raises(ValueError, match="PDF file"):
            pdf.put_in(content, [pixel])


def test_names_of_fonts_are_strings_of_css() -> None:
    """By CSS Fonts 4, a name is a string or words, and words begin with neither "." nor a digit."""
    for name, string in (
        (".AppleSystemUIFont", "'.AppleSystemUIFont'"),
        ("3270 <Mono>", "'3270 &lt;Mono&gt;'"),
        ("O'Font", r"'O\'Font'"),
    ):
        assert _quoted(name) == string
