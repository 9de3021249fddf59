"""What is set: parameters, looks, strokes, a model that is given."""
