"""Compare the states on screen with a reference or another method's labels."""
