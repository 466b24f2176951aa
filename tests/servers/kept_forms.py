"""Requests of the front page that keep simulations in order, each complete and harmless."""

KEPT = {
    "name": "run", "form": "saved", "new": "other", "title": "", "note": "", "tags": [], "step": 1, "text": "Here",
    "id": "7a", "way": "recording",
}  # fmt: skip
"""Fields of all deeds together; each reads its own."""
DEEDS = ("rename", "delete", "restore", "describe", "mark", "shrink")
