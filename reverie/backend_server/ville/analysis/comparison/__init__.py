"""Comparison of two saved runs: what differs first, how it spread, and to what effect. Reads only."""
