"""The robot follows the adviser to its end, reads all texts on the way, and judges them."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import NDArray

from latviz.app.document.adviser import Adviser
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.views.guide.view import GuideView
from latviz.app.views.registry import Views
from latviz.app.views.spec import needs_of
from latviz.core import matched_accuracy
from latviz.engine.advice.acts import PIXEL_ERROR
from latviz.engine.advice.advice import Offer
from latviz.engine.advice.trying import Trying
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import WINDOWS, What
from latviz.engine.flow.pipeline import Pipeline
from latviz.engine.frames.frame import Frame, Request
from latviz.engine.frames.listener import Watch
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.indices import gauges, value_text
from latviz.engine.settings.parameters import Parameters
from tests.bench.soak.advised import makers
from tests.bench.soak.judging import Moment, Text, as_promised, contradictions, finished
from tests.bench.soak.reading import panes_of, plain, texts_of
from tests.bench.soak.robot import Robot

MOST_PRESSES = 4
CHOSEN: tuple[What | None, ...] = (None, None, "w", "N")
"""What the program chooses before its advice is read."""
NEVER = Watch(lambda: False)


def open_one(robot: Robot) -> None:
    """Open a picture to advise on, chosen by chance, in front of all else."""
    robot.close_others()
    robot.settle()  # else files that were dropped may come after the picture, in another tab
    robot.main.tabs.enter("explore")
    robot.main.tabs.restore_default()
    every = makers(robot.out, np.random.default_rng(robot.rng.randrange(1 << 30)))
    robot.main.document.open(*every[robot.rng.choice(list(every))]())
    if (what := robot.rng.choice(CHOSEN)) is not None:
        robot.settle()
        robot.hand.do(f"choose {what}", lambda: robot.main.parts[IdleJobs].choose(what))


def follow(robot: Robot) -> None:
    """Take every offer until there is none; note what contradicts itself, or is not kept."""
    adviser, guide = robot.main.parts[Adviser], robot.main.views["guide"]
    assert isinstance(guide, GuideView)
    seen: list[Parameters] = []
    taken: Offer | None = None
    while True:
        robot.settle()
        if not robot.wait_until(lambda: is_final(robot)):
            robot.watch.note("stuck", f"no advice: {adviser.advice}")
            return
        frame, advice = robot.main.document.frame, adviser.advice
        assert frame is not None
        now = moment(robot)
        found = contradictions(now)
        if taken is not None:
            found += [*broken(taken, frame), *as_promised(plain(taken.text), now.texts)]
        offer = advice.offer
        endless = offer is not None and (len(seen) == MOST_PRESSES or offer.after in seen)
        if offer is not None and endless:
            found.append(f"endless: {offer.text}")
        for line in found:
            robot.watch.note("failure", f"{frame.request.picture.name}: {line}")
        robot.journal.append(f"  {advice.finding}: {advice.says} {offer and offer.text}")
        if offer is None or endless:
            if not endless:
                read_others(robot)
            return
        seen.append(frame.request.parameters)
        taken = offer
        robot.hand.click(guide.offer)
        robot.events["offers taken"] += 1


def read_others(robot: Robot) -> None:
    """Read all texts of the other tabs that show one picture."""
    for use in ("tradeoff", "inspect", "explore"):
        robot.main.tabs.enter(use)
        robot.settle()
        # The trade-off may be computed long after the advice
        if not robot.wait_until(lambda: is_final(robot) and not [*finished(moment(robot))]):
            robot.watch.note("stuck", f"{use} has no advice, or no result")
        for line in contradictions(moment(robot)):
            robot.watch.note("failure", f"{robot.main.windowTitle()}, {use}: {line}")


def is_final(robot: Robot) -> bool:
    """Return True once the advice is final, and all views show and describe all that they need."""
    main, advice = robot.main, robot.main.parts[Adviser].advice
    state, frame = main.document.state, main.document.frame
    needs = needs_of((main.specs[name] for name in state.views), state)
    whole = frame is not None and frame.whole and needs <= frame.results.keys()
    told = main.parts[Views].rounds.is_over and not any(
        view.settled.isActive() for view in main.views.values()
    )
    told = told and not main.parts[IdleJobs].is_choosing
    return whole and told and advice is not None and advice.wanted is None


def broken(offer: Offer, frame: Frame) -> list[str]:
    """Return that an offer's number is worse, or another one, on the frame that it led to."""
    promise = offer.promise
    if promise.measure == PIXEL_ERROR:
        trying = Trying(Sweeping())  # which knows nothing of the promise
        error = trying._tried(trying.known(frame), frame.request.parameters, NEVER).error.mean
        if not (error < promise.before and np.isclose(error, promise.after)):
            return [f"{offer.text}, from {promise.before} to {promise.after}, and it is {error}"]
    if promise.measure == "states" and len(frame.occupancy) >= promise.before:
        return [f"{offer.text}, and there are {len(frame.occupancy)} states"]
    return []


def moment(robot: Robot) -> Moment:
    """Return what the window shows now."""
    frame = robot.main.document.frame
    panes = panes_of(robot.main)
    texts = [*texts_of(robot.main), *(Text(p.title, t) for p in panes for t in p.texts)]
    robot.events["texts read"] += len(texts)
    now = frame.request.parameters
    return Moment(
        texts,
        {"w": now.window, "N": now.n_states},
        panes,
        {
            g.index.title: (value_text(g.value, g.index.needed), g.enough is True)
            for g in gauges(frame)
        },
        accuracies(frame),
        accuracy(frame),
        regions(frame),
        surviving(frame),
    )


def accuracies(frame: Frame) -> Mapping[int, float]:
    """Return the accuracy of each w by the nearest codeword with this N; empty without a truth."""
    request, pipeline = frame.request, Pipeline()
    if request.picture.truth is None:
        return {}
    by_windows = replace(request.parameters, decoder="nearest")
    every = {w: replace(by_windows, window=w) for w in {*WINDOWS, by_windows.window}}
    asked = {w: Request(request.picture, one, complete=True) for w, one in every.items()}
    return {w: accuracy(pipeline.run(one)) or 0.0 for w, one in asked.items()}


def accuracy(frame: Frame) -> float | None:
    """Return the accuracy of a map; None if no truth is known."""
    truth = frame.request.picture.truth
    return None if truth is None else matched_accuracy(frame.states, truth)


def regions(frame: Frame) -> tuple[int, int]:
    """Return how many regions of the map have more than 0.2 % of its nodes, and how many are."""
    areas = list[int]()
    for states in frame.states if frame.request.picture.apart else [frame.states]:
        for k in np.unique(states):
            labels, _ = scipy.ndimage.label(states == k)  # neighbours along the axes
            areas += np.bincount(labels.reshape(-1))[1:].tolist()
    return sum(area > 0.002 * frame.states.size for area in areas), len(areas)


def surviving(frame: Frame) -> tuple[int, int]:
    """Return how many large regions by contrast hold while the cut is tripled, and how many are."""
    fine, coarse = (_by_contrast(frame, cut) for cut in (0.04, 0.12))
    n_large, n_held = 0, 0
    for own in (fine == k for k in np.unique(fine)):
        if own.sum() > 0.002 * own.size:
            n_large += 1
            others = (coarse == k for k in np.unique(coarse[own]))
            n_held += any((own & one).sum() > 0.8 * (own | one).sum() for one in others)
    return n_held, n_large


def _by_contrast(frame: Frame, cut: float) -> NDArray[np.intp]:
    """Return the regions by contrast that the window would draw of a picture."""
    by_contrast = RegionCut(measure="contrast", least_contrast=cut)
    asked = replace(frame.request, region_cut=by_contrast, needs=frozenset({"regions"}))
    return np.asarray(Pipeline().run(asked).results["regions"].labels)
