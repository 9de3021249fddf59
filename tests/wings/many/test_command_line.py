"""Many images on the command line: written, reported, interrupted and continued."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import PIL.Image
import psutil
import pytest
import tifffile

from latviz import cli
from latviz.cli.notes import ProgressLine
from latviz.collection.models import read_model
from latviz.core import DiscreteModel, encode
from latviz.core.data.encoding import Encoding
from latviz.engine.pictures.shelf import Entry
from latviz.wings.many.results import running
from latviz.wings.many.results.batch import DONE, Batch
from latviz.wings.many.results.scoring import ChoiceScore, sentence
from tests.collection.pictures import noisy, truth_of, write, write_noisy

LIMIT_S = 120
N = 6


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    images = tmp_path / "images"
    write_noisy(images, N, labels=True)
    return images


def table(path: Path) -> list[dict[str, str]]:
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def test_one_model_for_all(folder, tmp_path, capsys, monkeypatch) -> None:
    (folder / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nnothing")
    out, saved = tmp_path / "out", tmp_path / "model.npz"
    asked = [str(folder), "--encoding", "quantiles", "--symbols", "4", "--states", "3"]
    asked += ["--window", "2", "--export-dir", str(out), "--table", str(out / "all.csv")]
    asked += ["--processes", "1", "--export-as", "png", "--export-as", "tif"]
    asked += ["--learning-window", "w", "--save-model", str(saved)]
    asked += ["--confusion", str(out / "confusion.csv")]
    assert cli.run(asked) == 1
    told = capsys.readouterr()
    assert told.err.startswith(f"latviz: {folder / 'broken.png'}: ")
    assert told.err.count("\n") == 1
    found = table(out / "all.csv")
    assert [Path(row["path"]).name for row in found] == [
        "broken.png",
        *(f"image {k}.png" for k in range(N)),
    ]
    assert [bool(row["problem"]) for row in found] == [True, *[False] * N]
    # The core learns the same from all of them.
    pictures = [noisy(truth_of(k), k) for k in range(N)]
    observed = encode(pictures, Encoding("quantiles", 4))
    model = DiscreteModel.fit([o.values for o in observed], n_states=3, window=2, n_symbols=4)
    given = read_model(saved)
    assert given.name == "model.npz"
    order = [int(((model.B - row) ** 2).sum(axis=1).argmin()) for row in given.model.codebook]
    np.testing.assert_allclose(given.model.codebook, model.B[order], rtol=1e-12, atol=0)
    np.testing.assert_allclose(given.model.A, model.A[np.ix_(order, order)], rtol=1e-12, atol=0)
    whole = np.zeros((3, 3), int)
    for k, row in enumerate(found[1:]):
        states = given.model.decode(observed[k].values)
        with PIL.Image.open(out / f"image {k}.png.states.png") as image:
            np.testing.assert_array_equal(np.asarray(image), states)
        labels = tifffile.imread(out / f"image {k}.png.states.tif")
        np.testing.assert_array_equal(labels, states + 1)
        assert float(row["share_2"]) == pytest.approx(np.mean(states == 1))
        np.add.at(whole, (truth_of(k).ravel(), states.ravel()), 1)
    written = [list(map(int, list(row.values())[1:])) for row in table(out / "confusion.csv")]
    assert written == whole.tolist()
    assert re.fullmatch(
        rf"Accuracy: \d+\.\d\u00a0% of the pixels of {N} images with labels, of {N + 1} in all\.\n",
        told.out,
    )
    # The second time, nothing is computed.
    needed = running.Tasks.needed

    def refusing(tasks: Any, waiting: list[Entry], *given: Any) -> int:
        assert [entry.name for entry in waiting] in (["broken.png"], [])  # it could be readable
        return needed(tasks, waiting, *given)

    monkeypatch.setattr(running.Tasks, "needed", refusing)
    monkeypatch.setattr("latviz.wings.many.results.batch.compute", None)
    monkeypatch.setattr("latviz.collection.reading.read_pictures", None)
    before = (out / "image 3.png.states.png").stat().st_mtime_ns
    asked.remove("--save-model"), asked.remove(str(saved))
    assert cli.run(asked) == 1
    assert table(out / "all.csv") == found
    assert (out / "image 3.png.states.png").stat().st_mtime_ns == before


HELD = """
import os, signal, sys, threading
from pathlib import Path
from latviz.__main__ import main
from latviz.wings.many.results import batch

computed, done = batch.computed, Path(os.environ["DONE"])

def held(*given):
    if done.exists() and done.read_bytes().count(b"\\n") >= int(os.environ["MOST"]):
        threading.Event().wait()  # in the midst of an image, until it is ended
    return computed(*given)

batch.computed = held
if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background has none
    sys.exit(main())
"""
"""The program, which goes no further than some images, however late it is ended."""


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that end with the test."""
    begun: list[subprocess.Popen[str]] = []
    yield begun
    for process in begun:
        process.kill()
        process.communicate()


def begun(script: Path, most: int, done: Path, arguments: list[str]) -> subprocess.Popen[str]:
    script.write_text(HELD)
    command = [sys.executable, "-W", "error", str(script), *arguments]
    environment = os.environ | {"DONE": str(done), "MOST": str(most)}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, env=environment)


def wait_for_lines(place: Path, n: int, process: subprocess.Popen[str]) -> None:
    """Wait until a number of images are done; the process must not end before."""
    end = time.monotonic() + LIMIT_S
    while not place.exists() or place.read_bytes().count(b"\n") < n:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.005)


@pytest.mark.posix("os.killpg")
@pytest.mark.usefixtures("in_this_process")
def test_killed_and_interrupted_it_goes_on(folder, tmp_path, capsys, processes) -> None:
    """Every image is computed once, whatever ends the runs; no process stays behind."""
    n = 8
    write_noisy(folder, n)
    out, script = tmp_path / "out", tmp_path / "held.py"
    asked = [str(folder), "--encoding", "quantiles", "--export-dir", str(out)]
    asked += ["--table", str(tmp_path / "all.csv"), "--processes", "1"]
    first = begun(script, 2, out / DONE, asked)
    processes.append(first)
    wait_for_lines(out / DONE, 2, first)
    children = psutil.Process(first.pid).children(recursive=True)
    first.kill()
    first.communicate()
    gone, alive = psutil.wait_procs(children, timeout=LIMIT_S)
    assert not alive
    assert gone
    done = (out / DONE).read_bytes().count(b"\n")
    second = begun(script, done + 2, out / DONE, asked)
    processes.append(second)
    wait_for_lines(out / DONE, done + 2, second)
    second.send_signal(signal.SIGINT)
    _, told = second.communicate(timeout=LIMIT_S)
    assert second.returncode == 130, told
    assert "interrupted; the same command continues from here" in told
    assert "Traceback" not in told
    assert 2 <= len(table(tmp_path / "all.csv")) < n  # known results are written
    assert cli.run(asked) == 0
    assert capsys.readouterr().err == ""
    keys = [json.loads(line)["key"] for line in (out / DONE).read_text().splitlines()]
    assert len(keys) == len(set(keys)) == n
    assert len(table(tmp_path / "all.csv")) == n


@pytest.mark.usefixtures("in_this_process")
def test_each_image_by_itself(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "each.csv"
    asked = [str(folder / "*.png"), "--each", "--encoding", "grey", "--states", "3", "--window"]
    assert cli.run([*asked, "1", "--table", str(path), "--processes", "1"]) == 0
    found = table(path)
    assert len(found) == N
    assert len({row["associativity"] for row in found}) == N  # a model each
    assert all(float(row["accuracy"]) > 0.8 for row in found)


@pytest.mark.usefixtures("in_this_process")
def test_choosing_is_scored(folder, tmp_path, capsys) -> None:
    for k in range(2, N):
        (folder / f"image {k}.labels.png").unlink()
    places = [str(folder / f"image {k}.png") for k in (0, 2)]
    path = tmp_path / "score.csv"
    assert cli.run([*places, "--encoding", "quantiles", "--score-choose", str(path)]) == 1
    told = capsys.readouterr()
    assert "no labels to compare with" in told.err
    one, other = table(path)
    assert (one["n_true"], other["problem"] != "") == ("3", True)
    assert float(one["best_accuracy"]) >= float(one["window_accuracy"]) >= float(one["accuracy"])
    lost = float(one["best_accuracy"]) - float(one["accuracy"])
    assert float(one["lost"]) == pytest.approx(lost)
    assert told.out.startswith("1 image with labels: N equals the number of labels in ")
    scores = [
        ChoiceScore("a", 3, 3, 2, False, 0.8, 3, 4, 0.9, 0.8),
        ChoiceScore("b", 3, 4, 7, True, 0.5, 2, 6, 0.8, 0.7),
    ]
    said = sentence(scores)
    assert (
        "in 1. On average, w differs from the best by 1.5, and accuracy is lower than the best by "
        "20.0\N{NO-BREAK SPACE}% of the pixels"
    ) in said
    assert said.endswith("Images for which no N is right: 1")


@pytest.mark.usefixtures("in_this_process")
def test_a_model_of_one_image(folder: Path, tmp_path: Path) -> None:
    saved, out = tmp_path / "one.npz", tmp_path / "states.png"
    asked = ["--states", "3", "--window", "2", "--encoding", "quantiles"]
    assert cli.run([str(folder / "image 0.png"), *asked, "--save-model", str(saved)]) == 0
    given = read_model(saved)
    image = folder / "image 1.png"
    assert cli.run([str(image), "--model", str(saved), "--export", str(out)]) == 0
    values = given.encoder.encode(noisy(truth_of(1), 1)).values
    with PIL.Image.open(out) as states:
        np.testing.assert_array_equal(np.asarray(states), given.model.decode(values, window=2))
    path = tmp_path / "t.csv"
    assert cli.run([str(folder), "--model", str(saved), "--window", "4", "--table", str(path)]) == 0
    assert {row["window"] for row in table(path)} == {"4"}
    states_4 = given.model.decode(values, window=4)
    assert float(table(path)[1]["share_1"]) == pytest.approx(np.mean(states_4 == 0))


@pytest.mark.usefixtures("in_this_process")
def test_labels_that_miss_are_told_and_nothing_is_lost(
    folder, tmp_path, capsys, monkeypatch
) -> None:
    (tmp_path / "plain").mkdir()
    asked = [str(folder), "--table", str(tmp_path / "t.csv"), "--labels", "_gt"]
    assert cli.run(asked) == 1
    told = capsys.readouterr()
    reason = "no image has a label image that fits '_gt'; check the folder or the ending"
    assert told.err == f"latviz: --labels: {reason}\n"
    problems = [row["problem"] for row in table(tmp_path / "t.csv")]
    assert problems == [""] * len(list(folder.iterdir()))
    confusion = tmp_path / "c.csv"
    write(tmp_path / "plain" / "a.png", noisy(truth_of(0), 0))
    assert cli.run([str(tmp_path / "plain"), "--confusion", str(confusion)]) == 1
    assert "a confusion needs labels" in capsys.readouterr().err
    assert not confusion.exists()
    # Ctrl-C before the first result is reported as that, not as missing labels.

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Batch, "run", interrupted)
    assert cli.run(asked) == 130


@pytest.mark.usefixtures("in_this_process")
def test_files_that_look_like_labels_are_learned_from_until_a_rule_is_set(
    tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.setenv("LATVIZ_CACHE", str(tmp_path / "cache"))
    place, path = tmp_path / "scans", tmp_path / "t.csv"
    for k in range(2):
        write(place / f"{k}.png", noisy(truth_of(k), k))
        write(place / f"{k}_truth.png", truth_of(k))
    asked = [str(place), "--table", str(path), "--states", "3", "--encoding", "quantiles"]
    assert cli.run(asked) == 0
    assert [
        line for line in capsys.readouterr().err.splitlines() if line.startswith("latviz:")
    ] == [
        "latviz: 2 of these 4 files look like label images of the others, by the ending '_truth' "
        "and the content; --labels=_truth uses them as such"
    ]
    assert len(table(path)) == 4
    assert cli.run([*asked, "--labels", "_truth"]) == 0
    assert "look like" not in capsys.readouterr().err
    assert [Path(row["path"]).name for row in table(path)] == ["0.png", "1.png"]
    assert all(float(row["accuracy"]) > 0.9 for row in table(path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.png", "b.png", "--export", "a.npz"], ("--export needs one image", "--table")),
        (["a.png", "b.png", "--snapshot", "a.png"], ("--snapshot needs one image",)),
        (["a.png", "b.latviz", "--table", "a.csv"], ("open a session alone",)),
        (["a.png", "b.png", "--table", "a.txt"], ("--table", ".csv", "a.txt")),
        (["a.png", "--save-model", "a.json"], ("--save-model", ".npz")),
        (["a.png", "b.png", "--export-as", "npz", "--table", "a.csv"], ("--export-as needs",)),
        (["a.png", "b.png", "--page", "2", "--table", "a.csv"], ("--page", "one image")),
        (["--table", "a.csv"], ("--table needs images",)),
        (["--model", "m.npz"], ("--model needs at least one image",)),
        (["a.png", "--model", "m.npz", "--states", "3"], ("--states has no effect", "--model")),
        (["a.png", "--model", "m.npz", "--symbols", "3"], ("--symbols has no effect",)),
        (["a.png", "--model", "m.npz", "--decoder", "refined"], ("--decoder refined",)),
        (["a.png", "b.png", "--model", "m.npz", "--each"], ("--each: not allowed", "--model")),
        (["a.png", "b.png", "--each", "--save-model", "m.npz"], ("--save-model: not", "--each")),
        (["a.png", "b.png", "--score-choose", "s.csv", "--table", "a.csv"], ("--score-choose",)),
        (["a.png", "b.png", "--table", "a.csv", "--states", "99"], ("from 1 to 32", "99")),
        (["a.png", "b.png", "--table", "a.csv", "--processes", "0"], ("--processes", "1 to 256")),
        (["a.png", "b.png", "--table", "a.csv", "--slices", "apart"], ("only a volume",)),
    ],
)
def test_what_cannot_be(arguments, words, capsys) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.run(arguments)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    for word in words:
        assert word in told


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (["--table"], "o.csv"),
        (["--confusion"], "o.csv"),
        (["--score-choose"], "o.csv"),
        (["--table", "t.csv", "--save-model"], "o.npz"),
        (["--save-model"], "o.npz"),
        (["--export"], "o.png"),
        (["--figure", "states"], "o.svg"),
        (["--snapshot"], "o.png"),
        (["--report"], "o.html"),
    ],
)
def test_an_output_s_folder_that_is_missing_is_told_at_once(
    options, name, tmp_path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("latviz.files.images.read_lattice", None)  # no image is read
    write(tmp_path / "a.png", noisy(truth_of(0), 0))
    (tmp_path / "file").touch()
    for folder, told in (
        ("no", "there is no folder no; make it, or choose another place"),
        ("file", "file is a file, not a folder; choose another place"),
    ):
        assert cli.run(["a.png", *options, f"{folder}/{name}"]) == 1
        assert capsys.readouterr().err == f"latviz: {name}: {told}\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.png", "file"]


@pytest.mark.usefixtures("in_this_process")
def test_a_folder_of_exports_is_made_or_it_is_told_why_not(tmp_path, capsys) -> None:
    write(tmp_path / "a.png", noisy(truth_of(0), 0))
    (tmp_path / "file").touch()
    for out in (tmp_path / "file", tmp_path / "file" / "deep" / "out"):
        assert cli.run([str(tmp_path / "a.png"), "--export-dir", str(out)]) == 1
        told = f"{tmp_path / 'file'} is a file, not a folder; choose another place"
        assert capsys.readouterr().err == f"latviz: {out.name}: {told}\n"
    out = tmp_path / "new" / "deep" / "out"
    assert cli.run([str(tmp_path / "a.png"), "--export-dir", str(out)]) == 0
    assert [one.name for one in out.glob("*.png")] == ["a.png.states.png"]


def test_nothing_to_read_and_no_display(tmp_path, capsys, monkeypatch) -> None:
    path = str(tmp_path / "t.csv")
    assert cli.run([str(tmp_path / "no*.png"), "--table", path]) == 1
    assert "this pattern fits no image" in capsys.readouterr().err
    assert cli.run([str(tmp_path / "a.png"), str(tmp_path / "b.png"), "--table", path]) == 1
    assert capsys.readouterr().err.count("\n") == 2
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit):
        cli.run([str(tmp_path / "a.png"), str(tmp_path / "b.png")])
    assert "--score-choose or --save-model" in capsys.readouterr().err


def test_progress_is_a_line_that_goes_away(monkeypatch, capsys) -> None:
    monkeypatch.setattr("latviz.cli.notes._STEP_S", 0.0)
    quiet = ProgressLine("Computing", 40)
    quiet.report(0.5)
    assert capsys.readouterr().err == ""  # not a terminal
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    line = ProgressLine("Computing", 40)
    line.report(0.25)
    line.fail("/a.png", "it is broken")
    told = capsys.readouterr().err
    assert "\rComputing: 10 of 40 images, 0 s left" in told
    before, _, after = told.partition("latviz: /a.png: it is broken\n")
    assert before.endswith("\r")
    assert after == ""
    assert not line.cancelled()
