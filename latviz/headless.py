"""What the program does without a window: open a picture, compute its frame, export it."""

from pathlib import Path

from latviz.files.errors import ExportError
from latviz.files.images import read_image
from latviz.files.writing import write_arrays, write_state_map, write_summary
from latviz.live.frame import Frame, Request
from latviz.live.palette import state_colors
from latviz.live.parameters import Parameters, Picture

EXPORTS = {".png": "the state map", ".npz": "all arrays", ".json": "the summary"}


def read_picture(path: str | Path, page: int = 0, reduction: int = 1) -> Picture:
    """Read an image file, reduced if so asked (see `read_image`).

    Raises
    ------
    ImageError
        If it cannot be read; the message names the file and the reason.
    """
    file = read_image(path, page=page, reduction=reduction)
    origin = {
        "path": str(Path(path).absolute()),
        "page": file.page,
        "pages": file.pages,
        "reduction": reduction,
    }
    picture = Picture(file.pixels, file.name, file.indices, file.notes, origin=origin)
    _ = picture.shown  # computed now, not when a window first draws it
    return picture


def make_picture(name: str) -> tuple[Picture, Parameters]:
    """Generate a demo; return it with the parameters that suit it.

    Raises
    ------
    ParameterError
        If there is no demo of that name.
    """
    from latviz.live.demos import make_demo  # loads scipy, which the window must not wait for

    demo = make_demo(name)
    picture = Picture(
        demo.image, demo.title, demo.labels, (demo.summary,), demo.truth, {"demo": name}
    )
    return picture, Parameters(demo.encoding, n_states=demo.n_states, window=demo.window)


def compute(picture: Picture, parameters: Parameters) -> Frame:
    """Return the frame of a picture, learned from all signatures.

    Raises
    ------
    ParameterError
        If the picture cannot be encoded as asked.
    """
    from latviz.live.pipeline import Pipeline  # loads the compiled kernels

    return Pipeline().run(Request(1, picture, parameters, complete=True))


def export_frame(frame: Frame, path: str | Path) -> None:
    """Write the state map (.png), all arrays (.npz) or the summary (.json) of a frame.

    Raises
    ------
    ExportError
        If the suffix is none of these, or the file cannot be written.
    """
    from latviz.live import results  # loads the compiled kernels

    suffix = Path(path).suffix.lower()
    if suffix == ".png":
        write_state_map(path, frame.states, state_colors(frame.slots))
    elif suffix == ".npz":
        write_arrays(path, results.arrays(frame))
    elif suffix == ".json":
        write_summary(path, results.summary(frame))
    else:
        known = ", ".join(f"{key} ({what})" for key, what in EXPORTS.items())
        raise ExportError(Path(path), f"its suffix must be one of {known}")
