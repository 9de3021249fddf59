"""The bench: a truth that is known, its observations, and what a model finds in them."""
