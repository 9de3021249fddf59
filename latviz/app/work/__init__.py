"""Threads that compute, what they tell, and timers."""
