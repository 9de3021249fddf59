"""latviz: an interactive desktop visualizer for the latent-variable lattice model."""

__version__ = "0.2.0"
