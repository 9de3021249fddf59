"""Window sums: signatures, decoding, progressive decoding."""
