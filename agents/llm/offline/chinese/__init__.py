"""Chinese sentences: what they state, and why some state nothing to file."""
