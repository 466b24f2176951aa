"""Simulations that run in processes of their own, and programs that end with the one that has started them."""
