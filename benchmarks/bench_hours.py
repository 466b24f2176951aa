"""Record what the town bench asks in each hour, as the basis of `ville bench --estimate`.

`python benchmarks/bench_hours.py` runs the reference of each town of the definition by the offline rules, with its
history, for each of three seeds, counts the questions of each persona by hour, and takes four characters for a token.
Record anew when the definition, the questions or the rules change much.
"""

import argparse
import asyncio
import json
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path

from ville.assembly.forking import Beginning
from ville.assembly.run import open_at
from ville.json_types import JsonObject
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.llm.wire.schemas import instruction
from ville.settings import load_settings
from ville.simulation.interventions.planned import Planned
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.studies.job import StudyJob, jobs_of
from ville.studies.reading.study_file import study_of
from ville.studies.town_bench.bench_hours import FIELDS_OF_HOUR, HOURS
from ville.studies.town_bench.definition import BenchDefinition, read_definition

CHARACTERS = 4
"""Characters of a token."""
DIGITS = 1


class CountingRules:
    """Chat that counts questions and tokens by hour of the run and persona."""

    def __init__(self, chat: Chat, simulation: Simulation) -> None:
        self._chat, self._clock = chat, simulation.clock
        self.counts: dict[tuple[int, str], Counter[str]] = {}

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self._chat.complete(request)
        hour = request.step * self._clock.seconds_per_step // 3600
        asked = sum(len(message.content) for message in request.messages) + len(instruction(request.schema_text))
        counts = self.counts.setdefault((hour, request.persona), Counter())
        counts["calls"] += 1
        counts[f"{request.tier}_prompt"] += asked // CHARACTERS
        counts[f"{request.tier}_answer"] += len(reply.text) // CHARACTERS
        return reply


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", help="towns (default: all of the definition)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--until", help="until when (default: as the definition says)")
    parser.add_argument("--out", type=Path, default=HOURS, help="file to write to")
    choice = parser.parse_args(arguments)
    definition = read_definition()
    people = choice.people or list(definition.towns)
    found = {str(each): _town(definition, each, choice.seeds, until=choice.until) for each in people}
    choice.out.write_text(json.dumps(found, sort_keys=True, separators=(",", ":")) + "\n", "utf-8")
    print(f"{choice.out} is written.")
    return 0


def _town(definition: BenchDefinition, people: int, seeds: int, *, until: str | None) -> JsonObject:
    """Return the means over seeds, by persona and hour: the fields of FIELDS_OF_HOUR, where there are any."""
    town = definition.towns[people]
    content = {
        "base": town.base, "history": town.history, "until": until or town.until, "seeds": seeds,
        "settings": {**definition.settings, "provider": "offline"},
    }  # fmt: skip
    given = {"fsync": False}
    study = study_of(content, "bench-hours", given)
    sums: dict[str, dict[int, Counter[str]]] = {name: {} for name in study.bases[0].people}
    for job in jobs_of(study, given):
        for (hour, name), counts in asyncio.run(_counted(job)).items():
            sums[name].setdefault(hour, Counter()).update(counts)
    clock, end = study.bases[0].clock, study.bases[0].until_step
    means = {
        name: {
            str(hour): [round(counts[each] / seeds, DIGITS) for each in FIELDS_OF_HOUR] for hour, counts in of.items()
        }
        for name, of in sums.items()
    }
    return {"hours": ceil(end * clock.seconds_per_step / 3600), "people": means}


async def _counted(job: StudyJob) -> dict[tuple[int, str], Counter[str]]:
    """Run the reference with one seed in a folder of its own, and return what was asked."""
    settings = load_settings(job.settings)
    with tempfile.TemporaryDirectory() as storage:
        base = job.origin.partition("@")[0]
        (Path(storage) / base).symlink_to((settings.fs_storage / base).resolve())
        beginning = Beginning(added=[Planned.from_row(dict(row), "history", logged=False) for row in job.rows])
        simulation = await open_at(
            replace(settings, fs_storage=Path(storage), seed=job.seed), base, "counted", beginning=beginning
        )
        counting = CountingRules(simulation.models.chat, simulation)
        simulation.models = replace(simulation.models, chat=counting)
        await run(simulation, job.until_step - job.first_step, autosave=0, watch=lambda _: None, stop=StopRequest())
        await simulation.close()
    print(f"seed {job.seed}: {sum(each['calls'] for each in counting.counts.values()):,} questions", flush=True)
    return counting.counts


if __name__ == "__main__":
    raise SystemExit(main())
