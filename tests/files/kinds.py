"""Eighty kinds of files: how each is made in a few lines, and what it opens as.

Expected pixels are those that were written, not read by this program. A refusal has some words.
"""

import gzip
import io
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tifffile
from numpy.typing import NDArray
from PIL import Image
from scipy import io as io_of_scipy

from tests.files import makers

rng = np.random.default_rng(80)
GREY = rng.integers(0, 256, (20, 30)).astype(np.uint8)
COLOUR = rng.integers(0, 256, (20, 30, 3)).astype(np.uint8)
DEEP = rng.integers(0, 65536, (20, 30)).astype(np.uint16)
REAL = rng.normal(size=(20, 30)).astype(np.float32)
STACK = rng.integers(0, 256, (5, 20, 30)).astype(np.uint8)


@dataclass(frozen=True)
class Kind:
    """A kind of files."""

    name: str  # of the file, too: its suffix decides where its content does not
    make: Callable[[Path], object]  # writes it
    wanted: Any  # pixels; or words of the refusal; or the letters of a sequence, see ``letters``
    within: float = 0  # of each value
    says: str = ""  # words of a note
    roles: str = ""  # of its axes
    needs: str = ""  # a package that is optional
    letters: bool = False
    unknown: int = 0  # nodes, whose values do not count


def fits(array: NDArray[Any], **more: object) -> bytes:
    """Return a FITS file with one image, after the standard; its numbers are big-endian."""
    bits = array.dtype.itemsize * (-8 if array.dtype.kind == "f" else 8)
    about: dict[str, object] = {"SIMPLE": "T", "BITPIX": bits, "NAXIS": array.ndim}
    about |= {f"NAXIS{k + 1}": n for k, n in enumerate(array.shape[::-1])} | more
    head = "".join(f"{key:8}= {value!s:>20}".ljust(80) for key, value in about.items())
    body = array.astype(array.dtype.newbyteorder(">")).tobytes()
    parts = (f"{head}{'END':80}".encode(), body)
    return b"".join(
        part + bytes([32 - 32 * k]) * (-len(part) % 2880) for k, part in enumerate(parts)
    )


def nifti(array: NDArray[Any], slope: float = 0, zero: float = 0) -> bytes:
    """Return a NIfTI-1 volume with the axes x, y and z, of 0.5, 0.25 and 3 mm."""
    head = bytearray(352)
    code = {"u1": 2, "i2": 4, "f4": 16, "f8": 64}[array.dtype.str[1:]]
    lengths = (array.ndim, *array.shape, *(1,) * (7 - array.ndim))
    struct.pack_into("<i", head, 0, 348)
    struct.pack_into("<8h", head, 40, *lengths)
    struct.pack_into("<2h", head, 70, code, 8 * array.dtype.itemsize)
    struct.pack_into("<8f", head, 76, 1, 0.5, 0.25, 3, 0, 0, 0, 0)
    struct.pack_into("<3f", head, 108, 352, slope, zero)
    head[123], head[344:348] = 2, b"n+1\0"
    return bytes(head) + array.tobytes("F")


def dicom(array: NDArray[Any], slope: float = 1, zero: float = 0) -> bytes:
    """Return a DICOM file of one slice, explicit and little-endian, of 0.5 x 0.25 mm."""

    def element(group: int, number: int, kind: bytes, value: bytes) -> bytes:
        value += (b"\0" if kind in (b"UI", b"OB") else b" ") * (len(value) % 2)
        long = kind in (b"OB", b"OW")
        length = struct.pack("<HI" if long else "<H", *(0,) * long, len(value))
        return struct.pack("<HH", group, number) + kind + length + value

    def short(number: int, value: int) -> bytes:
        return element(0x28, number, b"US", struct.pack("<H", value))

    meta = element(2, 1, b"OB", b"\0\1") + element(2, 2, b"UI", b"1.2.840.10008.5.1.4.1.1.2")
    meta += element(2, 3, b"UI", b"1.2.3") + element(2, 0x10, b"UI", b"1.2.840.10008.1.2.1")
    bits, in_colour = 8 * array.dtype.itemsize, array.ndim == 3
    body = short(2, 3 if in_colour else 1)
    body += element(0x28, 4, b"CS", b"RGB" if in_colour else b"MONOCHROME2")
    body += short(6, 0) if in_colour else b""
    body += short(0x10, array.shape[0]) + short(0x11, array.shape[1])
    body += element(0x28, 0x30, b"DS", b"0.5\\0.25")
    body += short(0x100, bits) + short(0x101, bits) + short(0x102, bits - 1)
    body += short(0x103, int(array.dtype.kind == "i"))
    body += element(0x28, 0x1052, b"DS", str(zero).encode())
    body += element(0x28, 0x1053, b"DS", str(slope).encode())
    body += element(0x7FE0, 0x10, b"OW", array.tobytes())
    length = element(2, 0, b"UL", struct.pack("<I", len(meta)))
    return bytes(128) + b"DICM" + length + meta + body


def hdf5(path: Path, **arrays: NDArray[Any]) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        for name, array in arrays.items():
            file[name] = array


def heic(path: Path, pixels: NDArray[np.uint8]) -> None:
    import pillow_heif

    image = Image.fromarray(pixels).convert("RGB")
    pillow_heif.from_pillow(image).save(str(path), quality=100, chroma=444)


def film(path: Path, kind: str = "mp4", n: int = 6) -> None:
    """Write frames that grow brighter by 40."""
    import av

    with av.open(str(path), "w", format=kind) as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 64, 48, "yuv420p"
        for k in range(n):
            pixels = np.full((48, 64, 3), 40 * k, np.uint8)
            frame = av.VideoFrame.from_ndarray(pixels, format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def saved(kind: str, pixels: NDArray[Any], **options: Any) -> Callable[[Path], None]:
    """Return what writes an image by Pillow."""
    return lambda path: Image.fromarray(pixels).save(path, kind, **options)


def tif(pixels: NDArray[Any], **options: Any) -> Callable[[Path], None]:
    options = {"metadata": None} | options
    return lambda path: tifffile.imwrite(path, pixels, **options)


def array(pixels: NDArray[Any]) -> Callable[[Path], None]:
    return lambda path: np.save(path, pixels)


def text(content: str | bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(content.encode() if isinstance(content, str) else content)


def cut(make: Callable[[Path], object], share: float = 0.5) -> Callable[[Path], None]:
    """Return what writes the first part of a file."""

    def write(path: Path) -> None:
        make(path)
        path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])

    return write


def zarr_of(pixels: NDArray[Any], version: int, axes: str = "", ome: str = "") -> Any:
    """Return what writes a zarr array, or an OME-Zarr image of one level."""

    def write(path: Path) -> None:
        import zarr

        if not ome:
            zarr.create_array(path, data=pixels, zarr_format=version)
            return
        group = zarr.create_group(path, zarr_format=version)
        group.create_array("0", data=pixels)
        kinds = {"t": "time", "c": "channel"}
        level = {
            "path": "0",
            "coordinateTransformations": [{"type": "scale", "scale": [1.0] * pixels.ndim}],
        }
        image = {
            "axes": [{"name": axis, "type": kinds.get(axis, "space")} for axis in axes],
            "datasets": [level],
            "version": ome,
        }
        about = {"multiscales": [image]}
        group.attrs.update(about if version == 2 else {"ome": about | {"version": ome}})

    return write


def twelve_bits(path: Path) -> None:
    """Write rows of 12 bits a pixel, which fill bytes two by two."""
    high, low = DEEP[:, ::2] >> 4, DEEP[:, 1::2] >> 4
    packed = np.stack([high >> 4, (high & 15) << 4 | low >> 8, low & 255], -1)
    stream = io.BytesIO()
    tifffile.imwrite(stream, packed.reshape(20, 45).astype(np.uint8), metadata=None)
    path.write_bytes(makers.retagged(stream.getvalue(), ImageWidth=30, BitsPerSample=12))


def pyramid(path: Path) -> None:
    with tifffile.TiffWriter(path) as writer:
        writer.write(DEEP, subifds=1, metadata=None)
        writer.write(DEEP[::2, ::2], subfiletype=1, metadata=None)


def bomb(path: Path) -> None:
    """Write an archive whose only array has a terabyte of zeros by its header, in a kilobyte."""
    stream = io.BytesIO()
    about = {"descr": "|u1", "fortran_order": False, "shape": (2**20, 2**20)}
    np.lib.format.write_array_header_1_0(stream, about)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.npy", stream.getvalue() + bytes(2**20))


def frames(kind: str, n: int = 3) -> Callable[[Path], None]:
    images = [Image.fromarray(np.full((20, 30), 80 * k, np.uint8)) for k in range(n)]
    return lambda path: images[0].save(path, kind, save_all=True, append_images=images[1:])


def matrix(separator: str = ",", comma: str = ".") -> str:
    """Return the numbers of `REAL` as text."""
    rows = (separator.join(f"{x:.4f}".replace(".", comma) for x in row) for row in REAL)
    return "\n".join(rows) + "\n"


def column(times: bool = False) -> str:
    stamp = "2024-01-{:02d} 0{}:00,"
    lines = (f"{stamp.format(1 + k // 8, k % 8) * times}{x:.3f}" for k, x in enumerate(SERIES))
    return "\n".join(["time,level" if times else "level", *lines])


def office(path: Path, part: str) -> None:
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "")
        archive.writestr(f"{part}book.xml" if "/" in part else f"{part}/document.xml", "")


def matlab(path: Path) -> None:
    io_of_scipy.savemat(path, {"X": GREY})


def imagej(axes: str, shape: tuple[int, ...]) -> Callable[[Path], None]:
    about = {"axes": axes, "spacing": 3.0, "unit": "um"}
    pixels = PLANES.reshape(shape)
    return lambda path: tifffile.imwrite(
        path, pixels, imagej=True, resolution=(4, 4), metadata=about
    )


def ome(axes: str, shape: tuple[int, ...], names: tuple[str, ...] = ()) -> Callable[[Path], None]:
    about = {"axes": axes} | ({"Channel": {"Name": list(names)}} if names else {})
    return lambda path: tifffile.imwrite(path, PLANES.reshape(shape), ome=True, metadata=about)


def palette(path: Path) -> None:
    image = Image.fromarray(GREY % 8)
    image.putpalette(COLOURS.ravel().tolist())
    image.save(path)


SERIES = rng.normal(size=40).round(3)
PLANES = rng.integers(0, 60_000, (12, 20, 30)).astype(np.uint16)
COLOURS = rng.integers(0, 256, (8, 3)).astype(np.uint8)
SMOOTH = np.add.outer(np.arange(20) * 5, np.arange(30) * 5).astype(np.uint8)
FIRST = np.moveaxis(PLANES.reshape(2, 3, 2, 20, 30)[0], 1, -1)
DNA = "ACGTTGCAACGTGGTA"
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0123456789ab\nsize 12345\n"
GAP_IN_TABLE = np.float32([[1, 2], [3, np.nan], [5, 6], [7, 8]])
HOLE = np.add.outer(np.arange(20), np.arange(30)) % 4 == 0
GAPS = np.where(HOLE, np.nan, REAL).astype(np.float32)
HOLED = np.where(HOLE, -9, GREY.astype(np.int16))
CLEAR = np.dstack([COLOUR, np.where(HOLE, 0, 255).astype(np.uint8)])
INTEGERS = ("int8", "uint16", "int16", "uint32", "int32", "uint64", "int64")
FLOATS = ("float16", "float32", "float64")


def of_type(name: str) -> NDArray[Any]:
    """Return numbers of a type; signed ones below zero, too."""
    return DEEP.astype(name) if name == "uint16" else (100 * REAL).astype(name)


def of_types(make: Callable[[NDArray[Any]], Callable[[Path], None]], suffix: str) -> list[Kind]:
    """Return a file of each type of numbers; unsigned ones have none below zero."""
    found = []
    for name in (*INTEGERS, *FLOATS):
        pixels = abs(of_type("int32")).astype(name) if name[0] == "u" else of_type(name)
        found.append(Kind(f"{name}.{suffix}", make(pixels), pixels.astype(np.float32)))
    return found


KINDS = (
    # Images that Pillow reads
    Kind("grey.png", saved("PNG", GREY), GREY),
    Kind("colour.png", saved("PNG", COLOUR), COLOUR),
    Kind("16 bits.png", saved("PNG", DEEP), DEEP),
    Kind(
        "16 bits in colour.png", text(makers.png(np.dstack([DEEP] * 3), 2)), np.dstack([DEEP] * 3)
    ),
    Kind("opaque.png", saved("PNG", np.dstack([COLOUR, np.full_like(GREY, 255)])), COLOUR),
    Kind("palette.png", palette, COLOURS[GREY % 8], says="palette of"),
    Kind("one bit.png", saved("PNG", GREY > 99), 255 * (GREY > 99)),
    Kind("grey.jpg", saved("JPEG", SMOOTH, quality=95), SMOOTH, within=6),
    Kind("colour.jpg", saved("JPEG", np.dstack([SMOOTH] * 3), quality=95), SMOOTH, within=6),
    Kind(
        "inks.jpg",
        lambda path: Image.fromarray(np.dstack([SMOOTH] * 3)).convert("CMYK").save(path),
        np.dstack([SMOOTH] * 3),
        within=8,
        says="CMYK turned into RGB",
    ),
    Kind("colour.webp", saved("WEBP", COLOUR, lossless=True), COLOUR),
    Kind("grey.bmp", saved("BMP", GREY), GREY),
    Kind("grey.tga", saved("TGA", GREY), GREY),
    Kind("grey.jp2", saved("JPEG2000", GREY), GREY),
    Kind("frames.gif", frames("GIF"), np.zeros((20, 30)), roles="frame=0"),
    Kind("frames.webp", frames("WEBP"), np.zeros((20, 30)), within=2, roles="frame=0"),
    Kind("grey.pgm", text(b"P5\n30 20\n255\n" + GREY.tobytes()), GREY),
    # TIFF
    *of_types(tif, "tif"),
    Kind("strips.tif", tif(DEEP, rowsperstrip=4), DEEP),
    Kind("tiles.tif", tif(DEEP, tile=(16, 16)), DEEP),
    Kind(
        "planes.tif",
        tif(np.moveaxis(COLOUR, -1, 0), planarconfig="separate", photometric="rgb"),
        COLOUR,
    ),
    Kind(
        "palette.tif",
        tif(
            GREY % 8,
            photometric="palette",
            colormap=np.pad(257 * COLOURS.T.astype(np.uint16), ((0, 0), (0, 248))),
        ),
        COLOURS[GREY % 8],
        says="palette",
    ),
    Kind("one bit.tif", tif(GREY > 99, photometric="minisblack"), 255 * (GREY > 99)),
    Kind("white is zero.tif", tif(GREY > 99, photometric="miniswhite"), 255 * (GREY <= 99)),
    Kind("fax.tif", saved("TIFF", GREY > 99, compression="group4"), 255 * (GREY > 99)),
    Kind("12 bits.tif", twelve_bits, DEEP >> 4),
    Kind("big endian.tif", tif(DEEP, byteorder=">"), DEEP),
    Kind("big.tif", tif(DEEP, bigtiff=True), DEEP),
    Kind("lzw.tif", lambda path: path.write_bytes(makers.lzw_tiff(DEEP)), DEEP),
    Kind("deflate.tif", tif(DEEP, compression="zlib", predictor=True), DEEP),
    Kind("zstd.tif", saved("TIFF", GREY, compression="zstd"), GREY),
    Kind("jpeg.tif", saved("TIFF", SMOOTH, compression="jpeg"), SMOOTH, within=6),
    Kind(
        "stains.tif",
        tif(FIRST[0], photometric="minisblack", planarconfig="contig"),
        FIRST[0],
        roles="c=vector",
    ),
    Kind("pages.tif", tif(PLANES, photometric="minisblack"), PLANES[0], roles="page=0"),
    Kind("slices.tif", imagej("ZYX", (12, 20, 30)), PLANES, roles="z=lattice"),
    Kind(
        "hyperstack.tif",
        imagej("TZCYX", (2, 3, 2, 20, 30)),
        FIRST,
        roles="t=0, z=lattice, c=vector",
    ),
    Kind("times.tif", imagej("TYX", (12, 20, 30)), PLANES[0], roles="t=0"),
    Kind(
        "stains.ome.tif",
        ome("CYX", (12, 20, 30), tuple("ABCDEFGHIJKL")),
        np.moveaxis(PLANES, 0, -1),
        roles="c=vector",
        says="12 channels: A, B",
    ),
    Kind(
        "all axes.ome.tif",
        ome("TZCYX", (2, 3, 2, 20, 30)),
        FIRST,
        roles="t=0, z=lattice, c=vector",
    ),
    Kind("pyramid.tif", pyramid, DEEP),
    Kind(
        "map.tif",
        tif(
            DEEP,
            extratags=[
                (33550, "d", 3, (10.0, 10.0, 0.0), True),
                (34735, "H", 8, (1, 1, 0, 1, 1024, 0, 1, 1), True),
            ],
        ),
        DEEP,
    ),
    Kind("photograph.nef", tif(DEEP), "darktable-cli"),
    # Arrays
    *of_types(array, "npy"),
    Kind("logical.npy", array(GREY > 99), 255 * (GREY > 99)),
    Kind("big endian.npy", array(DEEP.astype(">u2")), DEEP),
    Kind("columns first.npy", array(np.asfortranarray(DEEP)), DEEP),
    Kind("one axis.npy", array(REAL[0]), REAL[:1], says="a sequence"),
    Kind("colour.npy", array(COLOUR), COLOUR, roles="c=colour"),
    Kind("two channels.npy", array(FIRST[0]), FIRST[0], roles="c=vector"),
    Kind("volume.npy", array(PLANES), PLANES, roles="z=lattice", says="have no names"),
    Kind("no axis.npy", array(np.float32(1)), "an image is"),
    Kind("five axes.npy", array(PLANES.reshape(2, 3, 2, 20, 30)), "an image is"),
    Kind("complex.npy", array(REAL + 1j), "save real numbers"),
    Kind("letters.npy", array(np.array([["a", "b"]] * 2)), "save real numbers"),
    Kind("nothing.npy", array(np.zeros((0, 5))), "nothing to show"),
    Kind(
        "objects.npy",
        lambda path: np.save(path, np.array([[{}]], object), allow_pickle=True),
        "can run programs",
    ),
    Kind("one.npz", lambda path: np.savez(path, PLANES), PLANES, roles="z=lattice"),
    Kind(
        "several.npz",
        lambda path: np.savez(path, a=GREY, b=GREY),
        r"2 arrays: a \(20, 30\), b \(20, 30\); save one",
    ),
    Kind("bomb.npz", bomb, "free memory"),
    Kind("array of version 2.zarr", zarr_of(DEEP, 2), DEEP),
    Kind("array of version 3.zarr", zarr_of(DEEP, 3), DEEP),
    Kind("version 4.ome.zarr", zarr_of(STACK, 2, "zyx", "0.4"), STACK),
    Kind("version 5.ome.zarr", zarr_of(STACK, 3, "zyx", "0.5"), STACK),
    Kind(
        "stains.ome.zarr",
        zarr_of(PLANES.reshape(2, 6, 20, 30), 3, "tcyx", "0.5"),
        np.moveaxis(PLANES[:6], 0, -1),
        roles="t=0, c=vector",
    ),
    # Texts
    Kind("matrix.csv", text(matrix()), REAL, within=1e-4),
    Kind("matrix.tsv", text(matrix("\t")), REAL, within=1e-4),
    Kind("semicolons and commas.csv", text(matrix(";", ",")), REAL, within=1e-4),
    Kind("spaces.dat", text(matrix(" ")), REAL, within=1e-4),
    Kind("column.csv", text(column()), SERIES[None].astype(np.float32)),
    Kind("times.csv", text(column(times=True)), SERIES[None].astype(np.float32)),
    Kind("thousands.csv", text('"1,234.5"\n"2,345.5"\n' * 20), np.float32([[1234.5, 2345.5] * 20])),
    Kind("words.csv", text("name,town\nAnn,Bonn\n"), "."),
    Kind("one.fasta", text(f">a\n{DNA}\n"), DNA, letters=True),
    Kind("packed.fa.gz", text(gzip.compress(f">a\n{DNA}\n".encode())), DNA, letters=True),
    Kind("letters.txt", text(DNA), DNA, letters=True),
    # Laboratories
    Kind("one.mat", matlab, GREY),
    Kind("real.fits", text(fits(REAL)), REAL),
    Kind("unsigned.fits", text(fits((DEEP - 32768).astype(np.int16), BZERO=32768)), DEEP),
    Kind("scaled.fits", text(fits(DEEP.astype(np.int32), BSCALE=0.5, BZERO=7)), DEEP / 2 + 7),
    Kind("volume.fits", text(fits(STACK)), STACK, roles="z=lattice"),
    Kind("spectrum.fits", text(fits(STACK, CTYPE3="'FREQ    '")), np.moveaxis(STACK, 0, -1)),
    Kind("cut off.fits", cut(text(fits(REAL)), 0.7), "cut off"),
    Kind("volume.nii", text(nifti(STACK.T)), STACK, roles="z=lattice"),
    Kind("packed.nii.gz", text(gzip.compress(nifti(STACK.T.astype(np.int16)))), STACK),
    Kind("scaled.nii", text(nifti(STACK.T, 0.5, -8)), STACK / 2 - 8),
    Kind("cut off.nii", cut(text(nifti(STACK.T))), "cut off"),
    Kind("slice.dcm", text(dicom(DEEP)), DEEP, needs="pydicom"),
    Kind(
        "computed.dcm",
        text(dicom(DEEP.astype(np.int16), 2, -1024)),
        2.0 * DEEP.astype(np.int16) - 1024,
        needs="pydicom",
    ),
    Kind("colour.dcm", text(dicom(COLOUR)), COLOUR, roles="c=colour", needs="pydicom"),
    Kind("one.h5", lambda path: hdf5(path, a=STACK), STACK, roles="z=lattice", needs="h5py"),
    Kind(
        "several.h5",
        lambda path: hdf5(path, a=GREY, b=STACK),
        r"2 arrays: a \(20, 30\), b \(5, 20, 30\); save one",
        needs="h5py",
    ),
    Kind(
        "photograph.heic",
        lambda path: heic(path, SMOOTH),
        np.dstack([SMOOTH] * 3),
        within=4,
        needs="pillow_heif",
    ),
    Kind("film.mp4", film, np.zeros((48, 64, 3)), within=2, roles="t=0", needs="av"),
    Kind("slide.czi", text(b"ZISRAWFILE" + bytes(22)), "a CZI image of Zeiss; open it in Fiji"),
    # Unknown nodes
    Kind("NaN.npy", array(GAPS), GAPS, unknown=150, says="150 of 600 pixels are unknown (NaN)"),
    Kind("NaN.tif", tif(GAPS), GAPS, unknown=150),
    Kind("NaN.fits", text(fits(GAPS)), GAPS, unknown=150),
    Kind("blank.fits", text(fits(HOLED, BLANK=-9)), HOLED, unknown=150, says="masked"),
    Kind(
        "nodata.tif",
        tif(HOLED, extratags=[(42113, "s", 0, "-9", True)]),
        HOLED,
        unknown=150,
        says="nodata value -9",
    ),
    Kind("transparent.png", saved("PNG", CLEAR), COLOUR, unknown=150, says="transparent"),
    Kind("gap.csv", text("a,b\n1,2\n3,\n5,6\n7,8\n"), GAP_IN_TABLE, unknown=1),
    # What cannot open, and the way in
    Kind("cut off.png", cut(saved("PNG", GREY)), "get a fresh copy"),
    Kind("cut off.tif", cut(tif(DEEP)), "get a fresh copy"),
    Kind("cut off.npy", cut(array(DEEP)), "cut off"),
    Kind("really a picture.csv", saved("PNG", GREY), GREY),
    Kind("really a TIFF.png", tif(DEEP), DEEP),
    Kind("empty.png", text(""), "empty"),
    Kind("folder.png", lambda path: path.mkdir(), "it is a folder"),
    Kind("page.png", text("<!DOCTYPE html>\n<html></html>"), "a web page; save the image itself"),
    Kind("pointer.tif", text(POINTER), "git lfs pull"),
    Kind("pointer.csv", text(POINTER), "git lfs pull"),
    Kind("pointer.txt", text(POINTER), "git lfs pull"),
    Kind("page.pdf", saved("PDF", GREY), "pdftoppm"),
    Kind("drawing.svg", text("<svg xmlns='http://www.w3.org/2000/svg'/>"), "inkscape"),
    Kind("letter.docx", lambda path: office(path, "word"), "plain text"),
    Kind("table.xlsx", lambda path: office(path, "xl/work"), "as CSV"),
    Kind("table.parquet", text(b"PAR1\x15\x04"), "read_parquet"),
    Kind("notes.bin", text(bytes(range(7)) * 9), "HEIGHT, WIDTH"),
)
