"""The settings that a picture opens with: those suiting its kind, or those set for its kind."""

from dataclasses import replace
from functools import cache, partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from latviz.core.data.encoding import Encoding
from latviz.core.facts import PictureFacts
from latviz.engine.geometry.region_cut import RegionCut
from latviz.engine.keeping.session import from_text, opened, text_of
from latviz.engine.pictures.picture import Picture, PictureSet, as_set
from latviz.engine.pictures.shelf import Entry, Shelf
from latviz.engine.settings.appearance import Looks
from latviz.engine.settings.parameters import Parameters
from latviz.engine.settings.state import Display, State
from latviz.workspace import make_picture

RNG = np.random.default_rng(0)
SET = {"n_states": 3, "window": 40, "alpha": 0.5}
"""Settings of a user; no kind opens with them by default."""
LABELS = Parameters(Encoding("labels"), n_states=5)
FITTING = {
    "sequence": Parameters(Encoding("labels")),
    "labels": LABELS,
    "drawing": LABELS,
    "grey": Parameters(Encoding("quantiles", 8), window=7),
    "colour": Parameters(Encoding("lab"), window=7),
    "grey volume": Parameters(Encoding("quantiles", 8)),
    "colour volume": Parameters(Encoding("lab")),
    "label volume": LABELS,
    "demo": Parameters(Encoding("labels"), n_states=4, window=4),
    "other demo": Parameters(Encoding("labels"), n_states=3, window=7),
    "field": Parameters(Encoding("labels"), n_states=2, window=5),
}
"""The settings that each kind opens with, as the manual's table; those of demos and fields."""
MADE = ("demo", "other demo", "field")
ALIKE = {frozenset({"labels", "drawing"})}
"""Pairs of pictures of one kind, besides two pictures of the same name."""


def picture(kind: str) -> Picture:
    if kind in ("demo", "other demo"):
        return _demo(kind)
    if kind == "field":
        states = RNG.integers(0, 2, (70, 80), np.uint8)
        return Picture(states, kind, labels=states, truth=states, origin={"made": True})
    if kind == "sequence":
        letters = RNG.integers(0, 4, 200, np.uint8)
        return Picture(letters, kind, dimensions=1, alphabet=tuple("ACGT"))
    shape = (4, 66, 68) if "volume" in kind else (66, 68)
    values = np.resize(np.arange(5 if kind[:5] in ("label", "drawi") else 250), np.prod(shape))
    pixels = RNG.permutation(values).reshape(shape).astype(np.uint8)
    if kind in ("drawing", "colour", "colour volume"):
        pixels = np.stack([pixels, pixels // 2, 255 - pixels], axis=-1)
    return Picture(pixels, kind, dimensions=len(shape))


@cache
def _demo(kind: str) -> Picture:
    return make_picture({"demo": "blobs", "other demo": "protein"}[kind])[0]


def own(kind: str) -> Parameters | None:
    """Return the parameters of a picture that the program makes."""
    return FITTING[kind] if kind in MADE else None


def begun(kind: str, keeps: bool = False) -> State:
    """Return a state with a picture of a kind, of which something was set."""
    state = State().opened(as_set(picture(kind)), own(kind))
    parameters = replace(state.parameters, **SET)
    return state.changed(parameters=parameters, keeps_settings=keeps)


def seen(parameters: Parameters) -> tuple[object, ...]:
    """Return the parameters that are in the manual's table."""
    return parameters.encoding, parameters.n_states, parameters.window, parameters.decoder


def fits(state: State, kind: str) -> bool:
    """Return True if a state has the settings that a kind opens with."""
    return seen(state.parameters) == seen(state.suited) == seen(FITTING[kind])


def are_alike(one: str, other: str) -> bool:
    return (one == other and one not in MADE) or frozenset({one, other}) in ALIKE


@pytest.mark.parametrize("kind", FITTING)
def test_the_first_picture_opens_with_what_suits_its_kind(kind: str) -> None:
    for keeps in (False, True):
        state = State(keeps_settings=keeps).opened(as_set(picture(kind)), own(kind))
        assert fits(state, kind)
        assert state.looks.mean_colors == state.display.borders == (kind == "colour")
        assert (state.region_cut.measure == "contrast") == (kind == "colour")


def test_what_is_set_passes_to_the_same_kind_alone() -> None:
    """Without the switch no setting passes; with it they do, but never to another kind."""
    for case in product(FITTING, FITTING, (False, True)):
        before, after, keeps = case
        old = begun(before, keeps)
        new = old.opened(as_set(picture(after)), own(after))
        passes = keeps and are_alike(before, after)
        assert new.parameters == (old.parameters if passes else new.suited), case
        assert seen(new.suited) == seen(FITTING[after]), case
        assert new.looks.mean_colors == new.display.borders == (after == "colour"), case
        assert new.keeps_settings is keeps, case


def test_one_piece_of_work_goes_on_in_its_kind() -> None:
    """Other pages of a file and other images of a shelf do not need the switch."""
    for before, after in product(FITTING, FITTING):
        old = begun(before)
        new = old.opened(as_set(picture(after)), continues=True)
        if are_alike(before, after):
            assert (new.parameters, new.suited) == (old.parameters, old.suited), (before, after)
        elif after not in MADE:
            assert fits(new, after), (before, after)


def test_what_is_asked_for_comes_before_both() -> None:
    asked = Parameters(Encoding("grey"), window=5)
    for keeps, continues in product((False, True), repeat=2):
        new = begun("grey", keeps).opened(as_set(picture("grey")), asked, continues=continues)
        assert new.parameters == new.suited == asked


def test_a_small_image_is_of_the_kind_of_a_large_one() -> None:
    """It opens with a smaller window, but keeps the settings with the switch."""
    small = Picture(picture("grey").pixels[:20, :20].copy(), "small")
    wanted = seen(Parameters(Encoding("quantiles", 8), window=3))
    assert seen(begun("grey").opened(as_set(small)).parameters) == wanted
    kept = begun("grey", keeps=True)
    new = kept.opened(as_set(small))
    assert (new.parameters, seen(new.suited)) == (kept.parameters, wanted)


def test_an_encoding_that_the_picture_cannot_have_does_not_pass() -> None:
    """Labels may be in colour or grey."""
    old = begun("drawing", keeps=True)
    old = old.changed(parameters=replace(old.parameters, encoding=Encoding("lab")))
    new = old.opened(as_set(picture("labels")))
    assert new.parameters == replace(old.parameters, encoding=Encoding("grey"))


def test_kinds_are_those_that_opening_tells_apart() -> None:
    facts = partial(PictureFacts, n_nodes=4096)
    assert facts(1).kind == (1, "labels")
    assert [facts(2, True, n).kind[1] for n in (0, 1, 2, 64, 65)] == [
        "grey",
        "grey",
        "labels",
        "labels",
        "grey",
    ]
    assert [facts(3, False, n).kind for n in (33, 65)] == [(3, "labels"), (3, "colour")]


def test_a_shelf_keeps_what_is_set_until_pictures_of_another_kind_are_learned_from() -> None:
    shelf = Shelf((Entry("/a/1.png", 1, 1), Entry("/a/2.png", 2, 2)), (0,), 0, "labels")
    colours = as_set(picture("colour"))
    state = State().opened(colours, shelf=shelf)
    old = state.changed(parameters=replace(state.parameters, **SET)).in_mean_colors(False)
    how: dict[str, Any] = {"continues": True, "shelf": shelf.showing(1)}
    beside = old.opened(PictureSet(colours.members, 0, picture("grey")), **how)
    assert (beside.parameters, beside.suited) == (old.parameters, old.suited)
    more = old.opened(PictureSet((*colours.members, picture("colour"))), **how)
    assert (more.parameters, more.looks, more.shelf) == (old.parameters, old.looks, how["shelf"])
    other = old.opened(as_set(picture("grey")), **how)
    assert fits(other, "grey")


@pytest.mark.parametrize("kind", FITTING)
def test_sessions_and_texts_begin_as_the_window_does(kind: str) -> None:
    shown = as_set(picture(kind))
    state = State().opened(shown, own(kind), index=shown.picture.shape[0] // 2)
    if shown.picture.dimensions < 3:
        state = replace(state, slice=0)
    session = opened(shown, state.parameters)
    assert session.state == replace(state, pictures=None)
    demo = {"demo": "demo=blobs", "other demo": "demo=protein"}.get(kind, "")
    assert text_of(state) == demo
    other = state.in_mean_colors(kind != "colour")
    back = from_text(text_of(other), session.state)
    assert (back.looks, back.display) == (other.looks, other.display)


# Mean colours and their borders


def test_borders_follow_mean_colours_and_are_else_a_layer_like_any_other() -> None:
    bordered = State(display=Display(borders=True, opacity=0.5))
    assert bordered.in_mean_colors(False) == bordered
    means = bordered.in_mean_colors(True)
    assert means == replace(bordered, looks=Looks(mean_colors=True))
    assert means.in_mean_colors(False).display == Display(opacity=0.5)
    bare = replace(means, display=Display())
    assert bare.in_mean_colors(True).display.borders


def test_the_palette_and_regions_that_were_chosen_pass_only_where_settings_do() -> None:
    for keeps in (False, True):
        old = begun("colour", keeps).in_mean_colors(False).changed(region_cut=RegionCut(9))
        again = old.opened(as_set(picture("colour")))
        assert again.looks.mean_colors == again.display.borders == (not keeps)
        assert again.region_cut == RegionCut(9, measure="evidence" if keeps else "contrast")
        assert not old.opened(as_set(picture("grey"))).looks.mean_colors
