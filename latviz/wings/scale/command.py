"""``latviz scale``: decode a zarr image of any size into an OME-Zarr pyramid of states."""

import argparse
import json
from dataclasses import replace
from typing import Any

import numpy as np

from latviz.cli.notes import ProgressLine
from latviz.cli.options import begun, given_in
from latviz.cli.parser import ArgumentError, Parser, code_of
from latviz.core.data.lattice import n_directions
from latviz.core.disk import inputs
from latviz.core.disk.errors import FileError
from latviz.core.disk.writing import check_new, check_target
from latviz.core.errors import ParameterError
from latviz.core.facts import PictureFacts
from latviz.core.model.fitting import FitSettings
from latviz.core.model.indices import associativity
from latviz.core.model.learning import adjacency
from latviz.core.model.storage import load_encoder, load_model, save_model
from latviz.core.printable import note, say
from latviz.engine.indices import INDICES
from latviz.engine.settings.parameters import LOCKED, Parameters, check_range, opening
from latviz.files.pyramids import COLOURS, Pyramid, open_pyramid
from latviz.wings import scale
from latviz.wings.scale.decoding import AppliedModel, decode_file
from latviz.wings.scale.schedulers import computing
from latviz.wings.scale.settings import HowDecoded, settings_of

PROG = "latviz scale"


def run(options: argparse.Namespace, parser: Parser) -> int:
    """Run the command; return 0, 1 (a file or a worker failed) or 2 (bad arguments)."""
    if options.model:
        for row in given_in(Parameters, options):
            if row.field in LOCKED:
                parser.error(f"{row.flag} has no effect: the model of --model has its own")
    try:
        with inputs.kept():
            _run(options)
    except (FileError, ParameterError) as error:
        return code_of(error, PROG)
    return 0


def _run(options: argparse.Namespace) -> None:
    inputs.hold([options.image, *([options.model] if options.model else [])])
    check_new(options.output)
    if options.save_model:
        check_target(options.save_model)
    pyramid, given = open_pyramid(options.image), None
    if options.model:
        given = AppliedModel(load_model(options.model), load_encoder(options.model))
    settings = _settings(options, pyramid, given)
    note(f"{options.image}: {_sizes(pyramid)}; level {settings.level} is decoded")
    with ProgressLine("Decoding") as line:
        how = options.output, pyramid, settings, line
        found = decode_file(*how, address=options.scheduler, given=given)
    which = "was learned" if given is None else f"of {options.model.name} was applied"
    note(f"the model {which}: N = {found.model.n_states}, w = {settings.window}")
    if options.save_model:
        save_model(found.model, options.save_model, encoder=found.encoder)
    note(f"wrote {options.output}")
    with ProgressLine("Counting") as line, computing(line, options.scheduler):
        values = _indices(scale.open_level(open_pyramid(options.output)) - np.uint8(1), settings)
    if options.json:
        say(json.dumps(values))
    else:
        for name, value in values.items():
            say(f"{name} {value:.6f}")


def _settings(
    options: argparse.Namespace, pyramid: Pyramid, given: AppliedModel | None
) -> HowDecoded:
    """Return the settings from options; others are those that the program opens the image with."""
    level = _level(options, pyramid)
    is_colour = pyramid.n_channels in (1, COLOURS)
    facts = PictureFacts(
        pyramid.dimensions,
        is_grey=pyramid.n_channels == 1,
        least_side=min(pyramid.shape(level)),
        n_channels=0 if is_colour else pyramid.n_channels,
    )
    parameters = begun(opening(facts) if given is None else Parameters(), options)
    for row in given_in(Parameters, options):
        if reason := row.refused(parameters, pyramid.dimensions):
            raise ArgumentError(f"{row.flag} has no effect: {reason}")
    if options.page > pyramid.n_times:
        raise ArgumentError(f"--page: pages are from 1 to {pyramid.n_times}")
    try:
        check_range(parameters, facts)
        settings = replace(settings_of(pyramid, parameters, options.page - 1), level=level)
    except ParameterError as error:
        raise ArgumentError(str(error)) from error
    if given is None:
        return settings
    window = parameters.window if "window" in options else given.model.window
    encoding = None if given.encoder is None else given.encoder.encoding
    return replace(settings, encoding=encoding, fit=FitSettings(given.model.n_states, window))


def _level(options: argparse.Namespace, pyramid: Pyramid) -> int:
    """Return the level that options choose, by its number or by its width."""
    if options.level is not None:
        if options.level < len(pyramid.levels):
            return int(options.level)
        raise ArgumentError(f"--level: levels are from 0 to {len(pyramid.levels) - 1}")
    width = pyramid.shape(0)[-1]
    widths = [round(width / pyramid.shape(k)[-1]) for k in range(len(pyramid.levels))]
    if options.reduce not in widths:
        known = ", ".join(map(str, widths))
        raise ArgumentError(f"--reduce: the image has levels of 1/K for K = {known} alone")
    return widths.index(options.reduce)


def _indices(states: Any, settings: HowDecoded) -> dict[str, float]:
    """Return indices of states that were written."""
    n_states = settings.fit.n_states
    values = {
        "associativity": associativity(
            adjacency(*scale.count(states, n_states=n_states), n_directions([states.shape]))
        ),
        "inertia": scale.inertia(states, n_states=n_states, window=settings.window),
    }
    return {INDICES[name].in_files: value for name, value in values.items()}


def _sizes(pyramid: Pyramid) -> str:
    return ", ".join(" × ".join(map(str, pyramid.shape(k))) for k in range(len(pyramid.levels)))
