"""Reads and checks a study file."""
