"""The terminal: what a run prints, lines that a user types, and sessions that end with an exit code."""
