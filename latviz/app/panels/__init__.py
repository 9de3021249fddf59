"""Controls of parameters and preferences, and panels next to a window."""
