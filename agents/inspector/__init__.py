"""What a model saw: past windows and the next one, how a window filled, what memory cost, and why a record
was not found. It reads, and changes nothing."""
