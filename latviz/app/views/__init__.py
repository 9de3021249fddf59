"""The views, each in a folder with its `ViewSpec` in spec.py; `registry` has them all."""

import pyqtgraph

# Before any image item is made. Of fast moves of the mouse pyqtgraph would drop the last one, too;
# Qt itself drops those that a later one follows.
pyqtgraph.setConfigOptions(imageAxisOrder="row-major", mouseRateLimit=-1)
