"""All public functions of the core that take long: how far they are, stopping, and threads."""

import inspect
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest

import latviz.core
from latviz.core import (
    DiscreteModel,
    FactorialModel,
    GaussianModel,
    belief_entropy,
    bias_variance,
    bias_variance_by_copies,
    choose,
    contrast_regions,
    fast_pnn,
    local_residual_correlation,
    noise_indices,
    refine,
    refine_scales,
    regions,
    residual_correlation,
    sweep,
)
from tests.core import cases

SYMBOLS, VECTORS = cases.blocky((60, 47), 3, 570), cases.vectors((60, 47), 2, 571)
STATES, IMAGE = cases.blocky((60, 47), 3, 572), np.uint8(80 * cases.blocky((40, 37), 3, 573))
SETTINGS: dict[str, Any] = {"n_states": 3, "window": 2}
MODELS = (
    DiscreteModel.fit(SYMBOLS, n_symbols=3, **SETTINGS),
    GaussianModel.fit(VECTORS, **SETTINGS),
)
CHAINS = FactorialModel.fit(SYMBOLS, n_states=(2, 2), n_symbols=3)
found, basins = partial(regions, SYMBOLS, states=STATES), partial(contrast_regions, IMAGE)
BIAS: dict[str, Any] = {"emission": cases.channel(3, 0.4), "windows": [1, 2], "replicates": 4}
TWO: dict[str, Any] = {"n_states": [2, 3], "windows": [1, 2]}


def of_model(model: DiscreteModel | GaussianModel, seen: Any) -> Iterator[tuple[str, Any]]:
    """Yield the methods of a model and their calls."""
    name = type(model).__name__
    yield f"{name}.fit", partial(type(model).fit, seen, **SETTINGS)
    yield (
        f"{name}.decode_coarse_to_fine",
        lambda **how: list(model.decode_coarse_to_fine(seen, **how)),
    )
    for method in ("decode", "beliefs", "strength"):
        yield f"{name}.{method}", partial(getattr(model, method), seen)


CALLS: dict[str, Callable[..., Any]] = {
    **dict(of_model(MODELS[0], SYMBOLS)),
    **dict(of_model(MODELS[1], VECTORS)),
    "FactorialModel.fit": partial(FactorialModel.fit, SYMBOLS, n_states=(2, 2), n_symbols=3),
    "FactorialModel.decode": partial(CHAINS.decode, SYMBOLS),
    "FactorialModel.beliefs": partial(CHAINS.beliefs, SYMBOLS),
    "Regions.by_contrast": lambda **how: basins(least_contrast=0.0).by_contrast(**how),
    "Regions.by_evidence": lambda **how: found().by_evidence(**how),
    "Regions.by_size": lambda **how: found().by_size(**how),
    "Regions.merged": lambda **how: found().merged(9, least_evidence=2.0, **how),
    "belief_entropy": partial(belief_entropy, SYMBOLS, model=MODELS[0]),
    "bias_variance": partial(bias_variance, STATES, **BIAS),
    "bias_variance_by_copies": lambda **how: list(bias_variance_by_copies(STATES, **BIAS, **how)),
    "choose": partial(choose, SYMBOLS, **TWO),
    "contrast_regions": basins,
    "fast_pnn": partial(fast_pnn, cases.vectors((5000,), 2, 86)),
    "local_residual_correlation": partial(local_residual_correlation, SYMBOLS, states=STATES),
    "noise_indices": partial(noise_indices, SYMBOLS, **SETTINGS),
    "refine": partial(refine, SYMBOLS, model=MODELS[0]),
    "refine_scales": partial(refine_scales, SYMBOLS, model=MODELS[0]),
    "regions": found,
    "residual_correlation": partial(residual_correlation, SYMBOLS, states=STATES),
    "sweep": lambda **how: list(sweep(SYMBOLS, **TWO, **how)),
}
"""By name: a call of a function with everything but its progress."""


def offered() -> Iterator[str]:
    """Yield the names of all public functions of the house that take a progress."""

    def is_function(one: object) -> bool:
        return inspect.isfunction(one) or inspect.ismethod(one)

    for name in latviz.core.__all__:
        one = getattr(latviz.core, name)
        parts = inspect.getmembers(one, is_function) if inspect.isclass(one) else [("", one)]
        for part, function in parts:
            is_own = is_function(function) and "wings" not in function.__module__
            is_own = is_own and not part.startswith("_")
            if is_own and "progress" in inspect.signature(function).parameters:
                yield f"{name}.{part}" if part else name


def test_every_function_is_watched() -> None:
    assert {*offered()} == CALLS.keys()


@pytest.mark.parametrize("name", CALLS)
def test_reports_rise_and_it_ends_when_it_is_cancelled(name: str) -> None:
    def call(watch: cases.Watch) -> object:
        return CALLS[name](progress=watch)

    watch = cases.assert_reports(call, least=0, whole=False)
    assert watch.looks
    cases.assert_cancels(call, 0, watch.looks // 3, watch.looks - 1)


@pytest.mark.parametrize("name", CALLS)
def test_threads_make_no_difference(name: str) -> None:
    cases.assert_same_with_threads(lambda: contents(CALLS[name]()), (1, 3))


def contents(found: Any) -> Any:
    """Return a result as arrays and numbers."""
    if isinstance(found, tuple | list):
        return [contents(one) for one in found]
    return contents(tuple(vars(found).values())) if hasattr(found, "__dict__") else found
