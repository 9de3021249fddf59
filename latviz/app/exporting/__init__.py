"""Figures, copies and exports of what is on screen."""
