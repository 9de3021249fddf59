"""How long things take, as ratios against named references that are timed in the same run."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does for its own process
