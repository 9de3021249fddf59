"""The slice of each volume that was shown last."""

from latviz.engine.pictures.picture import Picture


class Slices:
    """Remembers the slice that was shown last of each picture."""

    def __init__(self) -> None:
        self._shown: dict[str, int] = {}

    def of(self, picture: Picture) -> int:
        """Return the slice shown last, or the middle one.

        If the picture is not a volume, it is 0.
        """
        if picture.dimensions < 3:
            return 0
        return _within(picture, self._shown.get(_source(picture), picture.shape[0] // 2))

    def expect(self, picture: Picture, index: int) -> None:
        """Remember the slice to show first once a picture is opened as a volume."""
        self._shown[_source(picture)] = index

    def show(self, picture: Picture, index: int) -> int:
        """Return the slice of this index, or the one at the end that it is beyond; remember it."""
        self._shown[_source(picture)] = index = _within(picture, index)
        return index


def _within(picture: Picture, index: int) -> int:
    return min(max(index, 0), picture.shape[0] - 1)


def _source(picture: Picture) -> str:
    """Return the source of a picture, or itself if unknown."""
    origin = picture.origin
    return str(origin.get("path") or origin.get("demo") or id(picture))
