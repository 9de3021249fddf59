"""The data flow: stages, the graph that computes them, and the pipeline that makes frames."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
