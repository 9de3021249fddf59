"""The calls of this wing that read or write files past the one way, with the reason."""

ALLOWED = {("wings/many/command", "tempfile.TemporaryDirectory"): "a new folder of its own"}
