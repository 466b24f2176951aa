"""Generative agents in a small town."""
