"""Worker threads, their signals, and timers."""
