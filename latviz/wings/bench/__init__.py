"""The bench: a window whose truth is known, fixed or sampled in sweeps."""
