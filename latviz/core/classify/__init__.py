"""Classification of images: one model for each class (paper 1.7)."""
