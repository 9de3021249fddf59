"""Every feature of the window, in the order in which Esc reaches them."""

from typing import Any

from latviz import wings
from latviz.app.by_hand.hand import ByHand
from latviz.app.compare.comparison import Comparing
from latviz.app.compare.racing import Racing
from latviz.app.document.adviser import Adviser
from latviz.app.document.idle_jobs import IdleJobs
from latviz.app.document.leaving import Leaving
from latviz.app.document.opening import Opener
from latviz.app.exporting.copying import Copier
from latviz.app.exporting.export_list import Exporting
from latviz.app.exporting.exporting import Exporter, FigureBatch, Inputs
from latviz.app.gallery.gallery import Gallery
from latviz.app.gallery.models import Models
from latviz.app.help.reference import Reference
from latviz.app.lessons.teacher import Teacher
from latviz.app.panels.controls import Controls
from latviz.app.panels.preferences import Preferences
from latviz.app.program.collecting import Collecting
from latviz.app.program.context_menus import ContextHelp, ContextMenus
from latviz.app.program.keyboard import Keyboard
from latviz.app.program.news import News
from latviz.app.program.tabs import Tabs
from latviz.app.scribbling.bar import Scribbling
from latviz.app.scribbling.contest import PredictionContest
from latviz.app.scribbling.scribbler import Scribbler
from latviz.app.session.autosave import Autosave
from latviz.app.session.sessions import Sessions, StateText
from latviz.app.sharing.writer import Sharer, Writer
from latviz.app.shell.spot import Spot
from latviz.app.start.starter import Starter
from latviz.app.views.registry import Views

FEATURES: tuple[type[Any], ...] = (
    Opener,
    Starter,
    Gallery,
    Models,
    Sessions,
    StateText,
    Autosave,
    Comparing,
    Racing,
    Writer,
    Sharer,
    Exporter,
    FigureBatch,
    Inputs,
    Copier,
    Exporting,
    IdleJobs,
    Adviser,
    Scribbler,
    Scribbling,
    ByHand,
    Leaving,
    Controls,
    Preferences,
    Views,
    Teacher,
    PredictionContest,
    Tabs,
    ContextMenus,
    ContextHelp,
    Reference,
    Spot,
    News,
    Keyboard,
    Collecting,
    *wings.rows("features", type),
)
"""Adding one: a class with `Feature` as a base, and a line here."""
