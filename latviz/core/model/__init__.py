"""The model: quantization, learning, evaluation, indices, belief."""
