"""The demos' titles, apart from their generators, which load more slowly."""

from typing import Final

DEFAULT_DEMO: Final = "blobs"

DEMO_TITLES: Final[dict[str, str]] = {
    "blobs": "Four noisy regions",
    "figure1": "Associative field (Figure 1)",
    "figure2": "Non-associative field (Figure 2)",
    "mosaic": "Mosaic of textures",
    "stripes": "Stripes of growing width",
    "protein": "Protein-like sequence",
    "volume": "Regions in three dimensions",
    "figures": "Figures 1 and 2 side by side",
    "leaves": "Leaves, as in a photograph",
    "weather": "Two days of weather",
}
LESSON_TITLES: Final[dict[str, str]] = {"scales": "Two scales at once"}
"""Those that only lessons open."""
