"""Answers to users by rules, from memories."""
