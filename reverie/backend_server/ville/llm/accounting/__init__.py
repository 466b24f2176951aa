"""Calls and their cost: the ledger, summaries of it, and prices."""
