"""The window: PyQt6 and pyqtgraph."""
