"""Archives of NumPy arrays: the only one."""

from __future__ import annotations

import zipfile
from typing import IO

from latviz.core.disk.npy import array_in, members
from latviz.files.array_readers.bounds import check_room, only
from latviz.files.arrays import check_type, read_header
from latviz.files.readers import ReadArray


def read(stream: IO[bytes]) -> ReadArray:
    """Return the only array of an archive."""
    with zipfile.ZipFile(stream) as archive:
        infos = members(archive)
        headers = {name: read_header(archive.open(info)) for name, info in infos.items()}
        shapes = {name: header.shape for name, header in headers.items()}
        name = only(shapes, "numpy.load(FILE)['NAME']")
        check_type(headers[name].dtype)
        check_room(max(headers[name].n_bytes, infos[name].file_size))
        return ReadArray(array_in(archive, infos[name]))
