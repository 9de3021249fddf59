"""The start page: files, demos and lessons to open while no picture is open."""
