"""The town's stones: tiles, addresses, events and the ways between them. Ignorant of minds."""
