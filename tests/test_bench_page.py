"""The pages of benchmarks agree with their figures."""

import json
import re

from tests.bench import classify, classify_noise
from tests.bench.classify_plot import panels
from tests.bench.page import FIGURES, PAGE, cell_text, table_text, with_tables


def test_the_page_is_up_to_date() -> None:
    page = PAGE.read_text(encoding="utf-8")
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    assert with_tables(page, figures) == page
    assert re.findall(r"<!-- table: (\S+) -->", page) == list(figures["tables"])


def test_rows_are_as_long_as_their_heads() -> None:
    for name, table in json.loads(FIGURES.read_text(encoding="utf-8"))["tables"].items():
        assert {len(row) for row in table["rows"]} == {len(table["columns"])}, name
        assert table["command"].startswith("python -")


def test_cells() -> None:
    assert cell_text(None) == ""
    assert cell_text("F") == "F"
    assert cell_text(1.04) == "1.04"
    assert cell_text({"unit": "ms", "value": 14}) == "14 ms"
    assert cell_text({"unit": "s", "each": [0.18, 0.74]}) == "0.18; 0.74 s"
    assert cell_text({"digits": 3, "from": 0.003, "to": 0.04}) == "0.003 to 0.040"
    assert cell_text({"value": 36, "of": 40}) == "36 of 40"


def test_a_table() -> None:
    table = {"columns": ["what", "time"], "rows": [["decode", {"unit": "ms", "value": 3.8}]]}
    assert table_text(table) == "| what | time |\n| --- | --- |\n| decode | 3.8 ms |"
    page = "a\n<!-- table: x -->\n\nold\n\n<!-- end -->\nb"
    made = with_tables(page, {"tables": {"x": table}})
    assert made == f"a\n<!-- table: x -->\n\n{table_text(table)}\n\n<!-- end -->\nb"


def test_the_page_of_classes_is_up_to_date() -> None:
    figures = json.loads(classify.FIGURES.read_text(encoding="utf-8"))
    page, tables = classify.PAGE.read_text(encoding="utf-8"), classify.tables(figures)
    assert sorted(re.findall(r"<!-- table: (\S+) -->", page)) == sorted(tables)
    assert with_tables(page, {"tables": tables}) == page
    drawn = panels(figures["reported"], classify.SIZES)
    assert classify.PLOT.read_text(encoding="utf-8") == drawn
    assert list(figures["reported"]) == list(classify.REPORTED)
    assert classify.NOISE_PLOT.read_text(encoding="utf-8") == classify.noise_plot(figures)
    assert list(figures["noise"]) == list(classify_noise.LAWS)
