"""``latviz understanding`` and ``latviz --lesson``: commands for teachers."""

import csv
import gc
import xml.etree.ElementTree as ET
from inspect import signature
from pathlib import Path

import pytest

from latviz import cli
from latviz.app.program import main, platforms
from latviz.cli import run
from latviz.engine.lessons.understanding import HEADER, read
from latviz.resources import QUESTIONS, resource

KEYS = [question.key for question in read(resource(QUESTIONS)).questions]
SVG = "{http://www.w3.org/2000/svg}"


def student(folder: Path, name: str, *rounds: str) -> str:
    """Write the answers of a student: "+" right, "-" wrong, "?" not known."""
    path = folder / name
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream)
        writer.writerow(HEADER)
        for number, marks in enumerate(rounds, start=1):
            for key, mark in zip(KEYS, marks, strict=False):
                answer = "" if mark == "?" else "some answer"
                writer.writerow(("2026-01-01", number, key, answer, int(mark == "+"), path.stem))
    return str(path)


def test_a_class_becomes_a_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [
        student(tmp_path, "a.csv", "+-??????????", "++++++++++++"),
        student(tmp_path, "b.csv", "+-----------", "+-----------"),
        student(tmp_path, "c.csv", "+-+-"),  # left the first round
    ]
    out = tmp_path / "class.svg"
    assert run(["understanding", *files, "-o", str(out)]) == 0
    said = capsys.readouterr()
    assert said.out == "2 students: 1.0 of 12 answers right before the lessons, 6.5 after.\n"
    assert said.err == "files without a second round, left out: 1 of 3\n"
    root = ET.fromstring(out.read_text(encoding="utf-8"))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert texts.count("Signature") == 1
    assert (
        texts.count("100\xa0% → 50.0\xa0%") == 1
    )  # of the second question: both were wrong, then one
    dots = [float(dot.get("cx", "")) for dot in root.iter(f"{SVG}circle")][2:]  # after the legend
    left, right = min(dots), max(dots)
    shares = [round((x - left) / (right - left), 3) for x in dots]
    assert shares[:6] == [1, 1, 0, 0.5, 0, 0.5]  # before and after, question by question
    lines = [line for line in root.iter(f"{SVG}line") if line.get("stroke-width") == "1.5"]
    assert len(lines) == len(dots)
    for line, dot in zip(lines, dots, strict=True):
        assert float(line.get("x1", "")) <= dot <= float(line.get("x2", ""))


def test_a_file_that_was_handed_in_twice_counts_once(tmp_path, capsys) -> None:
    own = student(tmp_path, "a.csv", "+-??????????", "++++++++++++")
    (tmp_path / "b.csv").write_bytes(Path(own).read_bytes())
    part = student(tmp_path, "c.csv", "+-??????????", "+")  # handed in before the end
    other = student(tmp_path, "d.csv", "------------", "------------")
    files = [part, own, str(tmp_path / "b.csv"), other]
    assert run(["understanding", *files, "-o", str(tmp_path / "class.svg")]) == 0
    said = capsys.readouterr()
    assert said.out.startswith("2 students: ")
    assert said.err.splitlines() == [
        f"{part} is left out: {own} holds the same answers",
        f"{files[2]} is left out: {own} holds the same answers",
    ]


def test_files_that_give_no_chart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "class.svg"
    once = student(tmp_path, "a.csv", "+" * 12)
    assert run(["understanding", once, "-o", str(out)]) == 1
    assert "no file holds two complete rounds" in capsys.readouterr().err
    assert run(["understanding", str(tmp_path / "b.csv"), "-o", str(out)]) == 1
    assert "b.csv: there is no such file" in capsys.readouterr().err
    assert not out.exists()


def test_a_lesson_is_called_by_its_name(monkeypatch, capsys, tmp_path) -> None:
    begun: list[object] = []
    monkeypatch.setattr(platforms, "has_display", lambda: True)
    monkeypatch.setattr(platforms, "opened", lambda *_: None)
    monkeypatch.setattr(gc, "disable", lambda: None)
    monkeypatch.setattr(cli, "begin_early", lambda: None)
    taken = signature(main.show)

    def show(*given: object) -> int:
        begun.append(taken.bind(*given).arguments["lesson"])
        return 0

    monkeypatch.setattr(main, "show", show)
    monkeypatch.setenv("LATVIZ_HOME", str(tmp_path))
    mine = tmp_path / "lessons" / "02-mine.md"
    mine.parent.mkdir(parents=True)
    mine.write_text("# Mine\n", encoding="utf-8")
    for name in ("window", "05-window", "mine", "02-mine"):
        assert run(["--lesson", name]) == 0
    assert begun == ["05-window", "05-window", "02-mine", "02-mine"]
    with pytest.raises(SystemExit, match="2"):
        run(["--lesson", "windows"])
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("latviz: --lesson: there is no lesson 'windows' among ")
    assert line.endswith("; did you mean window?")
    assert "window, associativity" in line
    with pytest.raises(SystemExit, match="2"):
        run(["--lesson", "window", "--demo", "blobs"])
    assert "has its own picture" in capsys.readouterr().err


def test_a_lesson_becomes_a_handout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a.pdf"
    assert run(["--lesson", "merging", "--handout", str(out)]) == 0
    assert out.read_bytes().startswith(b"%PDF")
    with pytest.raises(SystemExit, match="2"):
        run(["--demo", "blobs", "--handout", str(out)])
    assert "--handout needs --lesson" in capsys.readouterr().err
