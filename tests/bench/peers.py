"""``python -m tests.bench peers``: the model and other methods on fields of known states.

Six families of different fields, of four states in several sizes and of eight, seen through a
channel that changes 45 % of the symbols. Each method runs on each field in a process of its own.
Measured are accuracy, adjusted Rand index and F-score of the boundaries, by the truth; the energy
of the problem of the true emissions; time and memory. ``--write`` puts the tables into the figures
of the page of benchmarks.
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
from latviz.core.inference.emission import SymbolDensities
from latviz.core.truth.agreement import adjusted_rand, boundary_f_score
from latviz.core.types import States
from latviz.peers.catalogue import PEERS, Peer
from latviz.peers.problem import Problem, believed, problem_of, suited_strength
from tests.bench import fields
from tests.bench.choose import stripes
from tests.bench.page import FIGURES
from tests.bench.probe import reset, resident

SIDES = {4: (128, 256, 512, 1024), 8: (256,)}
"""Sides of the fields, by number of states."""
SHOWN = {4: 512, 8: 256}
"""The side of the fields whose accuracies are shown, by the number of states."""
N_STATES = 4
"""Of the fields that the table of methods is about."""
WINDOW, SEED = 3, 31
FAMILIES: dict[str, Callable[[int, int, int], States]] = {**fields.FAMILIES, "stripes": stripes}  # type: ignore[dict-item]
Task = Callable[[], Sequence[States]]
BEST = "expansion-best"
"""Alpha-expansion whose strength the truth picks; of the sides `SHOWN` alone, as it takes long."""
_AGAIN_S = 2.0
"""Shorter runs are timed three times, after one that is not counted and loads the kernels."""


@dataclass(frozen=True, eq=False)
class Case:
    """A field and its observations."""

    truth: States
    observed: NDArray[Any]
    B: NDArray[np.float64]
    strength: float
    problem: Problem


@dataclass(frozen=True)
class Row:
    """The result of a method on a field."""

    family: str
    n_states: int
    side: int
    method: str
    accuracy: float
    rand: float
    boundary: float
    energy: float  # in nats per node
    seconds: float
    memory: float  # the greatest memory beyond its input, in bytes per node


def a_case(family: str, n_states: int, side: int, seed: int) -> Case:
    """Return a field of a family, with the problem that it sets."""
    truth = FAMILIES[family](n_states, seed, side)
    B = np.array(fields.symbol_model(n_states).B)
    observed = emit(truth, B, seed=seed + 1)
    data, emission = as_data_set(observed, "discrete", n_states), SymbolDensities(B)
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
    n = len(case.B)
    return DiscreteModel.fit(case.observed, n_states=n, window=WINDOW, n_symbols=n)


def _belief(case: Case) -> Task:
    data = as_data_set(case.observed, "discrete", len(case.B))
    return lambda: believed(SymbolDensities(case.B), data, case.strength).labels


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
    """A line of the table: its title, the information given to it, and its task."""

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


def measured(family: str, name: str, case: Case) -> Row:
    """Return the result of a method on a field, in a process of its own."""
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
        len(case.B),
        len(labels),
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
    """Run a method once on a small case, to load its packages."""
    METHODS[name].task(a_case("blobs", N_STATES, 64, SEED))()


def _timed(task: Task) -> tuple[Sequence[States], float]:
    start = time.perf_counter()
    found = task()
    return found, time.perf_counter() - start


def rows(
    sizes: Sequence[tuple[int, int]], families: Sequence[str], methods: Sequence[str], seed: int
) -> Iterator[Row]:
    """Yield the result of each method on each field; methods that are not installed are left out.

    ``sizes`` are numbers of states and sides.
    """
    left_out = {name for name in methods if name in PEERS and PEERS[name].missing}
    left_out |= {BEST} if "expansion" in left_out else set()
    for n_states, side in sizes:
        for family in families:
            case = a_case(family, n_states, side, seed)
            for name in methods:
                if name not in left_out and (name != BEST or side == SHOWN.get(n_states)):
                    yield measured(family, name, case)


def tables(found: Sequence[Row], command: str) -> dict[str, Any]:
    """Return the two tables of the page: of methods, and of families."""
    methods = [name for name in METHODS if any(row.method == name for row in found)]
    return {
        "peers": {"command": command, **_of_methods(found, methods)},
        "peers-families": {"command": command, **_of_families(found, methods)},
    }


def _of_methods(found: Sequence[Row], methods: Sequence[str]) -> dict[str, Any]:
    """Return the table of fields of `N_STATES`: means over the families."""
    some = [row for row in found if row.n_states == N_STATES]
    sides = sorted({row.side for row in some})

    def line(method: str) -> list[Any]:
        own = [row for row in some if row.method == method]
        shown = [row for row in own if row.side == SHOWN[N_STATES]]
        by_side = ([row.seconds for row in own if row.side == side] for side in sides)
        return [
            METHODS[method].title,
            METHODS[method].told,
            *(
                _share([getattr(row, field) for row in shown])
                for field in ("accuracy", "rand", "boundary", "energy")
            ),
            {"unit": "s", "each": [float(f"{np.mean(each):.2g}") for each in by_side if each]},
            {"value": round(float(np.mean([row.memory for row in shown])))},
        ]

    heads = ["method", "is given", "accuracy", "adj. Rand", "boundary F", "energy per pixel"]
    of_sides = "; ".join(f"{side}²" for side in sides)
    return {
        "columns": [*heads, f"time, {of_sides}", "bytes per pixel"],
        "rows": [line(method) for method in methods],
    }


def _of_families(found: Sequence[Row], methods: Sequence[str]) -> dict[str, Any]:
    """Return the table of accuracies, a line for each family and number of states."""
    shown = [row for row in found if row.side == SHOWN[row.n_states]]
    kinds = dict.fromkeys((row.n_states, row.family) for row in shown)

    def line(n_states: int, family: str) -> list[Any]:
        own = {row.method: row for row in shown if (row.n_states, row.family) == (n_states, family)}
        cells = (_share([own[name].accuracy]) if name in own else None for name in methods)
        return [f"{family}, {n_states} states", *cells]

    return {
        "columns": ["accuracy", *(METHODS[method].title for method in methods)],
        "rows": [line(*kind) for kind in kinds],
    }


def _share(values: Sequence[float]) -> dict[str, Any]:
    return {"digits": 3, "value": round(float(np.mean(values)), 3)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for each field and method, and the means."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench peers", description=__doc__)
    parser.add_argument("--states", type=int, nargs="+", default=list(SIDES))
    parser.add_argument("--sides", type=int, nargs="+", help="instead of the usual ones")
    parser.add_argument("--families", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=list(METHODS))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", type=Path, help="write a line for each field and method here")
    parser.add_argument(
        "--write", action="store_true", help="put the tables into the page's figures"
    )
    chosen = parser.parse_args(arguments)
    sizes = [
        (n_states, side)
        for n_states in chosen.states
        for side in chosen.sides or SIDES.get(n_states, SIDES[N_STATES])
    ]
    found = []
    heads = ("accuracy", "adj. Rand", "boundary", "energy", "seconds", "bytes")
    print(
        f"{'family':22}{'N':>3}{'side':>5} {'method':14}" + "".join(f"{head:>10}" for head in heads)
    )
    for row in rows(sizes, chosen.families, chosen.methods, chosen.seed):
        found.append(row)
        figures = (row.accuracy, row.rand, row.boundary, row.energy, row.seconds, row.memory)
        cells = "".join(f"{figure:10.3f}" for figure in figures)
        name = f"{row.family:22}{row.n_states:3}{row.side:5} {row.method:14}"
        print(f"{name}{cells}", flush=True)
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
