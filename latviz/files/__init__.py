"""Reading images and writing exports; no Qt.

Decoders are imported when the first file is read or written, so that the window is on screen
before: call ``files.images.read_image(...)`` and never import these modules by name outside this
package.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
