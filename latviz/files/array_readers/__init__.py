"""Readers of formats whose files hold one array: each takes an open file, returns a `ReadArray`.

They are imported when the first file of their format is read; some need an optional package.
"""
