"""Compares the prompts of two runs: the first that differ, and the words that differ in them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, zip_longest

MOST = 5
"""Changed prompts that are told."""
OUTSIDE = "talk/"
"""Questions that users cause: whispers and interviews."""
WORDS = re.compile(r"\s+|[^\s]+")


@dataclass(frozen=True, order=True)
class AskedQuestion:
    """One question of a run, without corrections."""

    step: int
    persona: str
    question: str
    """Name of its template, for example `plan/day_plan`."""
    prompt: str
    answer: str


@dataclass(frozen=True)
class WordSpan:
    """Words of a line that both prompts have (`both`), or only one (`a`, `b`)."""

    of: str
    words: str


@dataclass(frozen=True)
class ChangedPrompt:
    """A question that was worded otherwise, or that only one run asked."""

    step: int
    time: str
    who: str
    question: str
    lines: tuple[tuple[WordSpan, ...], ...]
    """The lines that differ; none if only one run asked."""
    asked_by: str
    """`both`, `a` or `b`."""
    answer_a: str
    answer_b: str


def changed_prompts(
    a: Iterable[AskedQuestion], b: Iterable[AskedQuestion], *, most: int = MOST
) -> list[tuple[AskedQuestion | None, AskedQuestion | None]]:
    """Return the first pairs of questions that differ; None for one that only the other run asked.

    Both are in the order of steps. Questions of a step are matched whatever the order is in which they were sent.
    """
    found: list[tuple[AskedQuestion | None, AskedQuestion | None]] = []
    for mine, other in _by_step(a, b):
        same = Counter(map(_content, mine)) & Counter(map(_content, other))
        found += _pairs(_without(mine, same), _without(other, same))
        if len(found) >= most:
            break
    return found[:most]


def _by_step(
    a: Iterable[AskedQuestion], b: Iterable[AskedQuestion]
) -> Iterator[tuple[list[AskedQuestion], list[AskedQuestion]]]:
    """Yield the questions of both runs for each step in which any was asked."""
    sides = [groupby(_own_questions(side), key=lambda asked: asked.step) for side in (a, b)]
    heads = [_next_group(side) for side in sides]
    while any(head is not None for head in heads):
        step = min(head[0] for head in heads if head is not None)
        taken: list[list[AskedQuestion]] = []
        for place, head in enumerate(heads):
            there = head is not None and head[0] == step
            taken.append(head[1] if head is not None and there else [])
            heads[place] = _next_group(sides[place]) if there else head
        yield taken[0], taken[1]


def _next_group(
    groups: "groupby[int, AskedQuestion]",
) -> tuple[int, list[AskedQuestion]] | None:
    found = next(groups, None)
    return (found[0], list(found[1])) if found else None


def _own_questions(asked: Iterable[AskedQuestion]) -> Iterator[AskedQuestion]:
    return (each for each in asked if not each.question.startswith(OUTSIDE))


def _content(asked: AskedQuestion) -> tuple[str, str, str]:
    return asked.persona, asked.question, asked.prompt


def _without(asked: Sequence[AskedQuestion], same: Counter[tuple[str, str, str]]) -> list[AskedQuestion]:
    """Return the questions that the other run did not ask in the same words."""
    left, found = Counter(same), []
    for each in asked:
        content = _content(each)
        if left[content]:
            left[content] -= 1
        else:
            found.append(each)
    return found


def _pairs(
    mine: Sequence[AskedQuestion], other: Sequence[AskedQuestion]
) -> Iterator[tuple[AskedQuestion | None, AskedQuestion | None]]:
    """Yield the questions of a step with those that the other run asked in their place."""
    for kind in dict.fromkeys((each.persona, each.question) for each in (*mine, *other)):
        sides = ([each for each in side if (each.persona, each.question) == kind] for side in (mine, other))
        yield from zip_longest(*sides)


def differing_lines(a: str, b: str) -> tuple[tuple[WordSpan, ...], ...]:
    """Return the lines of two prompts that differ, with the words that only one of them has."""
    mine, other = a.splitlines(), b.splitlines()
    found: list[tuple[WordSpan, ...]] = []
    for tag, *span in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag != "equal":
            pairs = zip_longest(mine[span[0] : span[1]], other[span[2] : span[3]], fillvalue="")
            found += [_word_spans(one, two) for one, two in pairs]
    return tuple(found)


def _word_spans(a: str, b: str) -> tuple[WordSpan, ...]:
    mine, other = WORDS.findall(a), WORDS.findall(b)
    spans: list[WordSpan] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, mine, other, autojunk=False).get_opcodes():
        if tag == "equal":
            spans.append(WordSpan("both", "".join(mine[a1:a2])))
        else:
            pieces = (("a", "".join(mine[a1:a2])), ("b", "".join(other[b1:b2])))
            spans += [WordSpan(of, words) for of, words in pieces if words]
    return tuple(spans)
