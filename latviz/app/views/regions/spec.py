"""The regions of the state map, as a view."""

from latviz.app.views.regions.view import RegionsView, asked
from latviz.app.views.spec import Context, Rows, ViewSpec
from latviz.app.views.verbs import clearing
from latviz.engine.frames.frame import Frame
from latviz.engine.frames.region_table import table_of


def connect(view: RegionsView, context: Context) -> None:
    """Connect the sliders to the choice of merged regions."""
    document = context.document
    view.cut.connect(lambda text, cut: document.change(text, region_cut=cut))


def table_rows(frame: Frame) -> Rows:
    """Return the measures of the listed regions."""
    some = frame.results.get("listed_regions")
    if some is None:
        return []
    names, rows = table_of(some, frame)
    return [[*names], *rows]


def script_lines(frame: Frame) -> list[str]:
    """Return the regions, if they are shown."""
    if frame.regions is None:
        return []
    seen, cut = frame.observations, frame.request.region_cut
    picture = frame.request.picture
    d = picture.lattice_dimensions
    given = f"observations.values, {seen.discrete}, {seen.n_symbols}, {d}"
    limits = ", ".join(f"{name}={value}" for name, value in cut.limits.items())
    if cut.measure == "contrast":
        axes = f"{picture.dimensions}, {d}"
        axes += ", picture.alphabet" if picture.alphabet else ""
        axes += ", known=picture.known" if picture.known is not None else ""
        return [
            "",
            "from latviz.core.segmentation.contrast import contrast_regions_of",
            "from latviz.core.segmentation.relief import relief_of",
            "",
            f"relief = relief_of(picture.contrasted, {axes})",
            f"basins = contrast_regions_of(relief, states, {given})",
            f"regions = basins.merged({limits})",
        ]
    return [
        "",
        "from latviz.core.segmentation.regions import regions_of",
        "",
        f"components = regions_of(states, {given})",
        f"regions = components.merged({limits})",
    ]


SPEC = ViewSpec(
    name="regions",
    title=RegionsView.TITLE,
    of_picture=True,
    make=RegionsView,
    help=(
        "The connected regions of the state map, or those that contrasts in the picture separate: "
        "their sizes, their states, and how much they differ from a neighbour. Sliders merge small "
        "regions, and those that differ least."
    ),
    needs=RegionsView.NEEDS,
    asks=asked,
    connect=connect,
    verbs=lambda _view, context: clearing(context),
    table=lambda _view, frame: table_rows(frame),
    script=lambda _view, frame: script_lines(frame),
)
