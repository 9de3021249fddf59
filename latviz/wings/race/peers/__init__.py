"""Other methods that label the nodes of a lattice, to compare the model with.

Their modules import optional packages, so each is imported when it is first used: call
``peers.expansion.expanded(...)`` and never import these modules by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
