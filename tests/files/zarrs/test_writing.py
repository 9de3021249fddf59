"""Labels as OME-Zarr, by the rules of its specification."""

from pathlib import Path

import numpy as np
import pytest
import zarr

from latviz.core.disk.errors import ExportError
from latviz.files.pyramids import open_pyramid
from latviz.files.zarrs.writing import write_label_zarr
from tests.files.test_label_maps import COLORS, NAMES, some_labels

VERSIONS = {2: "0.4", 3: "0.5"}


def check_label_image(folder: Path, zarr_format: int) -> None:
    """Assert what OME-NGFF 0.4 and 0.5 demand of a label image."""
    group = zarr.open_group(str(folder), mode="r")
    assert group.metadata.zarr_format == zarr_format
    attributes = group.attrs.asdict()
    if zarr_format == 3:  # 0.5 has all of it under one key, with the version
        attributes = attributes["ome"]
        assert attributes["version"] == "0.5"
    (image,), label = attributes["multiscales"], attributes["image-label"]
    if zarr_format == 2:
        assert image["version"] == label["version"] == "0.4"
    names = [axis["name"] for axis in image["axes"]]
    assert len(set(names)) == len(names)
    assert 2 <= sum(axis["type"] == "space" for axis in image["axes"]) <= 3
    assert all(axis.get("unit", "meter") in ("micrometer", "meter") for axis in image["axes"])
    sizes = []
    for data in image["datasets"]:
        array = group[data["path"]]
        assert array.ndim == len(names)
        assert array.dtype.kind in "iu"  # labels must be whole numbers
        (scale,) = data["coordinateTransformations"]
        assert scale["type"] == "scale"
        assert len(scale["scale"]) == len(names)
        if zarr_format == 3:
            assert list(array.metadata.dimension_names) == names
        else:
            assert array.metadata.dimension_separator == "/"
        sizes.append(array.shape)
    assert sizes == sorted(sizes, reverse=True)  # the finest comes first
    colors, facts = label["colors"], label["properties"]
    values = [one["label-value"] for one in colors]
    assert sorted(set(values)) == values == [one["label-value"] for one in facts]
    assert all(len(one["rgba"]) == 4 for one in colors)
    assert all(0 <= part <= 255 for one in colors for part in one["rgba"])


@pytest.mark.parametrize("shape", [(20, 3000), (4, 20, 30)])
@pytest.mark.parametrize("zarr_format", VERSIONS)
def test_labels_are_an_ome_zarr(tmp_path: Path, zarr_format: int, shape: tuple[int, ...]) -> None:
    path, found = tmp_path / "a.zarr", some_labels(shape, "um")
    write_label_zarr(path, found, zarr_format)
    check_label_image(path, zarr_format)
    read = open_pyramid(path)
    assert (read.axes, read.zarr_format, read.scale(0)) == (found.axes, zarr_format, found.spacing)
    np.testing.assert_array_equal(read.read(0), found.labels)
    assert max(read.shape(len(read.levels) - 1)) <= 1024
    group = zarr.open_group(str(path), mode="r").attrs.asdict()
    label = group.get("ome", group)["image-label"]
    assert [one["rgba"] for one in label["colors"]][1:] == [[*c, 255] for c in COLORS.tolist()]
    assert [one["name"] for one in label["properties"]] == ["unknown", *NAMES]
    with pytest.raises(ExportError, match="already"):
        write_label_zarr(path, found)
