"""Calls commitments off, by clauses that cancel what they name, unless they are about one's own and only heard; and
notes which one says that one has missed.
"""

import re
from collections.abc import Iterator

from ville.persona.cognitive_modules.committing.appointment_reading import PLANNING, place_in
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.cognitive_modules.view import TownView
from ville.persona.memory_structures.facts.commitment import Commitment
from ville.persona.memory_structures.facts.fact_words import fact_words

IDENTITY, TALK, PLAN = "identity", "talk", "plan"
"""Where commitments come from, if it is no node."""
# ruff: noqa: RUF001 - Russian words
NONE_OF_IT = re.compile(
    r"\bthere(?: will|['’]ll) be no (?P<what>(?:(?!(?:at|in|on|for|with|to|of|from|that|this|so|today|tomorrow)\b)"
    r"[\w'’-]+\W*)+)",
    re.IGNORECASE,
)
"""Names alone what there will not be: "there will be no flowers at the party" cancels the flowers."""
CANCELS = re.compile(
    r"\bcancel(?:s|led|ed|ling|lation)?\b|\bcall(?:s|ed|ing)? (?:it |\w+ )?off\b"
    r"|\b(?:does|will|do|is|did|are)(?: not|n['’]t) (?:be )?(?:going to )?(?:take place|taking place|happen(?:ing)?)\b"
    r"|\bwon['’]t (?:be )?(?:take place|taking place|happen(?:ing)?)\b|\bpostpone[ds]?\b"
    r"|\b(?:is|are|was) off(?= *$| (?:again|now|then|today|tonight|tomorrow)\b)"
    r"|\bотмен\w+|\bне состоит\w+|\bперенес\w+",
    re.IGNORECASE,
)
MISSES = re.compile(
    r"\bmiss(?:ed|ing)\b|\b(?:did|could)(?: not|n['’]t) (?:come|go|attend|make it|show up)\b|\band did not\b"
    r"|\bне (?:пришёл|пришел|пришла|смог|смогла)\b|\bпропустил\w*",
    re.IGNORECASE,
)
NEGATES = re.compile(
    r"\b(?:not|cannot|never|nobody|no one|no|nothing|neither|nor|without|if|whether|unless|не|нет|никто)\b|n['’]t\b",
    re.IGNORECASE,
)
"""Before a cancelling word, it does not cancel, or that is open."""
BREAK = re.compile(
    r"(?<!\.m)[.!?;:…]+(?:\s+|$)|,\s+|\s+[–—-]\s+|,?\s+\b(?:but|although|though|while|because|so|however|yet|но|а)\b\s+",
    re.IGNORECASE,
)
AND = re.compile(r"\s+(?:and|и)\s+", re.IGNORECASE)
POINTS_BACK = re.compile(r"\b(?:it|this|они|она|оно|его|это)\b", re.IGNORECASE)
EMPTY = re.compile(
    r"\b(?:is|are|was|were|has|have|had|been|be|being|to|will|now|also|then|again|today|tonight|tomorrow|sadly"
    r"|unfortunately|therefore|just)\b",
    re.IGNORECASE,
)
HEARD = re.compile(r"\b(?:heard|has told|was told|learned|found out)\b|\b(?:услышал\w*|узнал\w*|рассказал\w*)\b")
HEARD_FROM = re.compile(
    r"\b(?:heard (?:from|of)|(?:was|were|been) told|learned from|found out from)\b|\bуслышал\w* от\b"
)
"""Words of what another has said, also apart from a talk."""
HOSTS = re.compile(r"\b(?:giving|gives?|hosting|hosts?|throwing|throws?|organi[sz]\w+|holding|holds?|устраива\w+)\b")


def cancellations(text: str) -> list[str]:
    """Return what a text names in each clause that cancels and is not negated.

    A clause that names nothing of its own, or points back, names what was said before it.
    """
    found: list[str] = []
    before = ""
    for clause in _clauses(PLANNING.sub("", text)):
        none, cancels = NONE_OF_IT.search(clause), CANCELS.search(clause)
        if none and not NEGATES.search(clause[: none.start()]):
            found.append(none["what"])
        elif cancels and not NEGATES.search(clause[: cancels.start()]):
            own = CANCELS.sub(" ", clause)
            points_back = POINTS_BACK.search(clause) or not re.search(r"\w", EMPTY.sub(" ", own))
            found.append(f"{before} {own}" if points_back else own)
        before = f"{before} {clause}".strip()
    return found


def _clauses(text: str) -> Iterator[str]:
    """Yield the clauses of a text; what is joined by "and" is one, unless something is cancelled or negated before."""
    for part in filter(None, BREAK.split(text)):
        clause = ""
        for each in AND.split(part):
            if clause and (CANCELS.search(clause) or NEGATES.search(clause)):
                yield clause
                clause = each
            else:
                clause = f"{clause} and {each}" if clause else each
        yield clause


def call_off(mind: Mind, view: TownView, text: str, *, talked_with: str = "") -> list[Commitment]:
    """Call off the open appointments that a text says are cancelled, and return them.

    One's own are not called off by what another has said, unless the other has a part in what one does not host.
    """
    found = cancellations(text)
    if not found:
        return []
    names, heard = fact_words(" ".join(view.names)), _is_hearsay(mind, text, talked_with)
    meant = [
        each
        for each in mind.facts.commitments.ahead(view.now)
        if any(_names(mind, named, each, names) for named in found) and not (heard and _is_own(mind, each, talked_with))
    ]
    for each in meant:
        mind.facts.commitments.close(each, "called off", view.now, reason=text)
    return meant


def note_missed(mind: Mind, view: TownView, text: str) -> None:
    """Note the appointments that have begun and that the persona's own thought says it has missed: to be at their place
    later does not keep them.
    """
    told = PLANNING.sub("", text)
    own = told.partition(" ")[0] == mind.name.partition(" ")[0]
    if (
        not own
        or HEARD_FROM.search(told)
        or not (found := MISSES.search(told))
        or NEGATES.search(told[: found.start()])
    ):
        return
    names = fact_words(" ".join(view.names))
    for each in mind.facts.commitments.due(view.now):
        if _names(mind, told, each, names):
            mind.facts.commitments.close(each, "broken", view.now)


def _names(mind: Mind, named: str, commitment: Commitment, people: frozenset[str]) -> bool:
    """Return whether a clause shares a word with a commitment, but for names of people, and no other place is named."""
    place = place_in(mind, named)
    elsewhere = place and commitment.place and place != commitment.place
    return not elsewhere and bool((fact_words(named) - people) & fact_words(commitment.what))


def _is_hearsay(mind: Mind, text: str, talked_with: str) -> bool:
    """Return whether a text says what another has told; of a talk, all that does not begin with oneself."""
    told = PLANNING.sub("", text)
    if HEARD_FROM.search(told):
        return True
    own = told.partition(" ")[0] == mind.name.partition(" ")[0]
    return bool(talked_with) and (not own or bool(re.search(r"\b(?:heard|learned|found out|knows)\b", told)))


def _is_own(mind: Mind, commitment: Commitment, talked_with: str) -> bool:
    """Return whether one hosts what a commitment is about, or it is of one's own plan or identity, not the other's."""
    hosts = HOSTS.search(commitment.what)
    own = commitment.what.startswith(mind.name.partition(" ")[0]) and not HEARD_FROM.search(commitment.what)
    if own and hosts:
        return True
    planned_with = commitment.source == PLAN and talked_with in commitment.people
    of_other = bool(talked_with) and (planned_with or talked_with in commitment.what)
    return commitment.source in {IDENTITY, PLAN} and not of_other
