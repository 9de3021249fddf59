"""Classifiers with odd headers and arrays of wrong shapes: used, or refused in one line."""

import json
from pathlib import Path

import numpy as np
import pytest

from latviz.core import ParameterError
from latviz.wings.many.classify.storage import load_classifier, save_classifier
from tests.core.model.odd_archives import ODD, faults, read_of
from tests.core.model.test_odd_archives import STEP, give_kind
from tests.wings.many.classify import cases

WAYS = {"data": {}, "head": {"head": True}, "shared": {"shared": True, "criterion": "data"}}


def write(name: str, folder: Path) -> Path:
    """Write a classifier of a way."""
    save_classifier(cases.fitted(**WAYS[name]), folder / "a.latclf")
    return folder / "a.latclf"


def use(path: Path) -> None:
    """Read a file and apply it."""
    found = load_classifier(path)
    assert np.isfinite(found.predict_proba(cases.images()[0][:1])).all()


@pytest.mark.parametrize("name", WAYS)
def test_every_part_is_checked(name: str, tmp_path: Path) -> None:
    path = write(name, tmp_path)
    use(path)
    assert faults(path, use, STEP) == []


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: repr(odd)[:20])
def test_kinds(odd: object, tmp_path: Path) -> None:
    path = write("data", tmp_path)
    give_kind(path, odd)
    with pytest.raises(ParameterError, match="its header is damaged"):
        use(path)


def test_heads_weigh_as_many_features_as_images_have(tmp_path: Path) -> None:
    path = write("head", tmp_path)
    header, arrays = read_of(path)
    with path.open("wb") as stream:
        text = np.array(json.dumps(header))
        np.savez(stream, **{**arrays, "header": text, "weights": arrays["weights"][:-1]})
    # Of quantiles, textons and patterns: states, their pairs along two axes; the same of symbols
    features = sum(2 + 2 * 3 + size + size * (size + 1) for size in (8, 16, 10))
    said = f"a weight for each of {features} features, got {features - 1}"
    with pytest.raises(ParameterError, match=said):
        use(path)
