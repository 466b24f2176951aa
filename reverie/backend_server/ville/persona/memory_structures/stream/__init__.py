"""The memory stream of a persona: its memories, and their vectors."""
