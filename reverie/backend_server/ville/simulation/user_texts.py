"""Check texts that users say to personas, and the roles in which they speak."""

import re
from collections.abc import Collection, Iterable

from ville.errors import BadArgument
from ville.persona.memory_structures.scratch import Transcript
from ville.persona.prompt_template.caps import INTERVIEW_LINE, ROLE
from ville.plain_text import one_line, shortened

EXCERPT = 40
"""Length of an excerpt in a message, in characters."""
VISITOR = "a visitor"
"""Role of a user who gives none in a talk."""
_ROLE = re.compile(r"[\w .,'’()&-]*[^\W\d_][\w .,'’()&-]*")
"""Letters, digits and some punctuation, with at least one letter. A colon would make it look like an address."""


def check_length(text: str, most: int = INTERVIEW_LINE, where: str = "") -> None:
    """Raise BadArgument for a text that is too long to say at once."""
    if len(text) > most:
        raise BadArgument(
            f"{where}'{shortened(text, EXCERPT)}' has {len(text):,} characters; at most {most:,} are allowed. Split it."
        )


def checked_line(text: str) -> str:
    """Return what a user says as one line without control characters. Raises BadArgument if it is empty or too long."""
    line = one_line(text).strip()
    check_length(line)
    if not line:
        raise BadArgument(f"'{shortened(one_line(text), EXCERPT)}' says nothing. Give some words.")
    return line


def checked_role(role: str, name: str, residents: Collection[str]) -> str:
    """Return the role in which a user speaks to a persona: a resident by full name, or words such as `a news reporter`.

    Raises BadArgument.
    """
    role = " ".join(one_line(role).split())
    role = next((each for each in residents if each.lower() == role.lower()), role)
    if len(role) > ROLE or not _ROLE.fullmatch(role):
        raise BadArgument(
            f"'{shortened(role, EXCERPT)}' is not a role. Use letters, digits and . , ' - ( ) & only, at most {ROLE} "
            "characters, for example: a news reporter"
        )
    if role == name:
        raise BadArgument(f"{name} cannot be asked by {name}. Choose another role, or whisper: call -- whisper {name}")
    return role


def checked_history(lines: Iterable[Iterable[str]]) -> Transcript:
    """Return the earlier turns of an interview or talk: speaker and words. Raises BadArgument."""
    try:
        return tuple((checked_line(speaker)[:ROLE], checked_line(said)) for speaker, said in lines)
    except (TypeError, ValueError):
        raise BadArgument("history is not a list of pairs of speaker and words. Give reply.transcript.") from None
