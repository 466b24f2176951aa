"""Brings over what an older project has: finds it, copies it, gives simulations their map, proves that all works."""
