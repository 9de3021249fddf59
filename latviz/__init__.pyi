from . import workspace as workspace

__version__: str
