"""The frame of the window: actions, menus, dialogs, banner, status line, focus."""
