"""The laboratory of bias and variance: a window of its own, whose data are made, not opened."""
