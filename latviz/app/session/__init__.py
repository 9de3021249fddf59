"""Sessions: saved, taken up again, kept every few seconds."""
