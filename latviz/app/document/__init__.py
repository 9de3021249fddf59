"""The document: what is set, its history, its worker, and what opens into it."""
