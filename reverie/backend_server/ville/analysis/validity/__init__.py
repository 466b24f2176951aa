"""Checks of how far a run, or several, can be trusted as evidence: each a figure, a colour, and what to do."""
