"""Exchange between the lifestyle policy of personas and the public pools (contract §8.3)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ville.errors import CorruptFile
from ville.json_types import JsonObject
from ville.persona.cognitive_modules.mind import Mind, clean_phrase
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.lifestyle_policy import AnswerT, Entries, LifestylePolicy, PlannedStep
from ville.persona.memory_structures.schedule import Activity
from ville.persona.memory_structures.stream.vectors import Vector
from ville.storage.exchange.public_pool import PersonaPools, PublicPools
from ville.storage.folder.simulation_folder import SimulationFolder
from ville.storage.records.memory_files import POLICY
from ville.storage.records.persona_files import Vectors
from ville.storage.records.vector_rows import as_listed
from ville.world.address import RANDOM, Address

MARK, ARROW = "🧠", "->"
"""AGA writes `🧠💡->` or `🧠🚫->` before emoji."""
LEAST, MOST = 1, 10
"""Importance."""
INVALID = (TypeError, ValueError, KeyError, AttributeError, IndexError, CorruptFile)
NOWHERE = ActionPlace("", "")
Rows = Iterable[tuple[str, int, *tuple[str, ...]]]
"""Activities and minutes, with the parts of places."""
Actions = Mapping[str, Mapping[str, str]]


def take_from_pools(mind: Mind, pools: PersonaPools, embeddings: Mapping[str, Vector], embedder: str) -> None:
    """Add to the policy of a persona what it lacks; entries of another shape are left out.

    Vectors of another or an unknown embedder are left out, too: their entries are found by their exact text only.
    """
    policy, vectors = mind.policy, mind.stream.vectors
    embedders, steps = _section(pools.own, "embedders"), _section(pools.own, "subtasks")
    for task, entry in pools.subtasks.items():
        with suppress(*INVALID):
            _add(policy.subtasks, task, _steps(task, steps.get(task), entry["decomp"], pools.actions))
            if embedders.get(task) == embedder:
                vectors.adopt(task, entry["embedding"])
    parts = {f"{task} ({step.what})" for task in policy.subtasks for step in policy.subtasks[task].answer}
    for text, bundle in pools.actions.items():
        if text in parts:
            continue
        with suppress(*INVALID):
            _add(policy.places, text, _place(bundle))
            if embedders.get(text) == embedder and text in embeddings:
                vectors.adopt(text, embeddings[text])
    for text, score in _section(pools.own, "ratings").items():
        with suppress(*INVALID):
            _add(policy.ratings, text, _score(score))
    for situation in _section(pools.own, "encounters"):
        _add(policy.encounters, situation, len(mind.stream))


def pools_of(folder: SimulationFolder, embedder: str) -> PublicPools:
    """Return what a saved simulation can give to the pools. Raises CorruptFile."""
    personas, embeddings = dict[str, PersonaPools](), dict[str, Sequence[float]]()
    for name, values in (folder.read_side_file(POLICY) or {}).items():
        if name not in folder.meta.persona_names:
            continue
        policy, vectors = LifestylePolicy.read(name, values), folder.vectors.read(name)
        world = Address.parse(str(folder.read_persona(name).scratch["living_area"])).world
        texts = [text for text in (*policy.subtasks, *policy.places) if text in vectors]
        embeddings |= {text: as_listed(vectors[text]) for text in texts}
        personas[name] = PersonaPools(
            subtasks={task: _written_task(task, policy, vectors) for task in policy.subtasks},
            actions=dict(_written_actions(name, world, policy)),
            own={
                "embedders": dict.fromkeys(texts, embedder),
                "subtasks": {task: entry["answer"] for task, entry in values.get("subtasks", {}).items()},
                "ratings": {text: policy.ratings[text].answer for text in policy.ratings},
                "encounters": dict.fromkeys(policy.encounters, 1),
            },
        )  # fmt: skip
    return PublicPools(personas, embeddings)


def _add(entries: Entries[AnswerT], text: str, answer: AnswerT) -> None:
    if text not in entries:
        entries.note(text, answer)


def _section(own: Mapping[str, object], name: str) -> Mapping[str, Any]:
    section = own.get(name)
    return section if isinstance(section, dict) else {}


def _steps(task: str, own: Rows | None, decomp: Iterable[tuple[str, int]], actions: Actions) -> tuple[PlannedStep, ...]:
    """Return the subtasks of a task: as in our own file, else as in AGA's. Raise one of INVALID if there are none."""
    if own:
        steps = [PlannedStep(str(what), int(minutes), ActionPlace(*map(str, place))) for what, minutes, *place in own]
    else:
        rows = [Activity.parse(str(text), int(minutes)) for text, minutes in decomp]
        steps = [PlannedStep(clean_phrase(row.what) or task, row.minutes, _known(row, task, actions)) for row in rows]
    if not steps or any(step.minutes <= 0 for step in steps):
        raise ValueError("there are no subtasks")
    return tuple(steps)


def _known(row: Activity, task: str, actions: Actions) -> ActionPlace:
    """Return the place of a subtask in AGA's pool of actions, if it has one."""
    for text in (f"{task} ({row.what})", row.what):
        with suppress(*INVALID):
            return _place(actions[text])
    return NOWHERE


def _place(bundle: Mapping[str, str]) -> ActionPlace:
    place = Address.parse(bundle["new_address"])
    if not place.arena:
        raise ValueError("it names no arena")
    emoji = str(bundle.get("act_pron") or "")
    emoji = emoji.partition(ARROW)[2] if emoji.startswith(MARK) else emoji
    used = "" if place.object == RANDOM else place.object
    return ActionPlace(place.sector, place.arena, used, emoji, str(bundle.get("act_obj_desp") or ""))


def _score(value: object) -> int:
    if not isinstance(value, int) or not LEAST <= value <= MOST:
        raise ValueError("not a score")
    return value


def _written_task(task: str, policy: LifestylePolicy, vectors: Vectors) -> JsonObject:
    steps = policy.subtasks[task].answer
    return {
        "duration": sum(step.minutes for step in steps),
        "decomp": [[f"{task} ({step.what})", step.minutes] for step in steps],
        "embedding": as_listed(vectors[task]) if task in vectors else None,
    }


def _written_actions(name: str, world: str, policy: LifestylePolicy) -> Iterator[tuple[str, JsonObject]]:
    """Yield the actions whose place is known, by text, as AGA writes them."""
    places = {text: (text, policy.places[text].answer) for text in policy.places}
    for task in policy.subtasks:
        steps = policy.subtasks[task].answer
        places |= {f"{task} ({step.what})": (step.what, step.place) for step in steps if step.place.arena}
    for text, (what, place) in places.items():
        yield (
            text,
            {
                "new_address": str(Address(world, place.sector, place.arena, place.game_object or RANDOM)),
                "act_pron": place.emoji,
                "act_event": [name, "is", what],
                "act_game_object": place.game_object or RANDOM,
                "act_obj_desp": place.object_state,
                "act_obj_pron": "",
                "act_obj_event": [place.game_object or RANDOM, "is", place.object_state],
            },
        )
