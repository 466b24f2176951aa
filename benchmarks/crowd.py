"""Base simulations of more people than there are: all again and again, with other family names, in the same homes."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

MEMORY = "bootstrap_memory"
TEXTS = (f"{MEMORY}/scratch.json", f"{MEMORY}/associative_memory/nodes.json")
"""Files that name people. Places that are named after people keep their names: the map has no others."""


def renaming(names: Sequence[str], number: int) -> Callable[[str], str]:
    """Return what gives everyone in a text another family name."""
    letters = f"{chr(65 + number // 26)}{chr(97 + number % 26)}"
    pattern = re.compile("|".join(map(re.escape, names)))

    def rename(text: str) -> str:
        return pattern.sub(lambda found: f"{found[0].partition(' ')[0]} {letters}{found[0].partition(' ')[2]}", text)

    return rename


def crowd_of(origin: Path, target: Path, people: int) -> None:
    """Write a base simulation with so many people, those of the origin first."""
    shutil.copytree(origin, target)
    path, places = target / "reverie/meta.json", target / "environment/0.json"
    meta, here = json.loads(path.read_text("utf-8")), json.loads(places.read_text("utf-8"))
    names = tuple(meta["persona_names"])
    for number in range(len(names), people):
        name, rename = names[number % len(names)], renaming(names, number // len(names))
        other = rename(name)
        shutil.copytree(origin / "personas" / name, target / "personas" / other)
        for file in TEXTS:
            _rename(target / "personas" / other / file, rename)
        here[other] = here[name]
        meta["persona_names"].append(other)
    path.write_text(json.dumps(meta), "utf-8")
    places.write_text(json.dumps(here), "utf-8")


def _rename(path: Path, rename: Callable[[str], str]) -> None:
    """Rename people in a file, but not the home that is named after them, nor texts that have vectors."""
    before = json.loads(path.read_text("utf-8"))
    after = json.loads(rename(path.read_text("utf-8")))
    if "living_area" in before:
        after |= {"living_area": before["living_area"], "first_name": before["first_name"]}
    else:
        for key, node in after.items():
            node["embedding_key"] = before[key]["embedding_key"]
    path.write_text(json.dumps(after), "utf-8")
