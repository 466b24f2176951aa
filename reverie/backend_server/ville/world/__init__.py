"""The map: tiles, addresses, events and paths. Knows nothing of personas' minds."""
