"""What merges cost, as Python."""

from latviz.engine.frame import Frame
from latviz.engine.script import are_apart


def lines(frame: Frame) -> list[str]:
    """Return what the last merges cost, if the merge tree is shown."""
    if frame.tree is None:
        return []
    window = frame.request.parameters.effective_learning_window
    lattices = "values" if are_apart(frame) else "[values]"
    return [
        "",
        "from latviz.core.model.learning import learn_tree",
        "",
        f"lattices = [model.lattice(one) for one in {lattices}]",
        f"tree = learn_tree(lattices, model.n_symbols, window={window})",
        f"merge_costs = tree.costs[::-1][:{frame.tree.n_leaves - 1}]  # of 2 to 1, 3 to 2, ...",
    ]
