"""Simulations, saved step by step or compressed, and the one that runs."""
