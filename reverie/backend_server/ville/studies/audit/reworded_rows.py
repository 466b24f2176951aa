"""The interventions of an arm in another frame, with irrelevant words, for another person, or at another moment."""

from collections.abc import Sequence

from ville.errors import BadArgument
from ville.storage.records.intervention_log import Row
from ville.studies.audit.perturbation import Perturbation
from ville.studies.study import StudyBase

MINUTES, SECONDS = 60, 3600
SMALL = ("The ", "A ", "An ", "There ", "It ", "You ", "Your ", "This ", "That ", "She ", "He ", "They ", "We ")
"""First words that are no names."""
ENDS = " .!?"


def reworded_rows(rows: Sequence[Row], how: Perturbation, people: Sequence[str]) -> list[Row]:
    """Return interventions as a perturbation has them. Raises BadArgument if it changes none."""
    found = [_for_other(row, people) if how.who else _said_otherwise(row, how) for row in rows]
    if found == list(rows):
        told = "no intervention is for one of several people" if how.who else "no intervention says anything"
        raise BadArgument(told)
    return found


def _for_other(row: Row, people: Sequence[str]) -> Row:
    """Return an intervention for the next person by name."""
    names = sorted(people)
    if row.get("who") not in names or len(names) == 1:
        return row
    return _own({**row, "who": names[(names.index(row["who"]) + 1) % len(names)]})


def _said_otherwise(row: Row, how: Perturbation) -> Row:
    if row["kind"] == "history":
        return _own({**row, "rows": [[who, _text(str(text), how)] for who, text in row["rows"]]})
    words = row.get("words")
    return _own({**row, "words": _text(words, how)}) if isinstance(words, str) else row


def _text(words: str, how: Perturbation) -> str:
    if how.filler:
        return _as_long(how.filler, len(words))
    bare = words.rstrip(ENDS)
    small = bare[:1].lower() + bare[1:] if bare.startswith(SMALL) else bare
    return how.words.replace("{words}", small).replace("{Words}", bare)


def _as_long(filler: str, length: int) -> str:
    """Return whole sentences of a text that are together about as long as asked, the longest first."""
    sentences = [each.strip().rstrip(".") for each in filler.split(". ")]
    chosen = [min(sentences, key=lambda each: abs(len(each) - length))]
    while (left := length - len(". ".join([*chosen, ""]))) > min(map(len, sentences)) / 2:
        rest = [each for each in sentences if each not in chosen] or sentences
        chosen.append(min(rest, key=lambda each: abs(len(each) - left)))
    return ". ".join(chosen)


def at_another_moment(rows: Sequence[Row], hours: float, base: StudyBase) -> tuple[list[Row], str]:
    """Return interventions so many hours later, as far as runs go, and a note if that is not as far as asked.

    Raises BadArgument if they cannot be moved.
    """
    steps = round(hours * SECONDS / base.clock.seconds_per_step)
    earliest, latest = (choose(int(row["step"]) for row in rows) for choose in (min, max))
    moved = max(base.clock.step - earliest, min(base.until_step - 1 - latest, steps))
    if not moved or (moved > 0) is not (steps > 0):
        raise BadArgument("it cannot be moved: runs begin or end there")
    minutes = abs(moved) * base.clock.seconds_per_step / MINUTES
    note = "" if moved == steps else f"by {minutes:g} minutes only, where runs begin or end"
    return [_own({**row, "step": int(row["step"]) + moved}) for row in rows], note


def _own(row: Row) -> Row:
    """Return a changed intervention without the identifier of what it was."""
    return {key: value for key, value in row.items() if key != "id"}
