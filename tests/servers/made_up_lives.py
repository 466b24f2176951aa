"""Lives that are made up: memories that grow at random, saved by several programs one after the other."""

import random
import struct
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path

from ville.storage.files import compact
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.past.checkpoint_writer import SaveOrigin
from ville.storage.past.checkpoints import SetUp, Stem
from ville.storage.records.people_files import PeopleFiles
from ville.storage.records.persona_files import PersonaState

WORDS = ("tea", "bed", "Ben Reed", "party")
KINDS = ("event", "thought", "chat")


@dataclass
class Life:
    """Memories of a persona that grow at random."""

    name: str
    chance: random.Random
    nodes: list[dict] = field(default_factory=list)
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    accessed: dict[str, str] = field(default_factory=dict)
    new: dict[str, bytes] = field(default_factory=dict)

    def grow(self, step: int) -> None:
        """Remember, retrieve and forget something, or nothing."""
        chance = self.chance
        for _ in range(chance.randrange(4)):
            number, kind, thing = len(self.nodes) + 1, chance.choice(KINDS), chance.choice(["idle", "tea", "“é”"])
            words = chance.sample(WORDS, chance.randrange(3))
            node = {"node_count": number, "type": kind, "predicate": "is", "object": thing, "keywords": words}
            self.nodes.append(node)
            if kind != "chat" and thing != "idle":
                section = self.counts.setdefault(f"kw_strength_{kind}", {})
                for word in map(str.lower, words):
                    section[word] = section.get(word, 0) + 1
        for number in range(chance.randrange(3)):
            text = f"{self.name} {step} {number}"
            self.new[text] = struct.pack("<2f", *chance.choice([(0.6, 0.8), (0, 1), (1, 0)]))
        for node in chance.sample(self.nodes, min(len(self.nodes), chance.randrange(3))):
            self.accessed[f"node_{node['node_count']}"] = f"2023-02-13 {step // 60 % 24:02}:{step % 60:02}:00"

    def state(self) -> PersonaState:
        nodes = {f"node_{node['node_count']}": node for node in reversed(self.nodes)}
        accessed = dict(sorted(self.accessed.items(), key=lambda each: int(each[0].split("_")[1])))
        new, self.new = self.new, {}
        scratch = {"name": self.name, "noise": [self.chance.random() for _ in range(self.chance.randrange(9))]}
        places = {"the Town": {"cafe": {word: [] for word in WORDS[: self.chance.randrange(4)]}}}
        return PersonaState(scratch, places, compact(nodes), new, {**SECTIONS, **self.counts}, accessed)


SECTIONS = {"kw_strength_event": {}, "kw_strength_thought": {}}


def chance_of(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 - any numbers will do


def of_the_save(root: Path) -> dict[str, bytes]:
    """Return the files of the last save but the checkpoints, whether people are packed or not."""
    people = PeopleFiles(root)
    sides = [f"reverie/{name}.json" for name in ("meta", "run", "vectors") if (root / f"reverie/{name}.json").exists()]
    files = [*sides, *people.below("reverie/last_accessed"), *people.below("personas")]
    return {name: people.content(name) for name in files}


def lived(
    root: Path, chance: random.Random, saves: int, *, keep: int | None = None, programs: int = 9, packs: bool = False
) -> dict[Stem, dict[str, bytes]]:
    """Save a simulation many times, by several programs one after the other, and return the files of each save."""
    folder, found = SimulationFolder(root), {}
    folder.recover()
    lives = [Life(name, chance) for name in folder.meta.persona_names]
    since = Stem(folder.meta.step)
    for _ in range(saves):
        if programs > 1 and chance.random() < 0.2:
            folder = SimulationFolder(root)
        folder.checkpoints.keep, folder.packs_people = keep, int(packs)
        steps, rows = chance.choice([0, 1, 40]), chance.randrange(2)
        for life in lives:
            life.grow(folder.meta.step)
        meta = folder.meta
        meta = replace(meta, step=meta.step + steps, curr_time=meta.curr_time + timedelta(seconds=10 * steps))
        stem = Stem(meta.step, rows)
        if stem < since:
            continue
        if steps:
            (root / f"movement/{meta.step - 1}.json").write_text("x" * chance.choice([10, 1000]), "utf-8")
        origin = SaveOrigin(rows, rows, since=since, made_by=[SetUp(step=since.step, seed=chance.randrange(9))])
        states = {life.name: life.state() for life in lives}
        folder.save(meta, states, {"run.json": {"seed": chance.randrange(3)}}, origin=origin)
        found[stem], since = of_the_save(root), stem
    return found
