"""An action is shown as one to three emoji, cut between them and never inside one."""

import unicodedata
from collections.abc import Iterator

MOST = 3
NEUTRAL = "🙂"
"""What is shown when a text holds no emoji."""
JOINER = "\u200d"
KEYCAP = "\u20e3"
EMOJI_STYLE = "\ufe0f"
SKIN_TONES = range(0x1F3FB, 0x1F400)
FLAG_LETTERS = range(0x1F1E6, 0x1F200)
TAGS = range(0xE0020, 0xE0080)


def shown(text: str) -> str:
    """The first three emoji of a text; a neutral face if it has none."""
    emoji = [cluster for cluster in clusters(text) if _is_emoji(cluster)]
    return "".join(emoji[:MOST]) or NEUTRAL


def clusters(text: str) -> Iterator[str]:
    """What a reader sees as single signs: a base with everything that is joined to it."""
    cluster = ""
    for sign in text:
        if cluster and not _continues(cluster, sign):
            yield cluster.rstrip(JOINER)
            cluster = ""
        cluster += sign
    if cluster:
        yield cluster.rstrip(JOINER)


def _continues(cluster: str, sign: str) -> bool:
    joins = sign in {JOINER, KEYCAP} or ord(sign) in SKIN_TONES or ord(sign) in TAGS
    second_letter = len(cluster) == 1 and ord(cluster) in FLAG_LETTERS and ord(sign) in FLAG_LETTERS
    return joins or second_letter or cluster.endswith(JOINER) or unicodedata.category(sign) == "Mn"


def _is_emoji(cluster: str) -> bool:
    return EMOJI_STYLE in cluster or KEYCAP in cluster or any(unicodedata.category(sign) == "So" for sign in cluster)
