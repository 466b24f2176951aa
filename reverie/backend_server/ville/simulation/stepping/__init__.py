"""One step of the town: arrive, think, meet, commit, and show it."""
