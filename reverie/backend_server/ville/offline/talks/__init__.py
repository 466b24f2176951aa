"""Conversations by rules: what there is to say, and what is known afterwards."""
