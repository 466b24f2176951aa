"""A comparison as one HTML file: what differs, since when, how it spread, what came of it. Nothing private is in it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.comparison.comparison import Comparison
from ville.analysis.comparison.untold import untold, without_texts
from ville.analysis.private_talks import cast_of, private_talks
from ville.sharing.html_file import HtmlFile
from ville.sharing.recording_file import SCRIPTS, script_text, style_text

SHORTEST = 12
"""Characters of words of a user from which on every text that has them is left out."""


def comparison_text(found: Comparison, runs: Iterable[ComparedRun]) -> str:
    """Return the file of a comparison of two runs."""
    both = list(runs)
    secrets = {words for run in both for words in _private_words(run)}
    values = json.loads(json.dumps(found.as_json()))
    shown: dict[str, Any] = without_texts(untold(values), secrets)
    for side in ("only_a", "only_b"):
        shown[side] = _without_empty(shown[side])
    meta = both[0].meta
    shown |= {"start": meta.start.isoformat(), "sec_per_step": meta.sec_per_step}
    script = script_text(SCRIPTS / "comparison_report.js")
    style = style_text("curve.css", "compare.css")
    return HtmlFile(title(found), script, style, {"comparison": shown}, {}).text()


def title(found: Comparison) -> str:
    return f"{found.a.name} – {found.b.name}"


def _private_words(run: ComparedRun) -> Iterator[str]:
    """Yield what users said, what that was about, and the memories that rest on it."""
    private = private_talks(run, cast_of(run))
    for name, nodes in run.memories.items():
        for node in nodes:
            private.note_memory(name, 0, node)
    yield from private.subjects
    for nodes in run.memories.values():
        kept = {node["node_count"] for node in private.without(nodes)}
        for node in nodes:
            if node["node_count"] not in kept:
                lines = node["filling"] if node["type"] == "chat" else ()
                yield from (words for _, words in lines if len(words) >= SHORTEST)
                yield node["description"]


def _without_empty(own: dict[str, Any]) -> dict[str, Any]:
    """Return the records of a side without those of which nothing is left."""
    texts = {kind: [each for each in own[kind] if each["text"]] for kind in ("plans", "memories")}
    talks = [talk for talk in own["talks"] if all(words for _, words in talk["lines"])]
    return {**own, **texts, "talks": talks}
