"""Requests of other programs: their fields and checks."""
