"""Figures, copies and exports of the views on screen."""
