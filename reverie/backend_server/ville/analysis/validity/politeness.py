"""Whether people are too polite: shares of lines that agree, thank or praise, and of those that disagree."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ville.analysis.validity.finding import ValidityFinding, estimated_share, finding, not_said
from ville.analysis.validity.talk_words import SILENT, SaidLine, word_pattern
from ville.plain_text import shortened

POLITE = ("agrees", "thanks", "compliments")
DISAGREES = "disagrees"
SHOWN, LONGEST = 3, 90


def politeness(lines: Sequence[SaidLine]) -> Iterator[ValidityFinding]:
    """Yield findings on agreement and on disagreement."""
    if not lines:
        yield not_said("politeness", SILENT)
        yield not_said("disagreement", SILENT)
        return
    shares = (f"{what} {_share(lines, (what,)):.1%}" for what in POLITE)
    yield _found("politeness", lines, POLITE, [f"of {len(lines):,} lines: {', '.join(shares)}; some do several"])
    yield _found("disagreement", lines, (DISAGREES,), _examples(lines))


def _found(key: str, lines: Sequence[SaidLine], sections: Sequence[str], details: Sequence[str]) -> ValidityFinding:
    marks: defaultdict[tuple[str, str], list[bool]] = defaultdict(list)
    for line in lines:
        marks[line.run, line.who].append(_is_any(line, sections))
    return finding(key, *estimated_share(marks, "lines"), details)


def _share(lines: Sequence[SaidLine], sections: Sequence[str]) -> float:
    return sum(_is_any(line, sections) for line in lines) / len(lines)


def _is_any(line: SaidLine, sections: Sequence[str]) -> bool:
    return any(word_pattern(section).search(line.words) for section in sections)


def _examples(lines: Sequence[SaidLine]) -> list[str]:
    found = [line for line in lines if _is_any(line, (DISAGREES,))]
    told = [f"{each.run}, {each.who} ({each.node}): {shortened(each.words, LONGEST)}" for each in found[:SHOWN]]
    return [f"{len(found):,} of {len(lines):,} lines", *told]
