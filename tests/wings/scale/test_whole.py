"""Zarr folders in the window are decoded whole in the background."""

import numpy as np
import pytest

from latviz.app.sharing.writer import Writer
from latviz.core import DiscreteModel, Encoding, encode
from latviz.core.progress import Cancelled
from latviz.files.pyramids import open_pyramid
from latviz.wings.scale import decoding, magnifier, schedulers, whole
from latviz.wings.scale.kept import ZarrSettings
from tests.app.conftest import settle
from tests.app.document import test_zarr
from tests.app.document.test_zarr import drop
from tests.wings.scale.cases import states_in

slide = test_zarr.slide
pytestmark = pytest.mark.usefixtures("few_views")


@pytest.fixture(autouse=True)
def _no_finer_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The magnifier would go on reading."""
    monkeypatch.setattr(magnifier, "may_be_finer", lambda _: False)


def test_all_of_a_folder_is_decoded_or_cancelled(
    window, qtbot, slide, tmp_path, monkeypatch
) -> None:
    settle(qtbot, window)
    window.menus.refresh()
    assert not window.menus["Decode all of a zarr folder"].isEnabled()
    drop(window, qtbot, slide)
    quantiles = Encoding("quantiles", 4)
    how = {"n_states": 3, "window": 2, "learning_window": None}
    window.document.set("all", encoding=quantiles, decoder="nearest", **how)
    settle(qtbot, window)
    monkeypatch.setattr(whole, "ask_scheduler", lambda *_: "")
    monkeypatch.setattr(
        "latviz.app.shell.shell.ask_where", lambda *_: str(tmp_path / "states.zarr")
    )
    assert window.menus["Decode all of a zarr folder"].isEnabled()
    window.menus["Decode all of a zarr folder"].trigger()
    qtbot.waitUntil(lambda: not window.parts[Writer].is_on)
    assert "Wrote" in window.status.message.whole_text()
    symbols = encode(open_pyramid(slide).read(0), quantiles)
    model = DiscreteModel.fit(symbols.values, n_states=3, window=2, n_symbols=symbols.n_symbols)
    states = open_pyramid(tmp_path / "states.zarr")
    assert np.array_equal(states_in(states), model.decode(symbols.values))
    assert [states.shape(k) for k in range(3)] == [(80, 90), (40, 45), (20, 23)]

    # Cancelling leaves no folder.
    ended: list[bool] = []
    write = decoding.write

    def write_cancelled(*given: object) -> None:
        window.parts[Writer]._task.give_up()
        try:
            write(*given)
        except Cancelled:
            ended.append(True)
            raise

    monkeypatch.setattr(decoding, "write", write_cancelled)
    monkeypatch.setattr("latviz.app.shell.shell.ask_where", lambda *_: str(tmp_path / "more.zarr"))
    window.menus["Decode all of a zarr folder"].trigger()
    qtbot.waitUntil(lambda: bool(ended))
    window.parts[Writer].cancel()
    assert not window.parts[Writer].is_on
    assert {one.name for one in tmp_path.iterdir()} == {"slide.zarr", "states.zarr"}


def test_a_scheduler_that_does_not_answer_is_told_of_and_remembered(
    window, qtbot, slide, tmp_path, monkeypatch
) -> None:
    drop(window, qtbot, slide)
    settle(qtbot, window)
    asked = list[str]()

    def answer(_window: object, address: str) -> str | None:
        asked.append(address)
        return ("tcp://127.0.0.1:9", None)[len(asked) - 1]

    monkeypatch.setattr(schedulers, "PATIENCE", "300ms")
    monkeypatch.setattr(whole, "ask_scheduler", answer)
    monkeypatch.setattr(
        "latviz.app.shell.shell.ask_where", lambda *_: str(tmp_path / "states.zarr")
    )
    window.menus["Decode all of a zarr folder"].trigger()
    qtbot.waitUntil(window.banner.isVisible)
    assert "no dask scheduler responds at tcp://127.0.0.1:9" in window.banner.label.text()
    assert not window.parts[Writer].is_on
    assert [one.name for one in tmp_path.iterdir()] == ["slide.zarr"]
    window.menus["Decode all of a zarr folder"].trigger()
    assert asked == ["", "tcp://127.0.0.1:9"]
    assert not window.parts[Writer].is_on
    assert ZarrSettings(window.settings).scheduler == "tcp://127.0.0.1:9"
