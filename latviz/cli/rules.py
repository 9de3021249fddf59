"""Rules about options: which need each other, which have no effect together, and why.

A rule is a row of `RULES`. Mutually exclusive options are groups of the parser.
"""

import argparse
from contextlib import suppress

from latviz.app.program import platforms
from latviz.cli import many
from latviz.cli.options import changed, given_in, part_of
from latviz.cli.parser import Parser, Rule
from latviz.cli.standard import file_to_write, streamed
from latviz.core.decoders import DECODERS
from latviz.core.disk.errors import FileError, shortened
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts
from latviz.core.parameter import rows
from latviz.engine.pictures.demo_titles import DEFAULT_DEMO, DEMO_TITLES
from latviz.engine.settings.parameters import LOCKED, Parameters, suited
from latviz.files.suffixes import FIGURES, is_session

Options = argparse.Namespace
OUTPUTS = ("snapshot", "export", "figure", "regions", "report", "live", "handout")
"""The options that write files of one image; with one of them no window is opened."""
PRINTED = ("advise", "json")
"""The same of those that print."""
_PAGES = ("page", "reduce", "volume", "axes", "mask")
_ENCODED = [row.field for row in rows(Parameters) if row.field.startswith("encoding.")]
_OF_ENCODINGS = [name for name in _ENCODED if name not in ("encoding.name", "encoding.n_symbols")]


RULES = (
    Rule(["model"], lambda o: not (o.image or o.places), "needs at least one image"),
    Rule(["model"], lambda o: o.image is not None and not _image(o), "needs images, not a session"),
    Rule(["choose"], lambda o: o.model, "has no effect with --model"),
    Rule(LOCKED, lambda o: o.model, "has no effect: the model of --model has its own"),
    Rule(
        *(["decoder"], lambda o: o.model and DECODERS[o.decoder].refines),
        "{o.decoder} has no effect: it would learn the model of --model again",
    ),
    Rule(many.OPTIONS, lambda o: not o.places, "needs images: name files, a folder or a pattern"),
    Rule([*OUTPUTS, *PRINTED, "map", *_PAGES], lambda o: o.places, "needs one image"),
    Rule(["settings"], lambda o: o.places, "cannot be used with images"),
    Rule(_PAGES, lambda o: not _image(o), "needs an image"),
    Rule(["page", "volume"], lambda o: o.axes, "cannot be used with --axes, which says it all"),
    Rule(["mask"], lambda o: o.model and not is_headless(o), "in the window needs no --model"),
    Rule(["save_model"], lambda o: o.places and not many.batches(), "needs one image"),
    Rule(["size", "theme"], lambda o: is_headless(o) and not o.snapshot, "needs --snapshot"),
    Rule(
        *(["map"], lambda o: not (o.snapshot or o.figure)),
        "needs --snapshot or --figure: it is a layer of the image",
    ),
    Rule(["choose"], lambda o: not is_headless(o), "needs {outputs}"),
    Rule(
        *(["n_states"], lambda o: o.choose in ("N", "both")),
        "has no effect: --choose {o.choose} sets the number of states",
    ),
    Rule(
        *(["lesson"], lambda o: _image(o) or o.places or o.demo or o.settings),
        "has its own picture: it cannot be used with an image, --demo or --settings",
    ),
    Rule(
        ["lesson"],
        lambda o: not (o.live or o.handout) and (is_headless(o) or not platforms.has_display()),
        "opens a window: it needs a display, and only --live and --handout write files of it",
    ),
    Rule(["handout"], lambda o: not o.lesson, "needs --lesson"),
    Rule(
        *(["json"], lambda o: o.json and streamed(o)),
        "cannot be used with another result on the standard output",
    ),
    Rule(["dpi"], lambda o: not o.figure, "needs --figure"),
    Rule(
        *(_OF_ENCODINGS, lambda o: (o.places or _image(o)) and "encoding.name" not in o),
        "needs --encoding",
    ),
)
"""The rules; the first broken one is reported, of wings or of these."""


def problem(options: Options, parser: Parser) -> str:
    """Return the error of a combination of valid options, or ""."""
    return (
        _broken_rule(options, parser)
        or _state_problem(options)
        or _file_problem(options)
        or _display_problem(options)
        or _without_effect(options)
    )


def is_headless(options: Options) -> bool:
    """Return True if files are written, or results printed, without a window."""
    return many.is_headless(options) or any(getattr(options, name) for name in (*OUTPUTS, *PRINTED))


def _broken_rule(options: Options, parser: Parser) -> str:
    """Return which option breaks a rule, and why, or nothing."""
    words = vars(options)
    given = {
        one.dest: one.option_strings[-1]
        for one in parser._actions
        if one.option_strings
        and words.get(one.dest, one.default) != one.default
        and one.help != argparse.SUPPRESS
    }
    for rule in (*(rule for batch in many.batches() for rule in batch.rules), *RULES):
        for name in rule.names:
            if name in given and rule.is_broken(options):
                reason = rule.reason.format(o=options, outputs=outputs(options))
                return f"{given[name]} {reason}"
    return ""


def _image(options: Options) -> bool:
    return options.image is not None and not is_session(options.image)


def outputs(options: Options) -> str:
    """Return the options that make files in place of a window, in words."""
    names = (options.places and many.outputs()) or OUTPUTS
    *others, last = (f"--{name.replace('_', '-')}" for name in names)
    return f"{', '.join(others)} or {last}"


def _state_problem(options: Options) -> str:
    """Return the error of a state given as text, or ""; set its demo."""
    if options.settings is None:
        return ""
    from latviz.engine.keeping.session import demo_of  # not above: it loads NumPy

    try:
        demo = demo_of(options.settings)
    except ParameterError as error:
        return f"--settings: {error}"
    if demo and (options.image is not None or options.demo is not None):
        return f"--settings names the demo {shortened(demo)!r}: give no image and no --demo"
    if demo and demo not in DEMO_TITLES:
        demos = ", ".join(DEMO_TITLES)
        return f"--settings: there is no demo {shortened(demo)!r}; choose one of {demos}"
    options.demo = demo or options.demo
    return ""


def _file_problem(options: Options) -> str:
    """Return the error in the names of files, or ""; set the paths of figures."""
    try:
        to_path = file_to_write(*FIGURES)
        options.figure = [(name.lower(), to_path(path)) for name, path in options.figure]
    except argparse.ArgumentTypeError as error:
        return f"--figure: {error}"
    if len(streamed(options)) > 1:
        return "only one result goes to the standard output"
    among = any(map(is_session, options.places))
    return "open a session alone, without other images" if among else ""


def _display_problem(options: Options) -> str:
    """Return that a window needs a display, or nothing; without one, a single image is drawn."""
    if is_headless(options) or platforms.has_display() or not options.places:
        return ""
    return f"there is no display; use {outputs(options)}"


def _without_effect(options: Options) -> str:
    """Return which parameter's option has no effect and why, or nothing."""
    given = given_in(Parameters, options)
    n_axes = len(getattr(options, "spacing", ()))
    if not (options.slices or n_axes or any(row.conditional for row in given)):
        return ""
    with suppress(FileError, ParameterError):  # opening the file reports why it cannot be read
        parameters, dimensions = _outset(options)
        if options.slices and dimensions < 3:
            return "--slices has no effect: only a volume has slices"
        if n_axes and n_axes != dimensions:
            return f"--window has {n_axes} half-widths, but the picture has {dimensions} axes"
        parameters = changed(parameters, options)
        for row in given:
            if reason := row.refused(parameters, dimensions):
                return f"{row.flag} has no effect: {reason}"
    return ""


def _outset(options: Options) -> tuple[Parameters, int]:
    """Return the parameters that a picture is opened with and its d; images are not read."""
    from latviz import workspace  # not above: it loads NumPy, which --help must not wait for

    if options.places:
        return suited(Parameters(), PictureFacts(2)), 2
    if not _image(options):
        demo = options.demo or DEFAULT_DEMO
        pictures, session = workspace.read_work(options.image, demo)
        return session.shown.parameters, pictures.picture.dimensions
    dimensions = workspace.dimensions_of(options.image, part_of(options))
    return suited(Parameters(), PictureFacts(dimensions)), dimensions
