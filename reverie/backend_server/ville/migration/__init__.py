"""Brings over what an older project has: finds it, copies it, gives simulations their map, and proves that all works."""
