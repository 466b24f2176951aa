"""What a persona knows: its stream of memories, the places it has seen, and the moment it is in."""
