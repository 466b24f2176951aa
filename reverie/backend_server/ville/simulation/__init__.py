"""The clockwork: the town, one step of it, and the commands that drive it."""
