"""Interviews and conversations of users with personas."""
