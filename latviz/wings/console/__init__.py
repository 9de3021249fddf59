"""A Python console as a view: sliders follow its lines, and its lines follow sliders."""
