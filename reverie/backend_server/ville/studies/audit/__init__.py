"""Audits: whether the effect of a study survives small changes that should not matter."""
