"""Films: one frame of a time, decoded when it is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import IO

from latviz.core.axes import Axis
from latviz.files.decoding import DecodedFile, DecodeError, check_size, decoding
from latviz.files.memory import cost
from latviz.files.planes import Planes


@contextmanager
def film_planes(stream: IO[bytes], reduction: int) -> Iterator[Planes]:
    """Yield the frames of the first film in a file, or raise `DecodeError`."""
    av = import_module("av")  # an optional package, which takes long to load
    with decoding("film"), av.open(stream) as container:
        if not container.streams.video:
            raise DecodeError("it holds a sound; save its samples as numbers, one a line (.csv)")
        film = container.streams.video[0]
        check_size(film.width, film.height, cost("uint8", 3, held=6), reduction)
        # Packets are counted, as headers may be wrong; those without bytes only end the film
        times = sorted(one.pts for one in container.demux(film) if one.size and one.pts is not None)

        def decode(place: tuple[int, ...], _: bool) -> DecodedFile:
            wanted = times[place[0] if place else 0]
            with decoding("film"):
                container.seek(wanted, stream=film, backward=True)
                for frame in container.decode(film):
                    if frame.pts is not None and frame.pts >= wanted:
                        return DecodedFile(frame.to_ndarray(format="rgb24"))
                raise DecodeError("it is cut off before this frame; get a fresh copy")

        yield Planes((Axis("t", len(times)),) if len(times) > 1 else (), decode)
