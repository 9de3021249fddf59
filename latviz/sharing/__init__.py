"""Films and reports of one page, to hand to others; no Qt.

What is needed only then is imported when it is first used: call
``sharing.page.write_report(...)`` and never import these modules by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
