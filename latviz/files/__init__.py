"""Reading images and writing sessions, models and exports; no Qt."""
