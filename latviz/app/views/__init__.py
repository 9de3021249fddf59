"""The views, one a file."""

import pyqtgraph

pyqtgraph.setConfigOptions(imageAxisOrder="row-major")  # before any image item is made
