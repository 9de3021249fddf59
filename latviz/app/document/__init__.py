"""The document: the state, its history, its worker, and opening files."""
