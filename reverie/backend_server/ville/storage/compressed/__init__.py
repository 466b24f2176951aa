"""Replays: compressed, read, unpacked."""
