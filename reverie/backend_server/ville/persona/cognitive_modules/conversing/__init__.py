"""Conversing: whom to talk to, what to say, what to remember of each other."""
