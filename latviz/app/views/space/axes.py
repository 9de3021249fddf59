"""The names of the axes of a space of three dimensions, and where they are written."""

from PyQt6.QtCore import QPointF, QRectF

from latviz.app.views.space.layout import Label, Mapping, Matrix, Scene, name_rect, shifted

_COMPONENT = "component "


def axis_labels(scene: Scene) -> list[tuple[str, Matrix]]:
    """Return the names of the axes of a space of three dimensions, and where those end."""
    solid, names = scene.space.solid, scene.frame.observations.names
    if solid is None or solid.axes is None:
        return []
    are_channels = not scene.frame.observations.discrete and len(names) == 3
    texts = names if are_channels else tuple(f"{_COMPONENT}{k}" for k in (1, 2, 3))
    return list(zip(texts, solid.axes, strict=True))


def axis_rect(scene: Scene, text: str, end: Matrix, mapping: Mapping) -> QRectF:
    """Return where the name of an axis is written: beyond its end, but in view."""
    rect = name_rect(scene, text, mapping.to_pixel(end), mapping.to_pixel((0.0, 0.0)), 5.0)
    return shifted(rect, mapping.room)


def axis_names(
    scene: Scene, mapping: Mapping, placed: list[tuple[Label, QPointF]]
) -> list[tuple[str, QRectF]]:
    """Return what is written at the axes, and where: numbers alone where corners are in the way."""
    taken = [label.bounds.translated(at) for label, at in placed]
    found = []
    for text, end in axis_labels(scene):
        rect = axis_rect(scene, text, end, mapping)
        if any(rect.intersects(other) for other in taken):
            text = text.removeprefix(_COMPONENT)
            rect = axis_rect(scene, text, end, mapping)
        found.append((text, rect))
    return found
