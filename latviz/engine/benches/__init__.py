"""The laboratory and the playground: fields whose states are known."""
