"""The style sheet of Qt's own widgets."""

from latviz.app.theme import Theme


def stylesheet(theme: Theme) -> str:
    """Return the rules that the palette alone cannot give."""
    t = theme
    return f"""
    QMainWindow, QMainWindow::separator {{ background: {t.window}; }}
    QMainWindow::separator {{ width: 5px; height: 5px; }}
    QMainWindow::separator:hover {{ background: {t.accent}; }}
    QDockWidget {{ color: {t.text}; font-weight: 600; }}
    QDockWidget > QWidget {{ font-weight: 400; background: {t.panel}; }}
    #dock-title {{ background: {t.panel}; border-bottom: 1px solid {t.line}; }}
    #dock-title QLabel {{ font-weight: 600; color: {t.text}; background: transparent; }}
    #dock-title QToolButton {{ border: none; color: {t.muted}; background: transparent; }}
    #dock-title QToolButton:hover {{ color: {t.text}; background: {t.raised}; }}
    #dock-title QToolButton:checked {{ color: {t.text}; border-bottom: 2px solid {t.accent}; }}
    QGroupBox {{ font-weight: 600; border: none; margin-top: 1.3em; padding: 0; }}
    QGroupBox::title {{ subcontrol-origin: margin; left: 0; color: {t.text}; }}
    QLabel[muted="true"] {{ color: {t.muted}; }}
    QScrollArea, QScrollArea > QWidget > QWidget {{ background: {t.panel}; border: none; }}
    QToolTip {{ color: {t.text}; background: {t.raised}; border: 1px solid {t.line};
                padding: 4px 6px; }}
    QStatusBar {{ background: {t.window}; color: {t.muted}; }}
    QStatusBar::item {{ border: none; }}
    QMenuBar {{ background: {t.window}; color: {t.text}; }}
    QMenuBar::item:selected, QMenu::item:selected {{ background: {t.accent}; color: {t.panel}; }}
    QMenu {{ background: {t.panel}; border: 1px solid {t.line}; padding: 4px; }}
    QMenu::item {{ padding: 5px 28px 5px 24px; }}
    QMenu::item:disabled {{ color: {t.muted}; }}
    QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
    QPushButton, QToolButton#tool {{ background: {t.raised}; border: 1px solid {t.line};
        border-radius: 4px; padding: 4px 12px; }}
    QPushButton[small="true"] {{ padding: 0 8px; }}
    QProgressBar {{ background: {t.raised}; border: 1px solid {t.line}; border-radius: 4px;
        color: {t.text}; text-align: center; max-height: 16px; }}
    QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
    QPushButton:hover {{ border-color: {t.muted}; }}
    QPushButton:checked {{ background: {t.accent}; color: {t.panel}; }}
    QPushButton:focus {{ border: 1px solid {t.accent}; }}
    QSlider::groove:horizontal {{ height: 4px; background: {t.line}; border-radius: 2px; }}
    QSlider::sub-page:horizontal {{ background: {t.accent}; border-radius: 2px; }}
    QSlider::sub-page:horizontal:disabled {{ background: {t.line}; }}
    QSlider::handle:horizontal {{ width: 14px; height: 14px; margin: -5px 0; border-radius: 7px;
        background: {t.panel}; border: 2px solid {t.accent}; }}
    QSlider::handle:horizontal:focus {{ background: {t.accent}; }}
    QSlider::handle:horizontal:disabled {{ border-color: {t.line}; }}
    #compare-bar {{ background: {t.panel}; border-top: 1px solid {t.line}; }}
    #latency {{ background: {t.window}; color: {t.text}; border: 1px solid {t.line};
        border-radius: 4px; padding: 6px 8px; }}
    #banner {{ background: {t.raised}; border: 1px solid {t.bad}; border-left: 5px solid {t.bad};
        border-radius: 4px; }}
    #banner QLabel {{ color: {t.text}; background: transparent; }}
    QTabBar::tab {{ background: {t.window}; color: {t.muted}; padding: 4px 10px; }}
    QTabBar::tab:selected {{ background: {t.panel}; color: {t.text}; }}
    QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
    QTextBrowser {{ background: {t.panel}; border: none; }}
    """
