"""Controls of parameters and preferences, and panels beside a window."""
