"""Committing: what a persona promises, what becomes of it, and what it has told to whom."""
