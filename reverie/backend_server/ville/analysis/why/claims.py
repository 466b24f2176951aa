"""Claims that a chain makes of its act, each with what has to be taken away to test it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import reduce
from operator import add

from ville.analysis.why.cause import ActCause, Chain, Removal
from ville.analysis.why.likeness import words_of

SAME = 0.5
"""Least share of the words that a thought has of its first cause, which others have that say the same."""
KNOWN = frozenset(("memory", "reflection", "history", "plan", "talk"))
"""Kinds of causes of an utterance that say what the speaker knew."""


@dataclass(frozen=True)
class Claim:
    """One named cause, with those that say the same."""

    causes: tuple[ActCause, ...]
    removal: Removal | None
    """None if a run without it cannot be made."""

    @property
    def cause(self) -> ActCause:
        """The one that is named."""
        return self.causes[0]


def claims_of(chain: Chain) -> list[Claim]:
    """Return the claims about an act, the first-named one first: an entry of a plan, and what wrote it; what a speaker
    or thinker knew is one claim, however often it knew it.
    """
    named = chain.named
    if chain.act.kind == "thought":
        return _of_thought(chain, named)
    if chain.act.kind != "utterance":
        written = [chain.causes[key] for cause in named if cause.kind == "entry" for key in cause.because]
        named += [cause for cause in written if cause not in named]
        return [Claim((cause,), _removal(chain, cause)) for cause in named]
    known = [cause for cause in named if cause.kind in KNOWN]
    at = [Claim((cause,), _removal(chain, cause)) for cause in named if cause.kind == "entry"]
    others = [Claim((cause,), _removal(chain, cause)) for cause in named if cause.kind not in {*KNOWN, "entry"}]
    return [*at, *([_together(chain, known)] if known else []), *others]


def _of_thought(chain: Chain, named: list[ActCause]) -> list[Claim]:
    """Return the claims about a thought: memories that say the same of it as the first are one claim with it."""
    if not named:
        return []
    first, *others = named
    shared = words_of(chain.act.words) & words_of(first.words) - words_of(chain.act.who)
    same = [cause for cause in others if _is_memory(cause) and _says(cause, shared)] if _is_memory(first) else []
    rest = [Claim((cause,), _removal(chain, cause)) for cause in others if cause not in same]
    return [_together(chain, [first, *same]), *rest]


def _is_memory(cause: ActCause) -> bool:
    return cause.kind in KNOWN and cause.kind != "talk" and bool(cause.node)


def _says(cause: ActCause, shared: frozenset[str]) -> bool:
    """Return whether a cause has a good part of some words."""
    return bool(shared) and len(words_of(cause.words) & shared) >= SAME * len(shared)


def _together(chain: Chain, causes: list[ActCause]) -> Claim:
    """Return the claim that several causes make, the first of which is named: all are taken away."""
    return Claim(tuple(causes), _all(removal for cause in causes if (removal := _removal(chain, cause))))


def _all(removals: Iterable[Removal]) -> Removal | None:
    """Return what takes all away together; None for none."""
    found = list(removals)
    return reduce(add, found) if found else None


def without_others(claims: list[Claim], kept: Claim) -> Removal | None:
    """Return what takes all other claims away; None if there are none that can be."""
    return _all(each.removal for each in claims if each is not kept and each.removal)


def _removal(chain: Chain, cause: ActCause) -> Removal | None:
    """Return how a cause is taken away: what is known, just before the act; what wrote the plan, before it was made."""
    settled = chain.act.kind == "action" and cause.kind == "reflection"  # it is in the plan already
    if settled or (chain.act.kind == "thought" and cause.kind == "talk"):
        return next(_behind(chain, cause), None)
    removal = cause.removal
    own = removal and (removal.memories or removal.sentences) and not removal.rows
    if removal and own and cause.kind != "plan" and chain.act.kind != "action":
        return replace(removal, step=max(chain.act.step, cause.step + (1 if removal.memories else 0)))
    return removal


def _behind(chain: Chain, cause: ActCause) -> Iterator[Removal]:
    """Yield how the causes of a cause are taken away: it cannot be taken away itself any more."""
    for key in cause.because:
        if removal := chain.causes[key].removal:
            yield removal
