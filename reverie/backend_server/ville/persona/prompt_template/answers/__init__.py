"""Reads answers of models: their form, and what is meant."""
