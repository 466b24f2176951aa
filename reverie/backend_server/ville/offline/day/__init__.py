"""Days by rules: duties, plans, places."""
