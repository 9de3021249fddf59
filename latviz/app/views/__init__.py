"""The views, each in a folder with its `ViewSpec` in spec.py; `registry` has them all."""

import pyqtgraph

# Before any image item is made. pyqtgraph would also drop the last one of fast mouse moves; Qt
# drops only those that another one follows.
pyqtgraph.setConfigOptions(imageAxisOrder="row-major", mouseRateLimit=-1)
