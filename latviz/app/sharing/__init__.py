"""Films and reports, from the window."""
