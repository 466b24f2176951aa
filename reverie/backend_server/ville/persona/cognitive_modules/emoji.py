"""Emoji of an action: one to three, cut between emoji and never inside one."""

import regex

MOST = 3
NEUTRAL = "🙂"
"""Shown for a text without emoji."""
JOINER = "\u200d"
CLUSTER = regex.compile(r"\X")
"""A grapheme cluster: a base character with everything joined to it."""
EMOJI = regex.compile(r"\p{Extended_Pictographic}|\p{Regional_Indicator}|\uFE0F|\u20E3")


def shown(text: str) -> str:
    """Return the first three emoji of a text, or a neutral face."""
    emoji = [cluster.rstrip(JOINER) for cluster in CLUSTER.findall(text) if EMOJI.search(cluster)]
    return "".join(emoji[:MOST]) or NEUTRAL
