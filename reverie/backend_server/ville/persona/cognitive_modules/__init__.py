"""Perceiving, retrieving, planning, reacting, reflecting, acting and conversing: one module each (paper §4)."""
