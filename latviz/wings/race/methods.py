"""Its rows of the table of methods: belief, and each peer."""

from functools import partial
from typing import Any

from latviz.core.progress import Progress
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.methods import Labelled, OtherMethod
from latviz.wings.race.peers.catalogue import PEERS


def _label(name: str, frame: Frame, progress: Progress, shared: dict[str, Any]) -> Labelled:
    from latviz.wings.race import contest  # it loads what only a race needs

    return contest.label(name, frame, progress, shared)


ROWS = (
    OtherMethod("Belief", partial(_label, ""), "sum-product"),
    *(OtherMethod(peer.title, partial(_label, name), peer.also) for name, peer in PEERS.items()),
)
