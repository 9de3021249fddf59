"""What merges cost, as Python."""

from latviz.engine.frame import Frame


def lines(frame: Frame) -> list[str]:
    """Return what the last merges cost, if the merge tree is shown."""
    if frame.dendrogram is None:
        return []
    n_merges = frame.dendrogram.n_leaves - 1
    window = frame.request.parameters.effective_learning_window
    return [
        "",
        "from latviz.core.model.learning import learn_tree",
        "",
        "lattices = model.data_set(values).lattices",
        f"tree = learn_tree(lattices, model.n_symbols, window={window})",
        f"merge_costs = tree.costs[::-1][:{n_merges}]  # of 2 to 1, 3 to 2, ...",
    ]
