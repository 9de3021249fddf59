"""Reports from the window, and the writing of files in the background."""
