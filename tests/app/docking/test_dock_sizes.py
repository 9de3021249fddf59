"""How docks share their room, without any window."""

from PyQt6.QtCore import QRect

from latviz.app.docking.dock_sizes import Needs, shared, tree_of


def rects(*placed: tuple[str, int, int, int, int]) -> dict[str, QRect]:
    return {name: QRect(x, y, width, height) for name, x, y, width, height in placed}


GRID = rects(
    ("controls", 0, 0, 100, 305),
    ("image", 105, 0, 100, 150),
    ("states", 210, 0, 100, 150),
    ("space", 105, 155, 100, 150),
    ("matrix", 210, 155, 100, 150),
    ("one", 315, 0, 50, 60),
    ("two", 315, 65, 50, 85),
    ("three", 315, 155, 50, 150),
)
NEEDS = {name: Needs((20, 20)) for name in GRID} | {
    "controls": Needs((80, 20), (100, 0)),
    "one": Needs((30, 20), (50, 60)),
}


def test_what_wants_a_size_keeps_it_and_the_others_share_the_rest() -> None:
    found = shared(tree_of(GRID), (565, 405), NEEDS)
    assert found["controls"] == (100, 405)
    assert {found[n][0] for n in ("one", "two", "three")} == {50}
    assert found["one"] == (50, 60)
    # 565 - 100 - 50 - 3 gaps of 5 are left for two columns.
    assert {found[n] for n in ("image", "states", "space", "matrix")} == {(200, 200)}


def test_the_same_room_is_shared_the_same_way() -> None:
    assert shared(tree_of(GRID), (365, 305), NEEDS) == {
        name: (rect.width(), rect.height()) for name, rect in GRID.items()
    }


def test_what_wants_a_size_gives_way_last() -> None:
    tree = tree_of(GRID)
    found = shared(tree, (220, 305), NEEDS)
    # 220 - 100 - 50 - 15 = 55 for image and states with a gap, at least 45
    assert (found["controls"][0], found["one"][0]) == (100, 50)
    found = shared(tree, (195, 305), NEEDS)
    assert (found["image"][0], found["states"][0]) == (20, 20)
    assert (found["controls"][0], found["one"][0]) == (90, 50)


def test_rows_are_rows_where_columns_have_the_same_lines() -> None:
    placed = rects(
        ("a", 0, 0, 60, 50), ("b", 65, 0, 60, 50), ("c", 0, 55, 60, 40), ("d", 65, 55, 60, 40)
    )
    needs = {name: Needs((10, 10)) for name in placed} | {"c": Needs((90, 10))}
    found = shared(tree_of(placed), (125, 95), needs)
    assert (found["a"][0], found["b"][0], found["c"][0], found["d"][0]) == (60, 60, 90, 30)


def test_docks_that_are_to_be_alike_are() -> None:
    placed = rects(("a", 0, 0, 20, 50), ("b", 25, 0, 90, 50), ("c", 120, 0, 40, 50))
    needs = {name: Needs((10, 10)) for name in placed}
    assert shared(tree_of(placed), (160, 50), needs, ("a", "b", "c")) == dict.fromkeys(
        placed, (50, 50)
    )
    found = shared(tree_of(placed), (160, 50), needs, ("a", "c"))
    assert found["a"][0] == found["c"][0] == 30
    assert shared(tree_of(placed), (160, 50), needs)["b"] == (90, 50)


def test_where_all_want_a_size_they_share_in_proportion_to_it() -> None:
    placed = rects(("indices", 0, 0, 60, 30), ("likelihood", 0, 35, 60, 400))
    needs = {"indices": Needs((20, 20), (0, 250)), "likelihood": Needs((20, 20), (0, 190))}
    found = shared(tree_of(placed), (60, 445), needs)
    assert found == {"indices": (60, 250), "likelihood": (60, 190)}
    found = shared(tree_of(placed), (60, 885), needs)
    assert found == {"indices": (60, 500), "likelihood": (60, 380)}
