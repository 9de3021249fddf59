"""A frame's exports: arrays and a summary."""

import platform
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

import latviz
from latviz.core import model as core_model
from latviz.core.axes import n_planes
from latviz.core.model import archive
from latviz.engine.frames.frame import EXPORTED, CodeLengths, Frame
from latviz.engine.indices import INDICES, Index
from latviz.engine.keeping.plain import to_plain
from latviz.engine.pictures.data_sets import of_picture
from latviz.engine.pictures.leaving import LEFT_OUT
from latviz.engine.pictures.picture import Picture
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import in_force
from latviz.engine.settings.scribbles import Scribbled

AXES = ("slices", "height", "width")


def arrays(frame: Frame, *, large: bool = False) -> dict[str, NDArray[Any]]:
    """Return the arrays of a frame by name: its model, its states, and optionally large ones."""
    # states (*shape) uint8; the model's arrays: A (N, N), B (N, M), or means (N, M) and covariances
    # (N, M, M), ... float64; those of the model that gave the states, where they differ, as
    # "decoding.A"; A_counts (N, N) int64, the pairs A'; occupancy (N,) int64; state_colors (N, 3)
    # uint8. Large are observations, (*shape) uint8 or (*shape, M) float32, and node_log_likelihood
    # (*shape) float32, nats
    evaluation, picture = _needed(frame), frame.request.picture
    own = archive.numbers_and_arrays(frame.model)[1]
    decoding = archive.numbers_and_arrays(frame.decoding_model)[1]
    others = {name: one for name, one in decoding.items() if not np.array_equal(one, own[name])}
    found = {
        "states": frame.states,
        **own,
        **{archive.DECODING + name: one for name, one in others.items()},
        "A_counts": frame.pairs,
        "occupancy": frame.occupancy,
        "state_colors": frame.colors,
    }
    if not large:
        return found
    nodes = of_picture(evaluation.node_log_likelihood, picture)
    return {**found, "observations": frame.observations.values, "node_log_likelihood": nodes}


def header(frame: Frame) -> dict[str, Any]:
    """Return the text part of the file of the arrays: that of a model, as `load_model` reads it."""
    row, parameters = frame.request.parameters.decoding, frame.request.parameters
    strength = None if frame.believed is None else frame.believed.strength
    used = row.used(window=parameters.window, passes=parameters.passes, strength=strength)
    decode = {"decoder": row.plain, **{k: one for k, one in used.items() if one is not None}}
    extra = {
        **look(frame.slots, frame.request.looks),
        "state_names": list(frame.names),
        "parameters": _parameters(frame),
        **({"by": frame.by} if frame.by else {"decode": decode}),
    }
    encoder = frame.observations.encoder
    return archive.model_header(frame.decoding_model, encoder, extra)


def look(slots: Sequence[int], looks: Looks) -> dict[str, Any]:
    """Return the colours and names of states as the file of a model holds them."""
    return {"slots": list(slots), "looks": to_plain(looks, {}, "looks")}


def region_arrays(frame: Frame) -> dict[str, NDArray[Any]]:
    """Return all arrays of the regions of a frame by name; it has regions."""
    # regions (*shape) int32, from 0; areas, perimeters (R,) int64; region_states (R,) uint8; means
    # (R, M) float64; pairs (E, 2) int64 of neighbours; borders (E,) int64; evidence (E,) float64,
    # bits; contrasts (E,) float64 of regions by contrast; merges (K, 2) int64 and heights (K,)
    # float64, of the hierarchy above these regions by their measure: the regions 0 to R - 1, or R +
    # k for the result of merge k
    found = frame.regions
    assert found is not None
    has_contrasts = found.measure == "contrast"
    order = found.by_contrast() if has_contrasts else found.by_evidence()
    return {
        "regions": found.labels,
        "areas": found.areas,
        "perimeters": found.perimeters,
        "region_states": found.states,
        "means": found.means,
        "pairs": found.pairs,
        "borders": found.borders,
        "evidence": found.evidence,
        **({"contrasts": found.contrasts} if has_contrasts else {}),
        "merges": order.merges,
        "heights": order.heights,
    }


def summary(frame: Frame, advice: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the parameters, indices, log-likelihood, versions and advice of a frame."""
    picture, evaluation = frame.request.picture, _needed(frame)
    compared = [row for row in INDICES.values() if row.noise is not None]
    return {
        "image": _image(picture),
        "learned_from": _learned_from(frame),
        "parameters": _parameters(frame),
        "observations": {
            "discrete": frame.observations.discrete,
            "n_symbols": frame.observations.n_symbols,
            "names": list(frame.observations.names),
            "notes": list(frame.observations.notes),
        },
        "indices": {
            **_values(frame, compared),
            **_noise(frame, compared),
            **_values(frame, [row for row in INDICES.values() if row.noise is None]),
        },
        "log_likelihood": _log_likelihood(evaluation),
        "code_length": _code_length(frame.code_lengths),
        **({} if frame.believed is None else {"strength": frame.believed.strength}),
        "codebook": {"signatures": frame.n_learned, "pixels": frame.n_signatures},
        "occupancy": frame.occupancy.tolist(),
        **({"state_names": list(frame.names)} if any(frame.names) else {}),
        **({} if frame.scribbled is None else {"scribbles": _scribbles(frame.scribbled)}),
        **({} if advice is None else {"advice": advice}),
        "versions": {
            "latviz": latviz.__version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
    }


def _parameters(frame: Frame) -> dict[str, Any]:
    parameters = frame.request.parameters
    return {
        **asdict(in_force(parameters, frame.request.picture.dimensions)),
        "learning_window": parameters.effective_learning_window,
        "spacing": frame.request.spacing,
    }


def _scribbles(found: Scribbled) -> dict[str, dict[str, int]]:
    """Return the number of stroked pixels of each name, and of those in states of its name."""
    rows = zip(found.names, found.n_pixels, found.n_right, strict=True)
    return {name: {"pixels": pixels, "right": right} for name, pixels, right in rows}


def _learned_from(frame: Frame) -> dict[str, Any]:
    given = frame.request.given
    if given is not None:
        return {"model": given.name, "sha256": given.fingerprint}
    return {"pictures": len(frame.observed), "nodes": frame.n_signatures}


def _image(picture: Picture) -> dict[str, Any]:
    origin = {name: part for name, part in picture.origin.items() if name != LEFT_OUT}
    return {
        "name": picture.name,
        **dict(zip(AXES[-picture.dimensions :], picture.shape, strict=True)),
        **({"spacing": picture.spacing, "spacing_unit": picture.unit} if picture.unit else {}),
        "known": picture.n_known,
        "unknown": picture.n_nodes - picture.n_known,
        "notes": list(picture.notes),
        "pages": n_planes(picture.axes),
        **({"channels": list(picture.channels)} if picture.channels else {}),
        **origin,
    }


def _values(frame: Frame, rows: Sequence[Index]) -> dict[str, Any]:
    """Return indices with their thresholds and their levels by chance."""
    found, n_states = dict[str, Any](), frame.request.parameters.n_states
    for row in rows:
        found |= {row.name: row.of(frame), f"{row.name}_threshold": row.needed}
        if row.key:
            found[row.key] = row.measured(frame)
        if row.chance is not None:
            found[f"{row.name}_chance"] = row.chance(n_states)
    return found


def _noise(frame: Frame, rows: Sequence[Index]) -> dict[str, Any]:
    """Return the indices of each of the random orders."""
    noise = frame.noise
    assert noise is not None
    found = {f"{row.name}_noise": row.noise(noise).tolist() for row in rows if row.noise}
    gain = {} if np.isnan(noise.gain).any() else {"gain_of_noise": noise.gain.tolist()}
    return found | gain


def _code_length(found: CodeLengths | None) -> dict[str, Any]:
    assert found is not None
    return {
        "bits_per_pixel": found.states.bits,
        "standard_error": found.states.standard_error,
        "bits_per_pixel_of_one_state": found.one.bits,
    }


def _log_likelihood(evaluation: "core_model.evaluation.DataSetEvaluation") -> dict[str, Any]:
    return {
        "normalised": False,
        "nats": evaluation.log_likelihood,
        "bits_per_pixel": evaluation.bits_per_node,
        "data_term_nats": evaluation.data_term,
        "pair_term_nats": evaluation.pair_term,
        "impossible_pixels": evaluation.n_impossible,
    }


def _needed(frame: Frame) -> "core_model.evaluation.DataSetEvaluation":
    """Return a frame's evaluation; raise `ValueError` if it lacks results to export."""
    if not frame.results.keys() >= EXPORTED or frame.evaluation is None:
        raise ValueError(f"the exported frame lacks {EXPORTED - frame.results.keys()}")
    return frame.evaluation
