"""Colours, motion and the screens that windows fit."""
