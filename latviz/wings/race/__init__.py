"""Racing other methods that label pixels against belief.

Its modules load when they are first used: ``from latviz.wings import race``, then
``race.contest.set_up(...)``.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
