"""``latviz classify``: learn classes from images, test, cross-validate.

No large library is imported at the top, so that ``--help`` answers at once.
"""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from latviz.cli.notes import ProgressLine
from latviz.cli.options import kind_of
from latviz.cli.parser import ArgumentError, Parser, code_of, ending, file_to_read, one_of
from latviz.cli.standard import file_to_write, is_output, sent
from latviz.core import digits
from latviz.core.data.label_names import in_order
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_target
from latviz.core.errors import ParameterError
from latviz.core.parameter import row_of
from latviz.core.printable import note, say
from latviz.engine.settings.parameters import Parameters

if TYPE_CHECKING:  # these load NumPy, which --help must not wait for
    from latviz.wings.many.classify.classifier import LatticeClassifier
    from latviz.wings.many.classify.selecting import Validation
    from latviz.wings.many.image_sets import ImageSet

EXAMPLES = (
    "train bark/ -o bark.latclf",
    "train bark.csv -o bark.latclf --encoding palette+textons --states 24",
    "train bark/ -o bark.latclf --no-head --criterion windows",
    "train bark/ -o bark.latclf --no-head --shared --priors uniform",
    "train VOC2012/ --split trainval -o voc.latclf",
    "test bark.latclf bark-test/",
    "test bark.latclf bark-test/ --table posteriors.csv",
    "test bark.latclf leaf.png --unlabelled",
    "test bark.latclf leaves/ --unlabelled --table found.csv",
    "test voc.latclf VOC2012/ --split val",
    "cross-validate bark/",
    "cross-validate bark/ --folds 10 --seed 1",
    "cross-validate bark/ --states 8 16 24 --window 2 4 -o best.latclf",
    "cross-validate bark/ --encoding palette palette+textons",
    "cross-validate bark.csv --no-head --criterion cavity windows",
)
"""Arguments that the helps show."""
CRITERIA = "cavity", "windows", "data", "printed"
SUFFIX = ".latclf"


def run(arguments: list[str]) -> int:
    """Run the command; return 0, 1 (an image or file failed) or 2 (bad arguments)."""
    parser = parser_of()
    options = parser.parse_args(arguments)
    if reason := _without_effect(options):
        parser.error(reason)
    try:
        with inputs.kept():
            options.do(options)
    except (FileError, ParameterError) as error:
        return code_of(error, f"latviz classify {options.way}")
    return 0


def _without_effect(options: argparse.Namespace) -> str:
    """Return which option has no effect with the others and why, or ""."""
    of_bayes = getattr(options, "shared", False) or "criterion" in options
    if options.json and _streams(options):
        return "--json cannot be used with a table on the standard output"
    if getattr(options, "head", None) and of_bayes:
        return "--criterion and --shared have no effect: a head has the same states for all classes"
    return ""


def parser_of() -> Parser:
    """Return the command's parser."""
    parser = Parser(
        prog="latviz classify",
        description="Classify images by the states of lattice models.",
    )
    ways = parser.add_subparsers(required=True, metavar="COMMAND", parser_class=Parser)
    train = _way(ways, "train", _train, "learn classes from images and write them to a file")
    _add_images(train)
    train.add_argument(
        *("-o", "--output"),
        type=ending(SUFFIX),
        required=True,
        metavar="MODEL.latclf",
        help="file to write",
    )
    _add_settings(train)
    test = _way(
        *(ways, "test", _test),
        "classify images, and report how many are right if their classes are known",
    )
    text = "file of a classifier, written by latviz classify train"
    test.add_argument("model", type=file_to_read(SUFFIX), metavar="MODEL.latclf", help=text)
    _add_images(test).add_argument(
        "--unlabelled",
        action="store_true",
        help="the classes are not known: IMAGES is an image or a folder",
    )
    text = "write each image's posteriors to a CSV; - is the standard output"
    test.add_argument("--table", type=file_to_write(".csv"), metavar="OUT.csv", help=text)
    both = _way(
        *(ways, "cross-validate", _cross_validate),
        "test settings on images that they did not learn from",
    )
    _add_images(both)
    _add_settings(both, several=True)
    text = "number of folds, 5 by default"
    both.add_argument("--folds", type=int, default=5, metavar="K", help=text)
    text = "seed that decides which fold each image is in"
    both.add_argument("--seed", type=int, default=0, metavar="S", help=text)
    both.add_argument(
        *("-o", "--output"),
        type=ending(SUFFIX),
        metavar="MODEL.latclf",
        help="learn from all images with the best settings, and write it",
    )
    for name, way in ways.choices.items():
        way.ended(*(one.removeprefix(f"{name} ") for one in EXAMPLES if one.startswith(name)))
    return parser.ended(*EXAMPLES[::3])


def _way(ways: Any, name: str, do: Callable[..., None], text: str) -> Parser:
    """Return the parser of one way to use the command."""
    found: Parser = ways.add_parser(name, help=text, description=text)
    found.set_defaults(do=do, way=name)
    found.add_argument("--json", action="store_true", help="print the results as JSON")
    return found


def _add_images(parser: argparse.ArgumentParser) -> "argparse._MutuallyExclusiveGroup":
    """Add the images and their split; return the group of options that exclude a split."""
    parser.add_argument(
        "images",
        type=file_to_read(),
        metavar="IMAGES",
        help="folder with a folder for each class, CSV of names and classes, or PASCAL VOC",
    )
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--split", default="", help="split of PASCAL VOC: train (default), val, ...")
    return group


def _add_settings(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """Add the options of a classifier; each takes several values to choose from, if so asked."""

    def add(flag: str, text: str, **kind: Any) -> None:
        more: dict[str, Any] = {"nargs": "+"} if several else {}
        parser.add_argument(flag, default=argparse.SUPPRESS, help=text, **more, **kind)

    text = (
        "how an image is encoded, such as palette or palette+textons; by default a palette (grey "
        "quantiles of grey images), textons and local binary patterns"
    )
    add("--encoding", text, metavar="NAME[+NAME...]")
    text = "number of symbols of the encoding, 8 by default; without --encoding of grey quantiles"
    for flag, what, numbers in (
        ("--symbols", text, row_of(Parameters, "encoding.n_symbols")),
        ("--states", "number of states of each class or encoding", row_of(Parameters, "n_states")),
        ("--window", "half-width of the window", row_of(Parameters, "window")),
    ):
        add(flag, f"{what} ({numbers.range_text})", **kind_of(numbers))
    text = "by Bayes' rule, and what is summed over an image's pixels: cavity by default"
    add("--criterion", text, **one_of(CRITERIA))
    parser.add_argument(
        "--shared",
        action="store_true",
        help="by Bayes' rule, with one codebook for all classes, not one for each",
    )
    parser.add_argument(
        "--head",
        action=argparse.BooleanOptionalAction,
        help="logistic regression on shares of states, the default, or Bayes' rule (--no-head)",
    )
    parser.add_argument(
        "--priors",
        **one_of(("counts", "uniform")),
        default="counts",
        help="prior of each class; counts by default",
    )


def _train(options: argparse.Namespace) -> None:
    from latviz.wings.many.classify.storage import save_classifier  # not above: it loads NumPy

    given = {**vars(options), **{name: [vars(options)[name]] for name in _listed(options)}}
    (classifier,) = _settings(argparse.Namespace(**given))
    found = _images(options, [classifier])
    check_target(options.output)
    _learn(classifier, found)
    save_classifier(classifier, options.output)
    learned = f"{options.output}: {_size_of(found)}, by {classifier.fitted.summary}"
    _print(options, _described(options, classifier, found), learned)


def _described(
    options: argparse.Namespace, classifier: "LatticeClassifier", found: "ImageSet"
) -> dict[str, Any]:
    """Return what was learned, and from what."""
    of_images = {"images": len(found.images), "classes": in_order({*found.labels})}
    return {"model": str(options.output), "summary": classifier.fitted.summary, **of_images}


def _print(options: argparse.Namespace, found: dict[str, Any], *lines: str) -> None:
    """Print results, as JSON or lines; these are notes beside a table on the standard output."""
    if options.json:
        say(json.dumps(found))
        return
    for line in lines:
        (note if _streams(options) else say)(line)


def _streams(options: argparse.Namespace) -> bool:
    """Return True if a table goes to the standard output."""
    table = vars(options).get("table")
    return table is not None and is_output(table)


def _learn(classifier: "LatticeClassifier", found: "ImageSet") -> None:
    with ProgressLine("Learning", len(found.images)) as line:
        classifier.fit(found.images, found.labels, progress=line)


def _test(options: argparse.Namespace) -> None:
    from latviz.wings.many.classify.storage import load_classifier  # not above: it loads NumPy

    classifier = load_classifier(options.model)
    found = _images(options, [classifier], unlabelled=options.unlabelled)
    if options.table and not _streams(options):
        check_target(options.table)
    names = [str(one) for one in classifier.classes_]
    classes = in_order(names)
    posteriors = classifier.predict_proba(found.images)[:, [*map(names.index, classes)]]
    best = [classes[k] for k in posteriors.argmax(axis=1)]
    if options.table:
        with sent(options.table) as path:
            _write_table(path, found, classes, best, posteriors)
    each = [
        {"image": str(image.path), "predicted": name, "posterior": float(own.max())}
        for image, name, own in zip(found.images, best, posteriors, strict=True)
    ]
    if found.labels:
        unknown = in_order({*found.labels} - {*classes})
        if unknown:
            listed = ", ".join(classes)
            raise ParameterError(
                f"the model has the classes {listed}, but not {', '.join(unknown)}"
            )
        right = sum(one == other for one, other in zip(best, found.labels, strict=True))
        table = _confusion(classes, found.labels, best)
        known = {"right": right, "classes": classes, "confusion": table}
        share = f"{right} of {len(best)} right ({digits.share(right, len(best))})"
        _print(options, {"images": each, **known}, *_lines(classes, table), share)
    elif options.json or not options.table:
        lines = (
            f"{e['image']}: {e['predicted']} ({digits.probability(e['posterior'])})" for e in each
        )
        _print(options, {"images": each}, *lines)


def _cross_validate(options: argparse.Namespace) -> None:
    from latviz.wings.many.classify.classifier import LatticeClassifier  # as above
    from latviz.wings.many.classify.selecting import cross_validate  # as above
    from latviz.wings.many.classify.storage import save_classifier  # as above

    tried = _settings(options)
    found = _images(options, tried)
    if options.output:
        check_target(options.output)
    done: list[Validation] = []
    for one in tried:
        with ProgressLine("Validating", len(found.images)) as line:
            validation = cross_validate(
                one,
                found.images,
                found.labels,
                folds=options.folds,
                random_state=options.seed,
                progress=line,
            )
        done.append(validation)
        if not options.json:
            say(_line(one, validation))
    best = min(done, key=lambda one: (-one.accuracy, one.log_loss))
    classifier = LatticeClassifier(**best.parameters)
    truth = [str(best.classes[k]) for k in best.truth]
    predicted = [str(best.classes[k]) for k in best.posteriors.argmax(axis=1)]
    classes = in_order(map(str, best.classes))
    table = _confusion(classes, truth, predicted)
    tried_all = [
        {"settings": str(one), "accuracy": float(v.accuracy), "log_loss": float(v.log_loss)}
        for one, v in zip(tried, done, strict=True)
    ]
    results: dict[str, Any] = {
        "tried": tried_all,
        "best": str(classifier),
        "classes": classes,
        "confusion": table,
    }
    lines = [f"best: {_line(classifier, best)}"] if len(done) > 1 else []
    lines += _lines(classes, table)
    if options.output:
        _learn(classifier, found)
        save_classifier(classifier, options.output)
        results |= _described(options, classifier, found)
        lines.append(f"{options.output}: {_size_of(found)}, by {classifier.fitted.summary}")
    _print(options, results, *lines)


_NAMES = {"states": "n_states", "window": "window", "criterion": "criterion"}
"""Parameters of a classifier, by the options that set them."""


def _listed(options: argparse.Namespace) -> list[str]:
    """Return the given options among those that take several values."""
    return [name for name in ("encoding", "symbols", *_NAMES) if name in options]


def _settings(options: argparse.Namespace) -> "list[LatticeClassifier]":
    """Return a classifier for each combination of the options."""
    from itertools import product  # loaded with the others

    from latviz.core import Encoding  # not above: it loads NumPy
    from latviz.wings.many.classify.classifier import LatticeClassifier  # likewise

    given = _listed(options)
    found = []
    for values in product(*(vars(options)[name] for name in given)):
        settings = dict(zip(given, values, strict=True))
        encoding: Any = "auto"
        if settings.keys() & {"encoding", "symbols"}:
            size, names = (
                settings.pop("symbols", 8),
                settings.pop("encoding", "quantiles").split("+"),
            )
            try:
                encoding = [Encoding(name.lower(), n_symbols=size) for name in names]
            except ParameterError as error:
                raise ArgumentError(f"--encoding: {error}") from error
            encoding = encoding if len(encoding) > 1 else encoding[0]
        parameters = {_NAMES[name]: value for name, value in settings.items()}
        fixed = {name: getattr(options, name) for name in ("shared", "head", "priors")}
        found.append(LatticeClassifier(encoding, **parameters, **fixed))
        try:
            found[-1].check()
        except ParameterError as error:
            raise ArgumentError(str(error)) from error
    return found


def _images(
    options: argparse.Namespace,
    classifiers: "Sequence[LatticeClassifier]",
    unlabelled: bool = False,
) -> "ImageSet":
    """List the images, in colour if a classifier sees colours, else grey."""
    from latviz.wings.many import image_sets  # not above: it loads NumPy

    if unlabelled:
        found = image_sets.read_images(options.images)
    else:
        found = image_sets.read_image_set(options.images, options.split)
    inputs.hold(image.path for image in found.images)
    for one in found.notes:
        note(f"note: {one}")
    colours = [image_sets.colours_for(one) for one in classifiers]
    if None in colours:  # the first image decides
        colours.append(found.images[0]().ndim == 3)
    return found.with_colours(any(colours))


def _size_of(found: "ImageSet") -> str:
    return f"{len(found.images)} images of {len({*found.labels})} classes"


def _line(one: "LatticeClassifier", found: "Validation") -> str:
    loss = f"log loss {digits.bits(found.log_loss)} nats"
    return f"{digits.share(found.accuracy)} right, {loss}: {one}"


def _confusion(
    classes: Sequence[str], truth: Sequence[str], predicted: Sequence[str]
) -> list[list[int]]:
    """Return the number of images of each class (rows) predicted for each (columns)."""
    pairs = list(zip(truth, predicted, strict=True))
    return [[pairs.count((own, other)) for other in classes] for own in classes]


def _lines(classes: Sequence[str], table: Sequence[Sequence[int]]) -> list[str]:
    """Return the lines of a confusion."""
    rows = [["", *classes]]
    rows += [[own, *map(str, counts)] for own, counts in zip(classes, table, strict=True)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])] for row in rows)
    return ["  ".join(cells).rstrip() for cells in padded]


def _write_table(
    path: Path, found: "ImageSet", classes: Sequence[str], best: Sequence[str], posteriors: Any
) -> None:
    """Write a line for each image: its path, class if known, the most probable, posteriors."""
    from latviz.files.writing import write_table  # not above: it loads NumPy

    labels = found.labels or [""] * len(best)
    rows = [
        [str(image.path), label, name, *own]
        for image, label, name, own in zip(
            found.images, labels, best, posteriors.tolist(), strict=True
        )
    ]
    write_table(path, ["image", "class", "predicted", *(f"P({name})" for name in classes)], rows)
