"""Formats that are not read: what each is called, and how to make a file of it that opens.

A row of `FOREIGN` is removed when its format gets a reader.
"""

from __future__ import annotations

import re
import zlib
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from latviz.files.formats import GZIP, HEAD
from latviz.files.suffixes import PathLike


@dataclass(frozen=True)
class Foreign:
    """A format that is not read."""

    name: str  # as a sentence ends that begins with "it is"
    remedy: str  # a command, or what to do
    content: bytes = b""  # a regular expression for the beginning; none if there is no mark
    suffixes: tuple[str, ...] = ()  # of names, if the content is not known
    is_container: bool = False  # of many formats, which the suffix tells apart

    @cached_property
    def _pattern(self) -> re.Pattern[bytes]:
        return re.compile(self.content, re.DOTALL)

    def begins(self, head: bytes) -> bool:
        """Return True if a file that begins with these bytes has this format."""
        return bool(self.content) and self._pattern.match(head) is not None


def _of_python(read: str) -> str:
    return f"save its numbers in Python: numpy.save('a.npy', {read})"


_FASTA = "save its sequences as FASTA"
_FIJI = "open it in Fiji with Bio-Formats, and save it as TIFF"
_GIMP = "save it as PNG or TIFF with GIMP"
_UNPACK = "unpack it, and open what is in it"
_CSV = "save it as CSV in LibreOffice or Excel"
_ITK = "save it as TIFF in Python: SimpleITK.WriteImage(SimpleITK.ReadImage(FILE), 'a.tif')"
_TEXT = "save its text as plain text (.txt)"
_ZIP = rb"PK\x03\x04.{26}"
_XML = rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml.{0,2000}?)?(?:<!.{0,2000}?)?"

CAMERA_RAW = Foreign(
    "a raw photograph of a camera",
    "develop it as TIFF, for instance: darktable-cli FILE a.tif",
    rb"II\*\0.{4}CR|II(?:RO|RS|U\0)\x08\0|MMOR\0|FUJIFILMCCD-RAW|FOVb\0|\0MRM|\0.{3}ftypcrx ",
    (
        *(".cr2", ".cr3", ".nef", ".nrw", ".arw", ".srf", ".sr2", ".raf", ".orf", ".rw2", ".pef"),
        *(".srw", ".x3f", ".mrw", ".3fr", ".iiq", ".erf", ".mef", ".mos", ".dcr", ".kdc"),
    ),
)

FOREIGN = (
    # Images
    CAMERA_RAW,
    Foreign("an OpenEXR image", _GIMP, rb"\x76\x2f\x31\x01", (".exr",)),
    Foreign("a Radiance HDR image", _GIMP, rb"#\?(?:RADIANCE|RGBE)\s"),
    Foreign("a Photoshop image", _GIMP, rb"8BPS\0", (".psd", ".psb")),
    Foreign("a GIMP image", _GIMP, rb"gimp xcf ", (".xcf",)),
    Foreign(
        "a JPEG XL image",
        "convert it to PNG: djxl FILE a.png",
        rb"\xff\x0a|\0\0\0\x0cJXL \r\n\x87\n",
        (".jxl",),
    ),
    Foreign(
        "a DjVu document",
        "convert it to TIFF: ddjvu -format=tiff FILE a.tif",
        rb"AT&TFORM",
        (".djvu", ".djv"),
    ),
    Foreign("an icon of Windows", _GIMP, rb"\0\0[\x01\x02]\0[\x01-\xff]\0", (".ico", ".cur")),
    Foreign("a PCX image", _GIMP, rb"\x0a[\0-\x05]\x01[\x01\x02\x04\x08]", (".pcx",)),
    Foreign(
        "an SVG drawing",
        "draw it as PNG: inkscape FILE --export-filename=a.png",
        _XML + rb"<svg",
        (".svg", ".svgz"),
    ),
    Foreign(
        "a PDF document",
        "save its pages as images: pdftoppm -png -r 150 FILE page",
        rb".{0,1000}?%PDF-\d",
        (".pdf",),
    ),
    Foreign("a PostScript document", _GIMP, rb"%!PS|\xc5\xd0\xd3\xc6", (".ps", ".eps")),
    Foreign("a web page", "save the image itself", rb"(?i)" + _XML + rb"<html|\s*<!doctype html"),
    # Microscopes, telescopes and scanners
    Foreign("an NRRD volume", _ITK, rb"NRRD\d{4}", (".nrrd", ".nhdr")),
    Foreign("a MetaImage volume", _ITK, rb"(?:ObjectType|NDims) *= *\w+\r?\n", (".mha", ".mhd")),
    Foreign("an Analyze volume", _ITK, rb"(?:\x5c\x01\0\0|\0\0\x01\x5c).{340}", (".hdr",)),
    Foreign(
        "an MRC volume",
        _of_python("mrcfile.read(FILE)"),
        rb".{208}MAP (?:D[DA]|\x11\x11)\0\0",
        (".mrc", ".map", ".ccp4"),
    ),
    Foreign("a CZI image of Zeiss", _FIJI, rb"ZISRAWFILE\0", (".czi",)),
    Foreign("an ND2 image of Nikon", _FIJI, rb"\xda\xce\xbe\x0a", (".nd2",)),
    Foreign(
        "a LIF image of Leica", _FIJI, rb"\x70\0\0\0.{4}\*.{4}<\0L\0", (".lif", ".lof", ".xlef")
    ),
    Foreign(
        "a microscope's image",
        _FIJI,
        suffixes=(".oib", ".oif", ".oir", ".vsi", ".zvi", ".ims", ".dm3", ".dm4", ".sld", ".mrxs"),
    ),
    # Arrays and tables
    Foreign(
        "a session of latviz",
        "give its name the suffix .latviz",
        _ZIP + rb"session\.json",
        (".latviz",),
    ),
    Foreign(
        "a model or a classifier of latviz",
        "open an image, and apply it to that: a model with --model, a classifier with the command "
        "that wrote it",
        _ZIP + rb"header\.npy",
        (".latclf",),
    ),
    Foreign(
        "a netCDF file",
        _of_python("xarray.open_dataset(FILE)['NAME'].values"),
        rb"CDF[\x01\x02\x05]",
        (".nc", ".nc4", ".cdf"),
    ),
    Foreign(
        "a GRIB file",
        "convert it to TIFF: gdal_translate FILE a.tif",
        rb"GRIB.{3}[\x01\x02]",
        (".grib", ".grb", ".grib2", ".grb2"),
    ),
    Foreign(
        "a Parquet table",
        "save it as CSV in Python: pandas.read_parquet(FILE).to_csv('a.csv')",
        rb"PAR1\x15",
        (".parquet",),
    ),
    Foreign(
        "a Feather (Arrow) table",
        "save it as CSV in Python: pandas.read_feather(FILE).to_csv('a.csv')",
        rb"ARROW1\0\0|FEA1\0",
        (".feather", ".arrow"),
    ),
    Foreign(
        "a pickle of Python, which could run any program",
        "save an array with numpy.save in the program that wrote it",
        rb"\x80[\x02-\x05][\x95c(}\]KJM]",
        (".pkl", ".pickle", ".joblib"),
    ),
    Foreign(
        "a file of R",
        "save its table in R: write.csv(x, 'a.csv')",
        rb"RD[AX][23]\n|X\n\0\0\0[\x02\x03]\0",
        (".rds", ".rda", ".rdata"),
    ),
    Foreign(
        "a spreadsheet", _CSV, _ZIP + rb".{0,60000}?xl/(?:work|styles)", (".xlsx", ".xlsm", ".xlsb")
    ),
    Foreign(
        "a spreadsheet",
        _CSV,
        _ZIP + rb"mimetypeapplication/vnd\.oasis\.opendocument\.spreadsheet",
        (".ods", ".xls", ".numbers"),
    ),
    Foreign(
        "a document with text",
        _TEXT,
        _ZIP + rb"(?:mimetypeapplication/vnd\.oasis\.opendocument\.text|.{0,60000}?word/)",
        (".docx", ".odt", ".doc", ".rtf", ".pages"),
    ),
    Foreign(
        "an SQLite database",
        "save a table as CSV: sqlite3 -header -csv FILE 'select * from NAME' > a.csv",
        rb"SQLite format 3\0",
        (".sqlite", ".db", ".gpkg"),
    ),
    Foreign(
        "a file of raw numbers, whose shape it does not name",
        _of_python("numpy.fromfile(FILE, 'uint8').reshape(HEIGHT, WIDTH)"),
        suffixes=(".raw", ".bin"),
    ),
    # Sequences
    Foreign("in the format GenBank", _FASTA, rb"LOCUS  ", (".gb", ".gbk")),
    Foreign("in the format EMBL", _FASTA, rb"ID   ", (".embl",)),
    Foreign("in the format Clustal", _FASTA, rb"CLUSTAL", (".clustal",)),
    Foreign("in the format Stockholm", _FASTA, rb"# STOCKHOLM", (".sto",)),
    Foreign("in the format NEXUS", _FASTA, rb"#NEXUS", (".nex", ".nexus")),
    Foreign("in the format FASTQ", _FASTA, rb"@[^\n]*\n[^\n]*\n\+", (".fastq", ".fq")),
    Foreign("in the format BAM", _FASTA, rb"BAM\x01", (".bam",)),
    # Sounds
    Foreign(
        "a sound",
        "save its samples as numbers, one a line (.csv)",
        rb"RIFF.{4}WAVE|ID3[\x02-\x04]|fLaC|OggS\0",
        (".wav", ".mp3", ".flac", ".ogg"),
    ),
    # Containers
    Foreign(
        "a pointer of Git LFS, not the file itself",
        "fetch that: git lfs pull",
        rb"version https://git-lfs",
    ),
    Foreign("a zip archive", _UNPACK, rb"PK\x03\x04|PK\x05\x06", (".zip",), is_container=True),
    Foreign("a tar archive", _UNPACK, rb".{257}ustar[\0 ]", (".tar", ".tgz")),
    Foreign("a 7z archive", _UNPACK, rb"7z\xbc\xaf\x27\x1c", (".7z",)),
    Foreign("a RAR archive", _UNPACK, rb"Rar!\x1a\x07", (".rar",)),
    Foreign("packed by bzip2", _UNPACK, rb"BZh[1-9]1AY&SY", (".bz2",)),
    Foreign("packed by xz", _UNPACK, rb"\xfd7zXZ\0", (".xz",)),
    Foreign("packed by Zstandard", _UNPACK, rb"\x28\xb5\x2f\xfd", (".zst",)),
    Foreign("packed by gzip", _UNPACK, GZIP, (".gz",), is_container=True),
    Foreign(
        "an OLE file, such as .xls, .doc or .oib",
        "save a table as CSV, or images as TIFF, in the program that wrote it",
        rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        is_container=True,
    ),
)


def foreign(head: bytes, path: PathLike = "") -> str | None:
    """Return why a file that begins with these bytes does not open, if its format is known."""
    # If a container begins it, the name says more: spreadsheets are zip archives
    head, name = _unpacked(head, PurePath(path))
    begun = [row for row in FOREIGN if row.begins(head)]
    named = [row for row in FOREIGN if name.suffix.lower() in row.suffixes]
    sure = [row for row in begun if not row.is_container]
    found = next(iter((*sure, *named, *begun)), None)
    if found is None:
        return None
    by = "it is" if begun else "by its name it is"
    return f"{by} {found.name}; {found.remedy}"


def is_camera_raw(head: bytes, path: PathLike) -> bool:
    """Return True if a TIFF is a raw photograph of a camera, whose pixels need to be developed."""
    return CAMERA_RAW.begins(head) or PurePath(path).suffix.lower() in CAMERA_RAW.suffixes


def _unpacked(head: bytes, path: PurePath) -> tuple[bytes, PurePath]:
    """Return the beginning and the name of what gzip packed, if its format is known."""
    if head.startswith(GZIP):
        with suppress(zlib.error):
            inner = zlib.decompressobj(31).decompress(head, HEAD)
            if any(row.begins(inner) for row in FOREIGN):
                return inner, path.with_suffix("") if path.name else path
    return head, path
