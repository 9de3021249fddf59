"""What is kept between runs, among the settings of the program."""

from latviz.app.shell.settings import KeptSetting, Settings


class ZarrSettings:
    """The settings for zarr folders."""

    detail = KeptSetting("detail", {"on": True, "off": False}.get, lambda _: True)
    """True to show finer levels of a zarr folder on zooming in."""
    scheduler = KeptSetting("scheduler", str, lambda _: "")
    """The address of the dask scheduler that decodes zarr folders; empty: this machine does."""

    def __init__(self, settings: Settings) -> None:
        self.store = settings.store
