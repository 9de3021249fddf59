"""Settings: parameters, looks, strokes, an applied model."""
