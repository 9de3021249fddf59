"""Processes of a bundle, where ``sys.executable`` is latviz and not Python."""

import csv
from pathlib import Path

from latviz import cli
from tests.collection.pictures import write_noisy
from tests.test_frozen import PLACE, lend_compiled, pytestmark, run  # noqa: F401


def test_images_are_spread_over_processes_and_kernels_are_kept_in_the_users_folder(
    bundle, cache, tmp_path, monkeypatch
) -> None:
    monkeypatch.setenv("FLAGS", "")  # compiling all modules takes ten times as long
    write_noisy(tmp_path / "images", 2)
    place = lend_compiled(cache)
    asked = [str(tmp_path / "images"), "--states", "2", "--window", "2", "--processes"]
    run(bundle, *asked, "2", "--table", tmp_path / "found.csv")
    assert run(bundle, "-c", PLACE) == f"{place}\n"
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "other"))
    assert cli.run([*asked, "1", "--table", str(tmp_path / "wanted.csv")]) == 0
    found, wanted = (rows(tmp_path / f"{name}.csv") for name in ("found", "wanted"))
    assert len(found) == 2
    assert found == wanted


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a table without times."""
    with path.open(newline="", encoding="utf-8") as stream:
        table = list(csv.DictReader(stream))
    return [{name: row[name] for name in row if name != "seconds"} for row in table]
