"""Files are read, written and asked for, texts printed, and Qt given pointers in one way each.

Every call in the program that could open a file by its name counts. Permitted ones receive open
files, or are in `ALLOWED` with the reason. Names have no words that `.ci/names.txt` replaces.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import latviz
from tests.of_wings import of_wings

ROOT = Path(latviz.__file__).parent
OWN = "core/disk/"
OPEN = {"stream", "buffer"}
"""Names of open files, and of bytes in memory."""
BY_NAME = {
    *("read_text", "read_bytes", "write_text", "write_bytes", "touch", "rename", "symlink_to"),
    *("hardlink_to", "os.open", "os.fdopen", "os.replace", "os.rename", "os.link", "os.symlink"),
    *("os.truncate", "os.mkfifo", "io.open", "io.FileIO", "mmap.mmap", "filecmp.cmp"),
    *("shutil.copy", "shutil.copy2", "shutil.copyfile", "shutil.copytree", "shutil.move"),
    *("shutil.rmtree", "shutil.copymode", "tempfile.mkstemp", "tempfile.mkdtemp"),
    *("tempfile.TemporaryFile", "tempfile.NamedTemporaryFile", "tempfile.TemporaryDirectory"),
    *("ElementTree.parse", "QFile", "QSaveFile", "QSettings", "QMovie", "QLockFile"),
    *("fromfile", "loadtxt", "genfromtxt", "savetxt", "memmap", "tofile", "zarr.open"),
    *("zarr.open_group", "zarr.open_array", "zarr.save", "zarr.create_group", "imread", "imwrite"),
}
"""Calls that take names of files alone."""
OF_BYTES = 4
"""The least arguments of an image that is made of bytes: these, its size and its format."""
OF_ONE_THAT_IS_OPEN = {
    *("np.load", "np.save", "np.savez", "np.savez_compressed", "PIL.Image.open", "zipfile.ZipFile"),
    *("tifffile.TiffFile", "tifffile.TiffWriter", "hashlib.file_digest", "QImageReader"),
    *("QPdfWriter", "json.load", "json.dump", "pickle.load", "pickle.dump", "json.loads"),
}
"""Calls that take a name or an open file, which comes first."""
ALLOWED = {
    ("core/json_text", "json.loads"): "the one way to read JSON",
    ("core/kernels/compiler", "save"): "Numba's own, which writes by the program's `_write`",
    ("core/model/storage", "save"): "a model's own, which writes an archive",
    ("__main__", "os.open"): "the null device stands in for standard streams that are closed",
    ("app/program/platforms", "os.open"): "as above",
    ("core/printable", "os.open"): "the null device takes what a standard stream cannot",
    ("app/session/recent_work", "filecmp.cmp"): "it compares regular files alone",
    ("app/session/ending", "os.open"): "a new file of its own, for what faults leave to write",
    ("app/session/ending", "QLockFile"): "Qt's own, beside a file of the program",
    ("app/shell/settings", "QLockFile"): "as above",
    ("app/shell/settings", "QSettings"): "Qt's own; what it would read is looked at before",
    ("core/kernels/compiler", "tempfile.mkdtemp"): "a new folder of its own",
    ("cli/standard", "tempfile.TemporaryDirectory"): "as above",
    ("files/zarrs/writing", "zarr.create_group"): "a folder, which gets its name once it is whole",
    ("files/decoding", "tempfile.TemporaryFile"): "a new file of its own, without a name",
    **{key: reason for table in of_wings("one_way") for key, reason in table.ALLOWED.items()},
}


POINTING = {
    *("QPainter", "QBuffer", "QImageReader", "QImageWriter", "QSvgGenerator", "QPdfWriter"),
    *("QTextStream", "QDataStream", "QXmlStreamReader", "QXmlStreamWriter", "QMovie"),
    *("setDevice", "setOutputDevice", "setSourceDevice"),
}
"""Calls after which Qt holds a pointer to what Python owns; and so does an image made of bytes."""
MAY_POINT = {
    "latviz/app/widgets/lifetimes": "the one way",
    "tests/app/exporting/test_figures": "Qt's own drawings to compare with: written to files by "
    "name, of images that are copied at once",
}

PLAINER = Path(__file__).parents[1] / ".ci" / "names.txt"
"""Words that no name has, each with plainer ones."""
MAY_BE_NAMED = {
    ("app/shell/shell", "say"): "shows a message in the status line",
    ("app/shell/shell", "say_lost"): "as above",
    ("app/shell/shell", "say_nothing_to"): "as above",
    ("core/printable", "say"): "prints a line",
    ("engine/advice/advice", "says"): "a field of the advice, and its key in JSON",
    ("engine/advice/findings", "says"): "makes the field above",
    ("engine/advice/findings", "says_noise"): "as above",
    ("engine/advice/chosen", "says"): "as above",
    ("engine/choosing/tradeoff", "says"): "as above",
    ("app/views/guide/view", "says"): "shows the field above",
}
"""Names that keep such words, with the reason."""
TERMINAL = {
    ("core/printable", "print"): "the one way",
    ("app/session/ending", "os.write"): "lines of a report, into its file",
    ("files/decoding", "os.write"): "what libraries printed before it listened",
}
"""Functions that write to the terminal, with the reason."""
TO_TERMINAL = {"print", "sys.stderr.write", "sys.stdout.write", "os.write", "pprint"}
TYPED = re.compile(r"((Ctrl|Alt|Shift|Meta)\+)+\S+|F\d{1,2}")
"""Shortcuts in Qt's portable text that no other text resembles."""
TABLES = re.compile(r"app/widgets/shortcuts|wings/\w+/shortcuts")
MAY_TYPE = re.compile(
    r"(Ctrl|Alt|Shift|Meta)\+|['\"]F\d|QKeySeq|QShortcut|setShortcut\(|\bAction\("
)
MAKES_KEYS = {"QKeySequence", "QShortcut", "setShortcut", "addShortcut"}
SAVING = {"getSaveFileName", "getSaveFileUrl", "saveFileContent", "setAcceptMode"}
"""Calls that ask where to save."""
_LAST = {name.rpartition(".")[2] for name in BY_NAME | OF_ONE_THAT_IS_OPEN | TO_TERMINAL}
_LAST |= SAVING
_LAST |= {"open", "save", "loads", "QIcon", "QPixmap", "QImage"}


def _may_call(names: set[str]) -> "re.Pattern[str]":
    return re.compile(rf"\b({'|'.join(sorted(names))})\s*\(")


_MAY_CALL, _MAY_POINT = _may_call(_LAST), _may_call(POINTING | {"QImage"})


def dotted(node: ast.expr) -> str:
    """Return a name with the names before it, without other expressions."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


@dataclass(frozen=True)
class Calls:
    """The names of the calls in a module that matter here, as source text."""

    opening: set[str]
    printing: set[str]
    saving: set[str]


@cache
def modules() -> dict[str, Calls]:
    return {
        path.relative_to(ROOT).with_suffix("").as_posix(): named(calls_of(path.read_text("utf-8")))
        for path in sorted(ROOT.rglob("*.py"))
    }


def modules_with(is_found: Callable[[str], object]) -> set[str]:
    """Return the modules in whose text something is found."""
    return {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for path in ROOT.rglob("*.py")
        if is_found(path.read_text("utf-8"))
    }


def named(calls: list[ast.Call]) -> Calls:
    # Trees are not kept: the garbage collector would go through all of them.
    names = {dotted(call.func) for call in calls}
    saving = {name.rpartition(".")[2] for name in names} & SAVING
    return Calls({*by_name(calls)}, names & TO_TERMINAL, saving)


def calls_of(text: str, may: "re.Pattern[str]" = _MAY_CALL) -> list[ast.Call]:
    if not may.search(text):
        return []  # parsing takes longer
    return [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]


def by_name(calls: list[ast.Call]) -> Iterator[str]:
    """Yield the calls that open files by name, as source text."""
    for call in calls:
        name = dotted(call.func)
        last = name.rpartition(".")[2]
        if opens_by_name(call, name, last):
            yield name if name in BY_NAME or name in OF_ONE_THAT_IS_OPEN else last


def pointing(calls: list[ast.Call]) -> Iterator[str]:
    """Yield the calls after which Qt holds a pointer to what Python owns."""
    for call in calls:
        last = dotted(call.func).rpartition(".")[2]
        if last in POINTING or (last == "QImage" and len(call.args) >= OF_BYTES):
            yield last


def opens_by_name(call: ast.Call, name: str, last: str) -> bool:
    is_method = isinstance(call.func, ast.Attribute)
    if name in BY_NAME:
        return is_method or name[0] == "Q"
    if is_method and last in BY_NAME:
        return True
    if name == "json.loads":
        return True  # `from_json` handles the errors
    if name in OF_ONE_THAT_IS_OPEN:
        return not is_open(call)
    if last == "save" and is_method and call.args:
        return not is_open(call)
    if last in ("QIcon", "QPixmap", "QImage"):
        first = ast.unparse(call.args[0]) if call.args else ""
        return first.startswith(("str(", "'")) and "resource(" not in first
    return last == "open" and (not is_method or opens_with_mode(call))


def is_open(call: ast.Call) -> bool:
    """Return True if the first argument is an open file, or bytes in memory."""
    return bool(call.args) and isinstance(call.args[0], ast.Name) and call.args[0].id in OPEN


def opens_with_mode(call: ast.Call) -> bool:
    """Return True if a method is called as that of a path; archive members are already open."""
    words = [one.value for one in call.args if isinstance(one, ast.Constant)]
    words += [word.value.value for word in call.keywords if isinstance(word.value, ast.Constant)]
    is_member = dotted(call.func).startswith("archive.")
    modes = [word for word in words if isinstance(word, str) and set(word) <= set("rwxabt+")]
    return bool(modes) and not is_member


def test_files_are_read_and_written_in_one_way() -> None:
    found = {
        (module, call)
        for module, calls in modules().items()
        if not module.startswith(OWN)
        for call in calls.opening
    }
    assert found - ALLOWED.keys() == set(), "use latviz.core.disk, or say why not"
    assert ALLOWED.keys() - found == set(), "these are not needed any more"


@pytest.mark.parametrize(
    "text",
    [
        *("open(path)", "path.open('rb')", "path.open(mode='w')", "os.open(path, 0)"),
        *("path.read_text()", "Path(path).write_bytes(b'')", "np.load(path)", "np.save(path, a)"),
        *("np.savez_compressed('a', b=c)", "image.save(path)", "PIL.Image.open(path)"),
        *("zipfile.ZipFile(path)", "tifffile.imwrite(path, a)", "json.dump(a, path)"),
        *("shutil.copyfile(a, b)", "QFile(path)", "QIcon(str(path))", "a.tofile(path)"),
        *("tifffile.TiffFile(path)", "QImageReader(path)", "QPdfWriter(path)"),
    ],
)
def test_other_ways_are_seen(text: str) -> None:
    assert list(by_name(calls_of(text)))


@pytest.mark.parametrize(
    "text",
    ["np.load(stream)", "image.save(buffer, 'PNG')", "dialog.open()", "archive.open(name, 'w')"],
)
def test_what_is_open_may_be_used(text: str) -> None:
    assert not list(by_name(calls_of(text)))


def test_texts_reach_the_terminal_in_one_way() -> None:
    found = {(module, name) for module, calls in modules().items() for name in calls.printing}
    assert found == TERMINAL.keys()


def test_files_to_save_are_asked_for_in_one_way() -> None:
    """A dialog that adds a suffix after it has asked about the name replaces a file in silence."""
    found = {module for module, calls in modules().items() if calls.saving}
    assert found == {"app/shell/dialogs"}, "use ask_to_save"


def test_numbers_are_read_and_written_in_one_way() -> None:
    """Qt's own boxes and texts follow the system: in de_DE the keys 0.5 set 5."""
    pattern = re.compile(r"\b(QSpinBox|QDoubleSpinBox|QLocale\(|QLocale\.\w+\(|setlocale)")
    found = modules_with(pattern.search)
    assert found == {"app/widgets/number_boxes", "app/program/main"}, "use number_boxes"


def shortcuts_typed(text: str) -> list[str]:
    """Return the shortcuts in a module that no table has, and what makes them of text."""
    found = []
    for node in ast.walk(ast.parse(text)) if MAY_TYPE.search(text) else ():
        match node:
            case ast.Constant(value=str(key)) if TYPED.fullmatch(key):
                found.append(key)
            case ast.Call(func=func, args=args, keywords=words):
                name = dotted(func).rpartition(".")[2]
                given = [*args[3:4], *(word.value for word in words if word.arg == "keys")]
                if name in MAKES_KEYS or (name == "Action" and any(map(is_text, given))):
                    found.append(ast.unparse(node))
            case ast.Attribute(attr="StandardKey"):
                found.append(node.attr)
    return found


def is_text(node: ast.expr) -> bool:
    """Return True unless something makes the keys, or they are an entry of a table."""
    return not isinstance(node, ast.Call | ast.Subscript)


def test_shortcuts_are_in_one_table_and_those_of_wings_in_theirs() -> None:
    found = {
        path.relative_to(ROOT).with_suffix("").as_posix(): typed
        for path in ROOT.rglob("*.py")
        if (typed := shortcuts_typed(path.read_text("utf-8")))
    }
    found = {module: typed for module, typed in found.items() if not TABLES.fullmatch(module)}
    assert not found, "use its tables"


def test_keys_are_read_in_one_way() -> None:
    """Shift+E erased a scribble, although it is a menu item: the canvas compared the key alone."""
    found = modules_with(re.compile(r"\bevent\.key\(\)").search)
    assert found == {"app/widgets/keys"}, "use keys.bare or keys.plain"


def test_qt_points_to_memory_in_one_way() -> None:
    """A reader outlived its buffer, and the start page ended the program with each TIFF file."""
    found = {
        f"{root.name}/{path.relative_to(root).with_suffix('').as_posix()}"
        for root in (ROOT, Path(__file__).parent)
        for path in root.rglob("*.py")
        if any(pointing(calls_of(path.read_text("utf-8"), _MAY_POINT)))
    }
    assert found == MAY_POINT.keys(), "use latviz.app.widgets.lifetimes, or say why not"


def names_of(text: str) -> Iterator[str]:
    """Yield the names that a module defines."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr
        elif isinstance(node, ast.alias) and node.asname is not None:
            yield node.asname


def test_names_have_plain_words() -> None:
    plainer = dict(line.split("->") for line in PLAINER.read_text("utf-8").splitlines())
    # Any of the words between underscores; "TextBeside" is two words, too
    words = re.compile(rf"(?:^|_)({'|'.join(sorted(plainer, reverse=True))})(?=_|$)")
    may = re.compile(rf"(?:\b|_|[a-z])(?:{'|'.join(plainer)})(?:\b|_|[A-Z])", re.IGNORECASE)
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        module, text = path.relative_to(ROOT).with_suffix("").as_posix(), path.read_text("utf-8")
        for name in set(names_of(text)) if may.search(text) else ():
            parts = re.sub("(?<=[a-z])(?=[A-Z])", "_", name).lower()
            word = words.search(parts)
            if word and (module, name) not in MAY_BE_NAMED:
                found.append(f"{module}: {name}: {plainer[word[1]]}")
    assert not found, "names have plain words, as .ci/names.txt lists, or a reason in MAY_BE_NAMED"
