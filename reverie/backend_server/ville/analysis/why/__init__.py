"""Causes of an act: from an action, an utterance or a thought back to what was seen, known or done from outside."""
