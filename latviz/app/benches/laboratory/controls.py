"""The laboratory's panel."""

from latviz.app.benches.bench_window import USE_TIP, BenchPanel, beside
from latviz.app.benches.laboratory.document import LabDocument
from latviz.app.widgets.buttons import button
from latviz.engine.benches.laboratory import WINDOW


class LabControls(BenchPanel):
    """Sets the experiment and the window that is looked at."""

    about = (
        "Noisy copies of a field whose true states are known are decoded. Bias: the commonest "
        "state over the copies is wrong. Variance: copies differ from it. Small windows vary, "
        "large ones are biased."
    )

    def __init__(self, document: LabDocument) -> None:
        super().__init__(document)
        self.new_field = button(
            "&New field", "Another field of the same kind, and other copies (Ctrl+N)"
        )
        self.draw = button("Dr&aw", "Draw on the truth, from what it is now (Ctrl+D)")
        self.draw.setCheckable(True)
        self._forms["Truth"].addRow(beside(self.new_field, self.draw))
        self.use = button("&Use as the picture", USE_TIP)
        self.reset = button(
            "Reset", "Return to the experiment that the laboratory begins with (Ctrl+R)"
        )
        self._add(WINDOW, document)
        window = self.number("window")
        window.set_value(document.window)
        self.lay_out(self.reset, self.use)
        window.changed.connect(lambda window: document.set_window(int(window)))
        self.new_field.clicked.connect(document.new_field)
        self.reset.clicked.connect(document.reset)
        document.window_changed.connect(window.set_value)
