"""The question where to decode."""

from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QLineEdit, QWidget

from latviz.app.shell.dialogs import answered, buttons_of


class SchedulerDialog(QDialog):
    """Asks where to decode all of a zarr folder: here, or on a dask scheduler's workers."""

    def __init__(self, parent: QWidget, address: str) -> None:
        super().__init__(parent)
        self.setWindowTitle("Decode all of a zarr folder")
        self.address = QLineEdit(address)
        self.address.setPlaceholderText("this machine")
        self.address.setMinimumWidth(320)
        self.address.setClearButtonEnabled(True)
        self.address.setToolTip("For example tcp://host:8786. If empty, this machine decodes")
        self.address.setAccessibleDescription(self.address.toolTip())
        label = QLabel("dask &scheduler")
        label.setBuddy(self.address)
        introduction = QLabel(
            "The finest level is decoded with the current settings, by this machine or by the "
            "workers of a dask scheduler. Workers must see the folders under the same names."
        )
        introduction.setWordWrap(True)
        standard = QDialogButtonBox.StandardButton
        buttons = buttons_of(self, standard.Ok | standard.Cancel)
        ok = buttons.button(standard.Ok)
        assert ok is not None
        ok.setText("&Choose where to…")
        form = QFormLayout(self)
        form.addRow(introduction)
        form.addRow(label, self.address)
        form.addRow(buttons)

    @property
    def wanted(self) -> str:
        """The address, empty for this machine."""
        return self.address.text().strip()


def ask_scheduler(parent: QWidget, address: str) -> str | None:
    """Ask for the address of a dask scheduler, "" for this machine; None on Cancel."""
    dialog = SchedulerDialog(parent, address)
    return dialog.wanted if answered(dialog) else None
