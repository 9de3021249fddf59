"""Label images that no rule names: found by an ending and by what they hold, or not."""

from pathlib import Path

import numpy as np
import PIL.Image
import pytest

from latviz.files.label_guesses import guess_labels

rng = np.random.default_rng(7)


def image(path: Path, side: int = 12) -> Path:
    PIL.Image.fromarray(rng.permutation(side * side).astype(np.uint8).reshape(side, side)).save(
        path
    )
    return path


def labels(path: Path, side: int = 12) -> Path:
    PIL.Image.fromarray(rng.integers(0, 3, (side, side), dtype=np.uint8)).save(path)
    return path


@pytest.mark.parametrize("ending", ["_truth", "-mask", ".seg", " gt", "_my_labels"])
@pytest.mark.parametrize("n_labels", [4, 3])
def test_labels_of_half_of_the_images_or_more_are_found(tmp_path, ending, n_labels) -> None:
    paths = [image(tmp_path / f"scan_{k}.png") for k in range(4)]
    paths += [labels(tmp_path / f"scan_{k}{ending}.png") for k in range(n_labels)]
    found = guess_labels(paths)
    assert found is not None
    assert found == (ending, n_labels, 4 + n_labels)
    said = f"{n_labels} of these {4 + n_labels} files look like label images of the others, by the"
    assert str(found).startswith(said)


@pytest.mark.parametrize(
    "names",
    [
        ["a.png", "b.png", "a_1.png", "b_1.png"],  # as many values as photographs have
        ["a.png", "b.png", "a_labels small.png", "b_labels small.png"],  # of another size
        ["a.png", "b.png", "c.png", "a_labels.png"],  # of few images
        ["a.png", "b.png", "a_labels.jpg", "b_labels.jpg"],  # values may have changed
        ["a_labels.png", "b_labels.png"],  # of no image
        ["a.png"],
    ],
)
def test_other_files_are_not_taken_for_labels(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        side = 9 if "small" in name else 12
        (labels if "labels" in name else image)(tmp_path / name, side)
    assert guess_labels([tmp_path / name for name in names]) is None


def test_files_that_cannot_be_read_are_not_taken_for_labels(tmp_path: Path) -> None:
    paths = [image(tmp_path / "a.png"), tmp_path / "a_truth.png"]
    paths[1].write_bytes(b"no image")
    assert guess_labels(paths) is None
