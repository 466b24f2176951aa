"""Answer users in a conversation: their words are in no table of sayings."""

from ville.offline.answers.interview import answer_to
from ville.offline.answers.recollection import Recollection
from ville.offline.table import Value, load, pattern
from ville.offline.talks.dialogue import UNSURE, Dialogue


def reply_to_user(talk: Dialogue) -> tuple[str, bool] | None:
    """Return what is said to words of a user and whether that ends the conversation; None for known sayings."""
    free = [line.text for line in talk.last if not line.key]
    words = load("user_talk.yaml")
    unsure = bool(talk.last) and all(line.key in UNSURE for line in talk.last)
    if unsure and pattern(words["farewell"]).search(talk.transcript[-1][1]):
        return _one_of(words["last words"], talk), True
    if not free or talk.last_news or (len(free) < len(talk.last) and "?" not in free[-1]):
        return None
    asked = next((text for text in reversed(free) if "?" in text), "")
    comes_to_mind = Recollection(asked, talk.me, talk.mind.memories, talk.rng)
    answer = answer_to(comes_to_mind, asker=talk.other) if asked else ""
    return f"{answer or _one_of(words['remarks'], talk)} {_question_back(talk, words)}".strip(), False


def _question_back(talk: Dialogue, words: Value) -> str:
    """Ask strangers who they are, once, unless they have said so."""
    told = any(
        pattern(words["introduction"]).search(said) for speaker, said in talk.transcript if speaker == talk.other
    )
    if len(talk.transcript) > 1 or told or not talk.is_stranger:
        return ""
    return _one_of(words["who are you"], talk)


def _one_of(lines: Value, talk: Dialogue) -> str:
    return str(talk.rng.choice(lines)).format(name=talk.me.first)
