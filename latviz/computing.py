"""The program without a window: frames of pictures, choices and advice.

The pictures or the frame come first, with what is shown of them; all else has a name.
"""

from dataclasses import replace

from latviz import engine
from latviz.core.progress import Progress, shares
from latviz.core.renamed import renamed
from latviz.engine.advice.advice import Advice
from latviz.engine.advice.tries import Tries
from latviz.engine.choosing.tradeoff import Chosen, What
from latviz.engine.frames.frame import EXPORTED, Frame
from latviz.engine.frames.listener import Listener, Watch
from latviz.engine.frames.requests import keep, request_for
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.keeping.session import Session
from latviz.engine.pictures.picture import Pictures, as_set
from latviz.engine.settings.decoding import Decoding
from latviz.engine.settings.state import State

CHOOSING = (1.0, 9.0)
"""The shares of a choice's work that the first states and the choice itself are, about."""


@renamed("pictures session progress")
def state_of(pictures: Pictures, session: Session, *, progress: Progress | None = None) -> State:
    """Return the state of a session, with its pictures, and the reference computed again.

    Raises
    ------
    Cancelled
        If ``progress`` is cancelled.
    ParameterError
        If the picture cannot be decoded as the reference was.
    """
    a = session.compared
    compared = None if a is None else keep(compute(pictures, a, progress=progress))
    return replace(session.state, pictures=as_set(pictures), compared=compared)


@renamed("pictures decoding progress needs")
def compute(
    pictures: Pictures,
    decoding: Decoding,
    *,
    progress: Progress | None = None,
    needs: frozenset[str] = frozenset(),
) -> Frame:
    """Return the frame of a decoding; ``needs`` are further stages whose results it includes.

    Of several pictures, the model is learned from all, and the one on screen is decoded.
    ``progress`` receives the progress of learning from all signatures, and may cancel.

    Raises
    ------
    Cancelled
        If ``progress`` is cancelled.
    ParameterError
        If the picture cannot have the encoding.
    """
    request = request_for(decoding, pictures, needs)
    return engine.flow.pipeline.Pipeline().run(request, Listener.of(progress))


@renamed("pictures decoding region_cut progress")
def compute_exported(
    pictures: Pictures,
    decoding: Decoding,
    *,
    region_cut: RegionCut | None = None,
    progress: Progress | None = None,
) -> Frame:
    """Return the frame of a decoding with all results that `exports` writes; see `compute`.

    Regions are among them if it is given which are merged.
    """
    if region_cut is None:
        return compute(pictures, decoding, progress=progress, needs=EXPORTED)
    needs = EXPORTED | {"regions"}
    request = request_for(decoding, pictures, needs, region_cut=region_cut)
    return engine.flow.pipeline.Pipeline().run(request, Listener.of(progress))


@renamed("pictures decoding what progress")
def choose(
    pictures: Pictures, decoding: Decoding, *, what: What, progress: Progress | None = None
) -> Chosen:
    """Choose w, N or both for pictures, by the choice that `advise` depends on.

    An N or w that is not chosen is that of the decoding.
    """
    trying = engine.advice.trying.Trying(engine.choosing.sweeping.Sweeping())
    first, rest = shares(progress, CHOOSING)
    return trying.choose(compute(pictures, decoding, progress=first), what, rest)


@renamed("frame progress tries")
def advise(frame: Frame, *, progress: Progress | None = None, tries: Tries | None = None) -> Advice:
    """Return the advice on a frame, after all tries that it depends on but those made before.

    Raises
    ------
    Cancelled
        If ``progress`` is cancelled.
    """
    trying = engine.advice.trying.Trying(engine.choosing.sweeping.Sweeping(), tries)
    return trying.final(frame, progress or Watch(lambda: False))
