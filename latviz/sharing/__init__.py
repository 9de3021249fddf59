"""Reports and live pages, for sharing; no Qt.

Modules are imported when they are first used: call ``sharing.page.write_report(...)`` and never
import these modules by name outside this package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
