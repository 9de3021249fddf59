"""Files of results: state maps, arrays, summaries and tables."""

from collections.abc import Sequence
from pathlib import Path

from latviz import engine, files
from latviz.core.disk.errors import ExportError
from latviz.engine.advice.advice import Advice
from latviz.engine.choosing.tradeoff import TradeOff, settings_table
from latviz.engine.frames.frame import Frame
from latviz.files.suffixes import EXPORTS, REGION_EXPORTS


def export_frame(frame: Frame, path: str | Path, advice: Advice | None = None) -> None:
    """Write the state map (.png), all arrays (.npz) or the summary (.json) of a frame.

    The summary has the advice on the frame if it is given.

    The state map of a sequence is one row; the slices of a volume are below each other.

    Raises
    ------
    ExportError
        If the suffix is another, or the file cannot be written.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".png":
        rows = frame.states.reshape(-1, frame.states.shape[-1])
        files.writing.write_state_map(path, rows, frame.colors)
    elif suffix == ".npz":
        files.writing.write_arrays(path, engine.keeping.results.arrays(frame))
    elif suffix == ".json":
        plain = None if advice is None else advice.to_plain()
        found = engine.keeping.results.summary(frame, plain)
        files.writing.write_summary(path, found)
    else:
        known = ", ".join(f"{key} ({what})" for key, what in EXPORTS.items())
        raise ExportError(Path(path), f"its suffix must be one of {known}")


def export_regions(frame: Frame, path: str | Path) -> None:
    """Write the regions of a frame, which needed them: table (.csv), labels (.png), arrays (.npz).

    The labels of a sequence are one row; the slices of a volume are below each other.

    Raises
    ------
    ExportError
        If the suffix is another, there are too many regions for a PNG of 16 bits, or the file
        cannot be written.
    """
    suffix = Path(path).suffix.lower()
    assert frame.regions is not None
    if suffix == ".csv":
        files.writing.write_table(path, *engine.frames.region_table.region_table(frame))
    elif suffix == ".png":
        labels = frame.regions.labels
        files.writing.write_labels(path, labels.reshape(-1, labels.shape[-1]))
    elif suffix == ".npz":
        files.writing.write_arrays(path, engine.keeping.results.region_arrays(frame))
    else:
        known = ", ".join(f"{key} ({what})" for key, what in REGION_EXPORTS.items())
        raise ExportError(Path(path), f"its suffix must be one of {known}")


def export_trade_off(trade_off: TradeOff, path: str | Path) -> None:
    """Write the scores of every N and w of a trade-off as a table (.csv).

    Raises
    ------
    ExportError
        If the suffix differs, or the file cannot be written.
    """
    if Path(path).suffix.lower() != ".csv":
        raise ExportError(Path(path), "its suffix must be .csv")
    files.writing.write_table(path, *settings_table(trade_off))


def export_values(rows: Sequence[Sequence[object]], path: str | Path) -> None:
    """Write rows of cells, of which the first names the columns, as a table (.csv).

    Rows that are shorter than the longest get empty cells.

    Raises
    ------
    ExportError
        If the suffix is another, or the file cannot be written.
    """
    if Path(path).suffix.lower() != ".csv":
        raise ExportError(Path(path), "its suffix must be .csv")
    width = max(map(len, rows))
    names, *found = ([*row, *[""] * (width - len(row))] for row in rows)
    files.writing.write_table(path, [str(name) for name in names], found)
