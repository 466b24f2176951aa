"""A city by rules and a seed: its households, work and friendships, its districts, and the two files that say so."""
