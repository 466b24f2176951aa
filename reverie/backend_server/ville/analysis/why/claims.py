"""Claims that a chain makes of its act, each with what has to be taken away to test it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from ville.analysis.why.cause import ActCause, Chain, Removal

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
    knew is one claim, however often it knew it.
    """
    named = chain.named
    if chain.act.kind != "utterance":
        written = [chain.causes[key] for cause in named if cause.kind == "entry" for key in cause.because]
        named += [cause for cause in written if cause not in named]
        return [Claim((cause,), _removal(chain, cause)) for cause in named]
    known = [cause for cause in named if cause.kind in KNOWN]
    others = [Claim((cause,), _removal(chain, cause)) for cause in named if cause.kind not in KNOWN]
    if not known:
        return others
    removals = [removal for cause in known if (removal := _removal(chain, cause))]
    whole = removals[0] if removals else None
    for each in removals[1:]:
        whole = whole + each if whole else each
    return [Claim(tuple(known), whole), *others]


def without_others(claims: list[Claim], kept: Claim) -> Removal | None:
    """Return what takes all other claims away; None if there are none that can be."""
    removals = [each.removal for each in claims if each is not kept and each.removal]
    whole = removals[0] if removals else None
    for each in removals[1:]:
        whole = whole + each if whole else each
    return whole


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
