"""The table of kinds of files: opened right, or refused with the way in, and never wrong."""

import numpy as np
import pytest

from latviz.files.errors import ImageError
from latviz.workspace import read_picture
from tests.files.kinds import KINDS


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_each_kind_opens_as_it_was_written_or_is_refused_with_the_way_in(kind, tmp_path) -> None:
    path = tmp_path / kind.name
    if kind.needs:
        pytest.importorskip(kind.needs)
    kind.make(path)
    if isinstance(kind.wanted, str) and not kind.letters:
        with pytest.raises(ImageError, match=kind.wanted) as caught:
            read_picture(path)
        assert "\n" not in str(caught.value)
        return
    picture = read_picture(path)
    if kind.letters:
        assert "".join(picture.alphabet[k] for k in picture.pixels.ravel()) == kind.wanted
        return
    pixels, wanted = picture.pixels, np.asarray(kind.wanted)
    if pixels.ndim > wanted.ndim:  # grey, kept as colours
        wanted = np.stack([wanted] * 3, axis=-1)
    assert pixels.shape == wanted.shape
    known = np.ones(picture.shape, bool) if picture.known is None else picture.known
    assert known.size - known.sum() == kind.unknown
    np.testing.assert_allclose(pixels[known], wanted[known], rtol=0, atol=kind.within)
    assert any(kind.says in note for note in ("", *picture.notes))
    if kind.roles:
        assert picture.origin["axes"] == kind.roles
