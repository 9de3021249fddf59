"""Fields with known states, and the accuracy of decodings."""
