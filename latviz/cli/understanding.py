"""``latviz understanding``: a chart of a class's understanding before and after the lessons.

No large library is imported at the top, so that ``--help`` answers at once.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from latviz.cli.parser import Parser, code_of, to_read
from latviz.cli.standard import file_to_write, is_output, sent
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_target, replacing
from latviz.core.errors import ParameterError
from latviz.core.printable import note, say
from latviz.resources import QUESTIONS, resource

if TYPE_CHECKING:  # it loads NumPy, which --help must not wait for
    from latviz.engine.lessons.understanding import ClassResults


def run(arguments: list[str]) -> int:
    """Run the command; return 0, 1 (a file failed) or 2 (bad arguments)."""
    options = parser_of().parse_args(arguments)
    try:
        with inputs.kept():
            inputs.hold(options.files)
            if not is_output(options.output):
                check_target(options.output)
            results = _results([Path(name) for name in options.files])
            with sent(options.output) as path:
                _write(path, results)
    except (FileError, ParameterError) as error:
        return code_of(error)
    if results.n_left_out:
        left_out = f"{results.n_left_out} of {results.n_left_out + results.n_students}"
        note(f"files without a second round, left out: {left_out}")
    (note if is_output(options.output) else say)(results.sentence)
    return 0


def parser_of() -> Parser:
    """Return the command's parser."""
    parser = Parser(
        prog="latviz understanding",
        description=(
            "Draw a chart of what students understand before and after the lessons, question by "
            "question, from their files of answers."
        ),
    )
    parser.add_argument(
        "files",
        nargs="+",
        type=to_read,
        metavar="understanding.csv",
        help="the file of answers of each student",
    )
    chart = "the chart to write"
    parser.add_argument(
        "-o", "--output", type=file_to_write(".svg"), required=True, metavar="OUT.svg", help=chart
    )
    return parser.ended(
        "anna.csv ben.csv -o class.svg",
        "class/*/understanding.csv -o class.svg",
        "*.csv -o class.svg --quiet",
        "2025/*.csv 2026/*.csv -o both.svg",
        "understanding.csv -o mine.svg",
    )


def _results(files: list[Path]) -> "ClassResults":
    from latviz.engine.lessons import understanding  # not above: it loads NumPy
    from latviz.files.answers import read_rows  # loaded with it

    test = understanding.read(resource(QUESTIONS))
    for path in files:
        if not path.is_file():
            raise FileError(path, "there is no such file; give the understanding.csv files")
    rows = [read_rows(path) for path in files]
    copied = understanding.copies(rows)
    for k, other in copied.items():
        note(f"{files[k]} is left out: {files[other]} holds the same answers")
    students = [understanding.from_rows(own) for k, own in enumerate(rows) if k not in copied]
    return understanding.results_of(test, students)


def _write(path: Path, results: "ClassResults") -> None:
    from latviz.sharing.understanding_chart import drawn  # not above: it loads the engine

    with replacing(path) as stream:
        stream.write(drawn(results).encode())
