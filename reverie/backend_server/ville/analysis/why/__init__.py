"""Causes of an act: from an action, an utterance or a thought of a run back to what was seen, known or done from outside.
"""
