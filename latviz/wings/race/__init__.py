"""Racing other methods that label pixels against belief."""
