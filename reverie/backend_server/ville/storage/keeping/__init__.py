"""Simulations kept in order: renamed, deleted into the bin and restored, with notes, tags and sizes."""
