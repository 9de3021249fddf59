"""The main window and the program around it."""
