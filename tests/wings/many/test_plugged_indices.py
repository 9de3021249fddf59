"""An index from outside is in the results of images, too."""

from pathlib import Path

from latviz.engine.indices import INDICES, Index
from latviz.wings.many.results.record import RecordTask, columns_of, record_of
from latviz.wings.many.results.record import needs as record_needs
from latviz.wings.many.results.tables import write_table
from tests.app.views.test_plugged_indices import BARE, frame_of


def test_it_is_in_records_and_their_table(row: Index, tmp_path: Path) -> None:
    needed = {row.own} if row.own else row.needs
    assert needed <= record_needs()
    record = record_of(frame_of(frozenset({"own_associativity"})).with_results(own_likelihood=-0.5))
    of_image = 0.8125 if row is BARE else 0.5
    assert record.index(row.name) == of_image
    column = next(one for one in columns_of([record]) if one.name == row.name)
    assert (column.title, column.of(record)) == (row.title, of_image)
    assert column.tip == f"{row.tip}; the model applies at {row.needed} or more"
    write_table(tmp_path / "t.csv", [record])
    assert row.name in (tmp_path / "t.csv").read_text().splitlines()[0].split(",")


def test_nothing_kept_without_it_is_taken_for_it(row, monkeypatch) -> None:
    mark = RecordTask().fingerprint
    monkeypatch.delitem(INDICES, row.name)
    assert RecordTask().fingerprint != mark
