"""Roles of axes: their text, and which go together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from latviz.core.axes import (
    APART,
    COLOUR,
    LATTICE,
    ROLES,
    VECTOR,
    Axis,
    exchanged,
    roles_of,
    settled,
    text_of,
)
from latviz.core.errors import ParameterError

Z, T = Axis("z", 5, usual=LATTICE), Axis("t", 3)
C = Axis("c", 3, ("DAPI", "GFP", "RFP"), usual=VECTOR)
RGB = Axis("c", 4, of_samples=True, usual=COLOUR)
ENTRIES = st.lists(st.integers(0, 999), min_size=1, unique=True).map(tuple)


@given(st.dictionaries(st.sampled_from("tzcq"), st.sampled_from(list(ROLES)) | ENTRIES))
def test_a_text_gives_the_same_roles(roles) -> None:
    assert roles_of(text_of(roles)) == roles


@pytest.mark.parametrize("text", ["z", "z=", "=3", "z=3, z=4", "z=up", "z=-1", "z=1+", "z=1.5"])
def test_a_text_that_gives_no_role_is_refused(text) -> None:
    with pytest.raises(ParameterError, match="apart"):
        roles_of(text)


def test_axes_have_their_usual_roles_unless_others_are_asked_for() -> None:
    assert settled([T, Z, C], {}) == {"t": (0,), "z": LATTICE, "c": VECTOR}
    assert settled([T, Z, C], {"t": APART}) == {"t": APART, "z": (0,), "c": VECTOR}
    assert settled([T, Z, C], {"z": (1, 2)}) == {"t": (0,), "z": (1, 2), "c": (0,)}
    assert settled([Z, RGB], {"c": (3,)}) == {"z": LATTICE, "c": (3,)}


@pytest.mark.parametrize(
    ("axes", "roles", "words"),
    [
        ([Z], {"q": LATTICE}, "it has no axis 'q': its axes are z"),
        ([], {"z": LATTICE}, "none"),
        ([Z], {"z": (5,)}, "choose from 0 to 4"),
        ([C], {"c": LATTICE}, "holds channels"),
        ([RGB], {"c": APART}, "holds channels"),
        ([C], {"c": COLOUR}, "holds no colours"),
        ([Z, T], {"z": LATTICE, "t": APART}, "one further axis of the lattice, got z and t"),
        ([Z, C], {"z": (0, 1), "c": VECTOR}, "one axis of a vector"),
    ],
)
def test_roles_that_do_not_go_together_are_refused(axes, roles, words) -> None:
    with pytest.raises(ParameterError, match=words):
        settled(axes, roles)


@given(st.data())
def test_any_exchange_gives_roles_that_go_together(data) -> None:
    axes = [T, Z, C]
    roles = settled(axes, {})
    for _ in range(4):
        axis = data.draw(st.sampled_from(axes))
        own = [VECTOR, (0,), (0, 1)] + [LATTICE, APART] * (axis is not C)
        roles = exchanged(axes, roles, axis.name, role := data.draw(st.sampled_from(own)))
        assert settled(axes, roles) == roles
        assert roles[axis.name] == role
