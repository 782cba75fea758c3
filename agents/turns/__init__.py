"""A turn: from the line, through the loop of model and tools, to its end."""
