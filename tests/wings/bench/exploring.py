"""The kernels that the bench runs, see `tests.engine.startup.exploring`."""

from itertools import product
from typing import Any, get_args

from latviz.wings.bench import copies, kernels
from latviz.wings.bench import experiment as lab
from latviz.wings.bench.sweeps import SweptField
from tests.core.cases import Recorder
from tests.engine.startup.exploring import no_other_kernels


def explore() -> None:
    """Decode copies of each field and noise, and sweep each preset."""
    lab.WINDOWS = (0, 3, 20)
    ways = list(product(get_args(lab.NoiseKind), get_args(lab.Codebook)))
    made = [field for field in get_args(lab.Field) if field != "drawn"]
    with no_other_kernels(kernels.warm):
        for number, field in enumerate(made):
            for kind, codebook in ways if number == 0 else ways[number % 4 :][:1]:
                sizes: Any = {"n_states": 3, "region": 8, "side": 64, "replicates": 2}
                asked = lab.Experiment(field=field, noise_kind=kind, codebook=codebook, **sizes)
                assert list(copies.run(asked, Recorder()))[-1].complete
        for preset in lab.PRESETS.values():
            SweptField(preset.experiment(side=64)).sweep()
