"""Benchmarks: durations, as ratios to named references timed in the same run."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the program does for its own process
