"""What large sites need: data to measure with, and the vector indexes of large tenants. The owner's work."""
