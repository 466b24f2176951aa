"""A comparison as those may know it who only watch: without what came from outside, cost, and commands."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any


def untold(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return a comparison, as JSON, without the words of interventions, and without prompts, costs and commands.

    Words of an intervention are also in the memories of those it concerns, and in questions about them.
    """
    values = dict(found)
    rows = [row for side in ("only_a", "only_b") for row in values["set_up"][side]]
    secrets = [row["words"] for row in rows if row["words"]]
    since: dict[str, int] = {}
    for row in rows:
        for name in row["who"].split(", "):
            since[name] = min(row["step"], since.get(name, row["step"]))
    wordless = {side: _wordless(values["set_up"][side]) for side in ("only_a", "only_b")}
    values["set_up"] = {**values["set_up"], **wordless}
    values["memories"] = [_untold(each, since, ("a", "b")) for each in values["memories"]]
    for side in ("only_a", "only_b"):
        own = values[side]
        values[side] = {**own, "memories": [_untold(each, since, ("text",)) for each in own["memories"]]}
    values["spread"] = [
        {**each, "words": "" if each["via"] == "intervention" else each["words"]} for each in values["spread"]
    ]
    if rows:
        values["prompts"] = [{**each, "lines": [], "answer_a": "", "answer_b": ""} for each in values["prompts"]]
    values["outcomes"] = {**values["outcomes"], "cost_a": None, "cost_b": None}
    for side in ("a", "b"):
        values[side] = {**values[side], "rerun": ""}
    shown: dict[str, Any] = without_texts(values, secrets)
    return shown


def _wordless(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**row, "words": ""} for row in rows]


def _untold(memory: dict[str, Any], since: Mapping[str, int], texts: Sequence[str]) -> dict[str, object]:
    """Return a memory, without its texts if it may come from an intervention."""
    hidden = memory["who"] in since and memory["step"] >= since[memory["who"]]
    return {**memory, **dict.fromkeys(texts, "")} if hidden else memory


def without_texts(value: Any, secrets: Collection[str]) -> Any:
    """Return a JSON value in which each text with one of these words in it is empty."""
    if isinstance(value, str):
        return "" if any(secret in value for secret in secrets) else value
    if isinstance(value, list):
        return [without_texts(each, secrets) for each in value]
    return {key: without_texts(each, secrets) for key, each in value.items()} if isinstance(value, dict) else value
