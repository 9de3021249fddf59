"""The views, each in a folder with its `ViewSpec` in spec.py; `registry` has them all."""

import pyqtgraph

pyqtgraph.setConfigOptions(imageAxisOrder="row-major")  # before any image item is made
