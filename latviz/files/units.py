"""Units of length: the names of OME-Zarr, the symbols of OME-TIFF, and how others spell them."""

SYMBOLS = {
    "angstrom": "Å",
    "nanometer": "nm",
    "micrometer": "µm",
    "millimeter": "mm",
    "centimeter": "cm",
    "meter": "m",
    "kilometer": "km",
    "inch": "in",
    "foot": "ft",
}
"""The symbol of each unit, by its full name."""
_SPELLED = {
    **{symbol.lower(): name for name, symbol in SYMBOLS.items()},
    **dict.fromkeys(("um", "\u03bcm", "micron"), "micrometer"),
}


def full_name(unit: str) -> str:
    """Return the full name of a unit of length ("micrometer" of "um"); "" for any other text."""
    name = unit.strip().lower().replace("metre", "meter")
    name = _SPELLED.get(name, _SPELLED.get(name.removesuffix("s"), name.removesuffix("s")))
    return name if name in SYMBOLS else ""
