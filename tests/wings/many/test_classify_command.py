"""``latviz classify``: train, test, cross-validate, and errors in one line."""

import csv
import json
from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from latviz.cli import run
from latviz.core import load_classifier
from latviz.wings.many.classify_command import parser_of
from tests.wings.many.classify import cases


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with folders of images to learn from and to test with."""
    place = tmp_path_factory.mktemp("sets")
    for part, start, n in (("train", 0, 4), ("test", 50, 3)):
        images, labels = cases.images(n, start=start)
        for k, (image, label) in enumerate(zip(images, labels, strict=True)):
            folder = place / part / label
            folder.mkdir(parents=True, exist_ok=True)
            PIL.Image.fromarray(image).save(folder / f"{k}.png")
    return place


QUICK = ["--states", "2", "--criterion", "windows"]


@pytest.fixture(scope="module")
def model(folders: Path) -> Path:
    path = folders / "a.latclf"
    assert run(["classify", "train", str(folders / "train"), "-o", str(path), *QUICK]) == 0
    return path


def test_what_was_learned_is_there(model: Path) -> None:
    found = load_classifier(model)
    assert list(found.classes_) == ["attract", "repel"]
    assert (found.n_states, found.window, found.criterion) == (2, 1, "windows")
    assert (found.encoding, found.trained.summary) == ("auto", "Bayes' rule on grey quantiles")


def test_testing_says_how_many_are_right(model, folders, tmp_path, capsys) -> None:
    table = tmp_path / "out.csv"
    assert run(["classify", "test", str(model), str(folders / "test"), "--table", str(table)]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "6 of 6 right (100\N{NO-BREAK SPACE}%)"
    assert lines[-2:] == ["attract        3      0", "repel          0      3"]
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["class"] for row in rows] == [row["predicted"] for row in rows]
    assert [float(r["P(attract)"]) + float(r["P(repel)"]) for r in rows] == pytest.approx([1] * 6)


def test_a_head_takes_several_encodings(folders, tmp_path, capsys) -> None:
    path, images = tmp_path / "a.latclf", str(folders / "train")
    given = ["--encoding", "patterns+palette", "--symbols", "4", "--states", "2"]
    assert run(["classify", "train", images, "-o", str(path), *given]) == 0
    assert capsys.readouterr().out.endswith(
        "by logistic regression on local binary patterns, colour palette\n"
    )
    found = load_classifier(path)
    assert [(one.name, one.n_symbols) for one in found.encoding] == [
        ("patterns", 4),
        ("palette", 4),
    ]
    assert found.trained.kind == "uint8, in colour"
    assert run(["classify", "test", str(path), str(folders / "test")]) == 0
    assert "6 of 6 right" in capsys.readouterr().out


def test_images_without_classes_are_told_one_by_one(model, folders, capsys) -> None:
    one = sorted((folders / "test" / "repel").iterdir())[0]
    assert run(["classify", "test", str(model), str(one), "--unlabelled"]) == 0
    assert capsys.readouterr().out.startswith(f"{one}: repel (")


def test_cross_validation_lists_and_writes_the_best(folders, tmp_path, capsys) -> None:
    path = tmp_path / "b.latclf"
    given = ["--criterion", "windows", "--folds", "2", "--window", "0", "1", "--states", "2"]
    images = str(folders / "train")
    assert run(["classify", "cross-validate", images, *given, "-o", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" right")[1][:10] for line in lines[:2]] == [", log loss"] * 2
    assert lines[2].startswith("best: ")
    assert "window=0" not in lines[2]
    assert load_classifier(path).window == 1


def test_results_as_json_and_tables_on_the_standard_output(model, folders, capsys) -> None:
    words = ["classify", "test", str(model), str(folders / "test")]
    assert run([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["classes"], found["confusion"]) == (["attract", "repel"], [[3, 0], [0, 3]])
    assert [Path(one["image"]).parent.name for one in found["images"]] == [
        one["predicted"] for one in found["images"]
    ]
    assert run([*words, "--table", "-"]) == 0
    told = capsys.readouterr()
    assert len(list(csv.DictReader(told.out.splitlines()))) == 6
    assert "6 of 6 right" in told.err
    train = ["classify", "cross-validate", str(folders / "train"), "--folds", "2", *QUICK, "--json"]
    assert run(train) == 0
    (tried,) = json.loads(capsys.readouterr().out)["tried"]
    assert 0 <= tried["accuracy"] <= 1
    with pytest.raises(SystemExit, match="2"):
        run([*words, "--json", "--table", "-"])


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    assert run(["classify", *map(str, arguments)]) == 1
    message = capsys.readouterr().err
    assert message.startswith(f"latviz classify {arguments[0]}: ")
    assert message.count("\n") == 1
    return message


def test_what_is_wrong_is_said_in_a_line(model, folders, tmp_path, capsys) -> None:
    train, out = folders / "train", tmp_path / "c.latclf"
    assert "no such file" in said(capsys, "train", tmp_path / "nowhere", "-o", out)
    assert "only 'repel'" in said(capsys, "train", _only(tmp_path, folders), "-o", out, *QUICK)
    assert "as many images as there are folds, 5" in said(capsys, "cross-validate", train, *QUICK)
    model.with_name("d.latclf").write_bytes(b"PK nothing")
    assert "holds no classifier" in said(
        capsys, "test", model.with_name("d.latclf"), folders / "test"
    )
    strange = tmp_path / "strange"
    (strange / "other").mkdir(parents=True)
    PIL.Image.fromarray(cases.images()[0][0]).save(strange / "other" / "1.png")
    assert "the model has the classes attract, repel, but not other" in said(
        capsys, "test", model, strange
    )
    broken = tmp_path / "broken"
    for label in ("attract", "repel"):
        (broken / label).mkdir(parents=True)
        for name in ("9.png", "more.png"):
            (broken / label / name).write_bytes(b"\x89PNG\r\n\x1a\n nothing")
    out.write_bytes(b"an older one")
    assert "attract/9.png: " in said(capsys, "train", broken, "-o", out, *QUICK)
    assert out.read_bytes() == b"an older one"
    out.unlink()
    assert "attract/more.png: " in said(capsys, "cross-validate", broken, *QUICK, "--folds", 2)
    assert "attract/9.png: " in said(capsys, "test", model, broken)
    assert "attract/9.png: " in said(capsys, "test", model, broken, "--unlabelled")
    (tmp_path / "list.csv").write_text("broken/repel/9.png,repel\n")
    assert ": broken/repel/9.png: " in said(capsys, "test", model, tmp_path / "list.csv")
    deep = tmp_path / "deep"
    for label in ("attract", "repel"):
        (deep / label).mkdir(parents=True)
        np.save(deep / label / "1.npy", np.zeros((5, 6), np.uint16))
    message = said(capsys, "test", model, deep)
    assert "attract/1.npy is of the kind uint16, grey, the classifier learned from uint8" in message
    assert not out.exists()


def test_a_folder_that_is_missing_is_told_before_anything_is_learned(
    model, folders, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("latviz.files.images.read_image", None)  # no image is read
    told = "there is no folder no; make it, or choose another place\n"
    for way in ("train", "cross-validate"):
        assert said(capsys, way, folders / "train", "-o", "no/m.latclf") == (
            f"latviz classify {way}: m.latclf: {told}"
        )
    table = said(capsys, "test", model, folders / "test", "--table", "no/t.csv")
    assert table == f"latviz classify test: t.csv: {told}"


def _only(tmp_path: Path, folders: Path) -> Path:
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "repel").symlink_to(folders / "train" / "repel")
    return tmp_path / "one"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["learn"],
        ["train", "a"],
        ["train", "a", "-o", "b.npz"],
        ["train", "a", "-o", "b.latclf", "--criterion", "best"],
        ["train", "a", "-o", "b.latclf", "--head", "--criterion", "data"],
        ["train", "a", "-o", "b.latclf", "--head", "--shared"],
        ["train", "a", "-o", "b.latclf", "--heads"],
        ["test", "a.npz"],
        ["test", "a.latclf", "b", "--unlabelled", "--split", "val"],
    ],
)
def test_bad_arguments_end_in_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        run(["classify", *arguments])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith("latviz classify")


def test_addresses_and_codes_of_terminals_are_refused_in_a_line(tmp_path, capsys) -> None:
    name = "\x1b]0;title\x07\n.png"
    for arguments, said in (
        (["test", "a.latclf", "https://example.org/list.csv"], "download"),
        (["test", name, "--unknown"], "latviz"),
    ):
        with pytest.raises(SystemExit):
            run(["classify", *arguments])
        told = capsys.readouterr().err
        assert said in told
        assert not {"\x1b", "\x07"} & {*told}
        assert len(told.splitlines()) == 1
    options = parser_of().parse_args(["test", "m.latclf", tmp_path.as_uri()])
    assert options.images == tmp_path
