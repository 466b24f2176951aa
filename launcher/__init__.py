"""Starts the programs for start.py. Standard library only: it runs before anything is installed."""
