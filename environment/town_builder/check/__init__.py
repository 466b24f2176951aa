"""Checks that a town can be lived in, and that it has the places its people need."""
