"""A robot that uses the program as people do, thousands of times: ``python -m tests.bench.soak``.

It presses menus, keys and buttons, drags, turns wheels, fills dialogs with odd files, drops,
pastes, saves and opens sessions, opens the bench and the help, moves docks, and closes and
opens windows, all by events at Qt's own windows. A new act is a function in `acts`. It also follows
the adviser to its end on pictures of its own, and judges all texts on the way.
"""
