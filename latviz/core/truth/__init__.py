"""Fields whose states are known, and how far decodings are from them."""
