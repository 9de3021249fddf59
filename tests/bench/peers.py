"""``python -m tests.bench peers``: the model and other methods on fields of known states.

Six families that differ in kind, each of several sizes, seen through a channel in which 45 % of the
symbols are another one. Each method runs on each field in a process of its own: accuracy, adjusted
Rand index and F-score of the boundaries, by the truth; the energy of the problem of the true
emissions; time and memory. ``--write`` puts the tables into the figures of the page of benchmarks.
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from latviz.core import DiscreteModel, contingency, emit, matched_accuracy, refine
from latviz.core.data.data_set import as_data_set
from latviz.core.inference.emission import SymbolEmission
from latviz.core.truth.agreement import adjusted_rand, boundary_f_score
from latviz.core.types import States
from latviz.peers.catalogue import PEERS, Peer
from latviz.peers.problem import Problem, believed, problem_of, suited_strength
from tests.bench import fields
from tests.bench.numbers import stripes
from tests.bench.page import FIGURES
from tests.bench.probe import reset, resident

SIDES = (128, 256, 512, 1024)
SHOWN = 512
"""The side of the fields that the table of methods is about."""
N_STATES, WINDOW, SEED = 4, 3, 31
FAMILIES: dict[str, Callable[[int, int, int], States]] = {**fields.FAMILIES, "stripes": stripes}  # type: ignore[dict-item]
Task = Callable[[], Sequence[States]]
BEST = "expansion-best"
"""Alpha-expansion whose strength the truth picks; of one size of fields, as it takes long."""
_AGAIN_S = 2.0
"""What takes less is timed three times, once more than counts: kernels are loaded then."""


@dataclass(frozen=True, eq=False)
class Case:
    """A field, and what is seen of it."""

    truth: States
    observed: NDArray[Any]
    B: NDArray[np.float64]
    strength: float
    problem: Problem


@dataclass(frozen=True)
class Row:
    """What a method made of a field.

    Attributes
    ----------
    energy : float
        In nats a node.
    memory : float
        The most that it had beyond what it was given, in bytes a node.
    """

    family: str
    side: int
    method: str
    accuracy: float
    rand: float
    boundary: float
    energy: float
    seconds: float
    memory: float


def a_case(family: str, side: int, seed: int) -> Case:
    """Return a field of a family, with the problem that it sets."""
    truth = FAMILIES[family](N_STATES, seed, side)
    B = np.array(fields.symbol_model(N_STATES).B)
    observed = emit(truth, B, seed=seed + 1)
    data, emission = as_data_set(observed, "discrete", N_STATES), SymbolEmission(B)
    strength = suited_strength(emission, data)
    problem = problem_of(data, emission, strength, WINDOW)
    return Case(truth, observed, B, strength, problem)


def _windows(case: Case) -> Task:
    return lambda: [_model(case).decode(case.observed)]


def _refined(case: Case) -> Task:
    def task() -> Sequence[States]:
        states = refine(case.observed, _model(case)).states
        return states if isinstance(states, list) else [states]

    return task


def _model(case: Case) -> DiscreteModel:
    return DiscreteModel.fit(case.observed, n_states=N_STATES, window=WINDOW, n_symbols=N_STATES)


def _belief(case: Case) -> Task:
    data = as_data_set(case.observed, "discrete", N_STATES)
    return lambda: believed(SymbolEmission(case.B), data, case.strength).labels


def _best_expansion(case: Case) -> Task:
    """Return the task of alpha-expansion with the strength by which most nodes are right."""

    def right(found: Sequence[States]) -> float:
        return matched_accuracy(contingency(found[0], case.truth))

    def task() -> Sequence[States]:
        problems = (replace(case.problem, strength=strength) for strength in fields.STRENGTHS)
        return max((PEERS["expansion"].label(one, None) for one in problems), key=right)

    return task


def _peer(peer: Peer, case: Case) -> Task:
    return lambda: peer.label(case.problem, None)


@dataclass(frozen=True)
class Method:
    """A line of the table: its title, what it is told, and what makes its task."""

    title: str
    told: str
    task: Callable[[Case], Task]


METHODS: dict[str, Method] = {
    "windows": Method("windows, *w* = 3", "*N*", _windows),
    "refined": Method("`refine`", "*N*", _refined),
    "belief": Method("belief", "emissions", _belief),
    **{
        peer.name: Method(
            peer.title, "*N*, *w*" if peer.sees_signatures else "emissions", partial(_peer, peer)
        )
        for peer in PEERS.values()
    },
    BEST: Method("Alpha-expansion, best strength", "emissions, truth", _best_expansion),
}


def measured(family: str, side: int, name: str, case: Case) -> Row:
    """Return what a method makes of a field, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    ours.send((name, case))
    found, seconds, memory = ours.recv()
    process.join()
    (labels,) = case.problem.named(found)
    table, n = contingency(labels, case.truth), labels.size
    return Row(
        family,
        side,
        name,
        matched_accuracy(table),
        adjusted_rand(table),
        boundary_f_score(labels, case.truth),
        case.problem.energy([labels]) / n,
        seconds,
        memory / n,
    )


def _work(connection: Connection) -> None:
    """Run a method, in this process, and send its labels, its time and its memory."""
    name, case = connection.recv()
    task = METHODS[name].task(case)
    _small(name)
    before = reset()
    found, seconds = _timed(task)
    memory = resident("VmHWM") - before
    if seconds < _AGAIN_S:
        seconds = min(_timed(task)[1] for _ in range(3))
    connection.send((found, seconds, memory))


def _small(name: str) -> None:
    """Let a method load all that it needs."""
    METHODS[name].task(a_case("blobs", 64, SEED))()


def _timed(task: Task) -> tuple[Sequence[States], float]:
    start = time.perf_counter()
    found = task()
    return found, time.perf_counter() - start


def rows(
    sides: Sequence[int], families: Sequence[str], methods: Sequence[str], seed: int
) -> Iterator[Row]:
    """Yield what each method makes of each field; methods that are not installed are left out."""
    left_out = {name for name in methods if name in PEERS and PEERS[name].missing}
    left_out |= {BEST} if "expansion" in left_out else set()
    for side in sides:
        for family in families:
            case = a_case(family, side, seed)
            for name in methods:
                if name not in left_out and (name != BEST or side == SHOWN):
                    yield measured(family, side, name, case)


def tables(found: Sequence[Row], command: str) -> dict[str, Any]:
    """Return the two tables of the page: of methods, and of families."""
    sides = sorted({row.side for row in found})
    shown = SHOWN if SHOWN in sides else sides[-1]
    methods = [name for name in METHODS if any(row.method == name for row in found)]

    def mean(field: str, method: str, **wanted: Any) -> float:
        own = [row for row in found if row.method == method]
        some = [r for r in own if all(getattr(r, k) == value for k, value in wanted.items())]
        return float(np.mean([getattr(row, field) for row in some]))

    def share(field: str, method: str, **wanted: Any) -> dict[str, Any]:
        return {"digits": 3, "value": round(mean(field, method, **wanted), 3)}

    def line(method: str) -> list[Any]:
        seconds = [
            _rounded(mean("seconds", method, side=side))
            for side in sides
            if method != BEST or side == shown
        ]
        return [
            METHODS[method].title,
            METHODS[method].told,
            *(share(field, method, side=shown) for field in ("accuracy", "rand", "boundary")),
            share("energy", method, side=shown),
            {"unit": "s", "each": seconds},
            {"value": round(mean("memory", method, side=shown))},
        ]

    of_sides = "; ".join(f"{side}²" for side in sides)
    heads = ["method", "is told", "accuracy", "adj. Rand", "boundary F", "energy a pixel"]
    families = list(dict.fromkeys(row.family for row in found))
    return {
        "peers": {
            "command": command,
            "columns": [*heads, f"time, {of_sides}", "bytes a pixel"],
            "rows": [line(method) for method in methods],
        },
        "peers-families": {
            "command": command,
            "columns": ["accuracy", *(METHODS[method].title for method in methods)],
            "rows": [
                [family, *(share("accuracy", m, side=shown, family=family) for m in methods)]
                for family in families
            ],
        },
    }


def _rounded(seconds: float) -> float:
    return float(f"{seconds:.2g}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each field and method, and the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench peers", description=__doc__)
    parser.add_argument("--sides", type=int, nargs="+", default=SIDES)
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", type=Path, help="write a line for each field and method here")
    parser.add_argument(
        "--write", action="store_true", help="put the tables into the page's figures"
    )
    chosen = parser.parse_args(arguments)
    found = []
    heads = ("accuracy", "adj. Rand", "boundary", "energy", "seconds", "bytes")
    print(f"{'family':22}{'side':>5} {'method':14}" + "".join(f"{head:>10}" for head in heads))
    for row in rows(chosen.sides, chosen.families, chosen.methods, chosen.seed):
        found.append(row)
        figures = (row.accuracy, row.rand, row.boundary, row.energy, row.seconds, row.memory)
        cells = "".join(f"{figure:10.3f}" for figure in figures)
        print(f"{row.family:22}{row.side:5} {row.method:14}{cells}", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps([asdict(row) for row in found], indent=1), "utf-8")
    if chosen.write:
        put_into_figures(tables(found, f"python -m tests.bench peers --seed {chosen.seed}"))


def put_into_figures(made: dict[str, Any]) -> None:
    """Write tables into the figures of the page, a row a line."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    figures["tables"].update(made)
    FIGURES.write_text(as_json(figures), encoding="utf-8")


def as_json(figures: dict[str, Any]) -> str:
    """Return figures as JSON in which a list of cells takes a line."""
    deep = json.dumps(figures, indent=2, ensure_ascii=False)
    lines = [figures["reference"]]
    for table in figures["tables"].values():
        lines += [table["columns"], *table["rows"], table.get("seeds", [])]
    for cells in lines:
        nested = json.dumps(cells, indent=2, ensure_ascii=False)
        for level in (2, 6, 8):
            indented = nested.replace("\n", "\n" + " " * level)
            deep = deep.replace(indented, json.dumps(cells, ensure_ascii=False))
    return deep + "\n"


if __name__ == "__main__":
    main()
