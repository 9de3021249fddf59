"""Lattices in chunks that the tests of `latviz.wings.scale` share."""

from dataclasses import dataclass

import dask.array as da
import numpy as np

from latviz.cli import run
from tests.core.cases import blocky, vectors


def states_in(pyramid):
    """Return the states whose labels were written, with 255 where they are unknown."""
    return pyramid.read(0) - np.uint8(1)


@dataclass(frozen=True)
class Case:
    """Arrays, their chunks, and the model that decodes them."""

    name: str
    lattices: tuple
    chunks: tuple
    kind: str
    size: int
    window: int

    @property
    def given(self):
        """The arrays in memory, as the core takes them."""
        return list(self.lattices) if len(self.lattices) > 1 else self.lattices[0]

    @property
    def cut(self):
        """The same as dask arrays."""
        found = [da.from_array(o, chunks=self.chunks) for o in self.lattices]
        return found if len(found) > 1 else found[0]


def grey(shape, n_channels, seed):
    """Return vectors of bytes."""
    return (30 * vectors(shape, n_channels, seed) + 128).clip(0, 255).astype(np.uint8)


CASES = [
    Case("sequence", (blocky((60,), 3, 1),), (13,), "discrete", 3, 2),
    Case("image", (blocky((40, 50), 4, 2),), (11, 17), "discrete", 4, 3),
    Case("chunks smaller than the window", (blocky((19, 21), 4, 3),), (2, 5), "discrete", 4, 4),
    Case("chunks of one side", (blocky((23, 40), 4, 4),), (23, 9), "discrete", 4, 2),
    Case("window wider than the lattice", (blocky((9, 30), 3, 5),), (4, 10), "discrete", 3, 12),
    Case("window of one node", (blocky((20, 22), 4, 6),), (7, 6), "discrete", 4, 0),
    Case("volume", (blocky((9, 10, 12), 3, 7),), (4, 5, 5), "discrete", 3, 1),
    Case("images", (blocky((21, 18), 4, 8), blocky((8, 40), 4, 9)), (6, 9), "discrete", 4, 2),
    Case("vectors", (vectors((30, 26), 2, 11),), (8, 11, 2), "gaussian", 2, 2),
    Case("vectors in chunks of channels", (vectors((24, 26), 3, 12),), (9, 8, 1), "gaussian", 3, 2),
    Case("sequence of vectors", (vectors((70,), 2, 13),), (16, 2), "gaussian", 2, 3),
    Case("volume of vectors", (vectors((8, 9, 10), 2, 14),), (3, 5, 4, 2), "gaussian", 2, 1),
    Case("bytes", (grey((28, 31), 3, 15),), (9, 10, 3), "gaussian", 3, 2),
    Case("images of vectors", (vectors((14, 18), 2, 16), 9 * vectors((22, 9), 2, 17)), (6, 7, 2),
         "gaussian", 2, 1),
]  # fmt: skip


def by_name(case):
    return case.name


def refusal_of_scale(folder, capsys, *options):
    """Return the line in which `latviz scale` refuses a folder, without leaving files."""
    before = sorted(folder.parent.iterdir())
    code = run(["scale", str(folder), "-o", str(folder.parent / "states.zarr"), *options])
    said = capsys.readouterr().err.strip().splitlines()
    assert code == 1
    assert sorted(folder.parent.iterdir()) == before
    assert [line for line in said if line.startswith(("latviz: ", "latviz scale: "))] == said[-1:]
    return said[-1]
