"""Defaults that the window needs before it loads what computes regions."""

from typing import Final

LEAST_CONTRAST: Final = 0.2
"""The default cut, chosen on collages of photographs and of textures; the manual has figures."""
