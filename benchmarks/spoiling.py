"""Measure how well the town lives with a small model: a day whose right answers are spoilt by its habits.

The offline rules answer, their answers are spoilt by a profile of tests/servers/spoiling.yaml, and the table shows what
had to be asked again, what was never answered, and where people were at noon compared with where the rules sent them.
`python benchmarks/spoiling.py` runs a day of twenty-five people for each profile, in some minutes.
"""

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "servers"))

from spoiling import PROFILES, Profile, Spoiler, Spoilt  # noqa: E402

from ville.assembly.run import open_simulation  # noqa: E402
from ville.llm.gateway import Chat, ChatReply, ChatRequest  # noqa: E402
from ville.llm.wire.responses import ResponseChoice  # noqa: E402
from ville.persona.persona import Persona  # noqa: E402
from ville.settings import Settings, load_settings  # noqa: E402
from ville.simulation.running.run_loop import StopRequest, run  # noqa: E402
from ville.simulation.simulation import Simulation  # noqa: E402
from ville.simulation.stepping.step import StepReport  # noqa: E402
from ville.simulation.talks.whispers import load_history  # noqa: E402

DAY = 8640
SUBTASKS, WHERE = "plan/subtasks", "plan/where_and_how"
DAYTIME = range(10, 19)
"""Hours at which no one is expected in bed."""


@dataclass
class SpoiltChat:
    """Chat client whose right answers are spoilt before they are read."""

    chat: Chat
    spoiler: Spoiler
    calls: int = 0
    shown: Counter[str] = field(default_factory=Counter)
    """Number of answers by habit."""
    sent_back: Counter[str] = field(default_factory=Counter)
    """Those of them that were sent back; they may show other habits too."""
    meant: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """Places that the right answers named last, by persona and by the text of the action."""
    _last: dict[tuple[str, str], Spoilt] = field(default_factory=dict)

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self.chat.complete(request)
        messages = [{"role": message.role, "content": message.content} for message in request.messages]
        spoilt = self.spoiler.spoil(messages, reply.text)
        self._count(request, reply, spoilt)
        choice = ResponseChoice.model_validate({"message": {"content": spoilt.text}, "finish_reason": spoilt.finish})
        return replace(reply, text=choice.message.content, fault=choice.fault)

    def _count(self, request: ChatRequest, right: ChatReply, spoilt: Spoilt) -> None:
        self.calls += 1
        asked = (request.persona, request.messages[0].content)
        if len(request.messages) > 1:
            self.sent_back.update(self._last[asked].habits)
        self.shown.update(spoilt.habits)
        self._last[asked] = spoilt
        self.meant[request.persona].update(_places(request, json.loads(right.text)))


def _places(request: ChatRequest, right: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the actions whose places an answer names, with these."""
    activity = request.fields.get("activity", "")
    if request.question == SUBTASKS:
        yield from ((f"{activity} ({step['what']})", f"{step['sector']}:{step['arena']}") for step in right["subtasks"])
    elif request.question == WHERE:
        action = request.fields["action"]
        yield action if action == activity else f"{activity} ({action})", f"{right['sector']}:{right['arena']}"


@dataclass
class PlaceCounts:
    """Where people are at the full hours of the day."""

    seen: int = 0
    """Sights of people who are not talking."""
    in_bed: int = 0
    told: int = 0
    """Sights of people whose right place is known."""
    as_meant: int = 0

    def count(self, persona: Persona, meant: Mapping[str, str]) -> None:
        action = persona.scratch.action
        if action is None or persona.scratch.conversation:
            return
        self.seen += 1
        self.in_bed += action.asleep or action.address.endswith(":bed")
        if place := meant.get(action.description):
            self.told += 1
            self.as_meant += f":{place}:" in action.address

    def shares(self) -> str:
        return f"{self.in_bed / max(1, self.seen):.1%} in bed, {self.as_meant / max(1, self.told):.1%} where meant"


@dataclass
class ProfileResult:
    """Result of a day with a profile."""

    asked: int = 0
    corrected: int = 0
    asked_by_question: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    noon: PlaceCounts = field(default_factory=PlaceCounts)
    daytime: PlaceCounts = field(default_factory=PlaceCounts)

    def count(self, report: StepReport) -> None:
        for tally in report.tallies.values():
            self.asked += tally.asked
            self.corrected += tally.corrected
            self.fallbacks.update(tally.fallbacks)
            self.asked_by_question.update(verdict.title for verdict in tally.judged)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", default="base_the_ville_n25", help="in the storage folder")
    parser.add_argument("--history", default="the_ville/agent_history_init_n25.csv", help="in the assets folder")
    parser.add_argument("--steps", type=int, default=DAY)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("profiles", nargs="*", default=PROFILES, metavar="profile", help=", ".join(PROFILES))
    choice = parser.parse_args()
    for profile in choice.profiles:
        with tempfile.TemporaryDirectory() as storage:
            shutil.copytree(load_settings().fs_storage / choice.base, Path(storage) / choice.base)
            environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing", "VILLE_MAX_FALLBACKS": "0"}
            settings = replace(
                load_settings(environment=environment), fs_storage=Path(storage), seed=choice.seed, fsync=False
            )
            print("\n".join(asyncio.run(_day(settings, choice, profile))), flush=True)


async def _day(settings: Settings, choice: argparse.Namespace, profile: str) -> Iterable[str]:
    """Run a day and return its figures."""
    simulation = open_simulation(settings, choice.base, "day")
    if choice.history:
        await load_history(simulation, settings.assets / choice.history)
    chat = SpoiltChat(simulation.models.chat, Spoiler(Profile.named(profile), choice.seed))
    simulation.models = replace(simulation.models, chat=chat)
    outcome = ProfileResult()

    def watch(report: StepReport) -> None:
        outcome.count(report)
        _look(simulation, chat, report, outcome)

    await run(simulation, choice.steps, autosave=0, watch=watch, stop=StopRequest())
    simulation.save()
    await simulation.close()
    return _lines(profile, chat, outcome)


def _look(simulation: Simulation, chat: SpoiltChat, report: StepReport, outcome: ProfileResult) -> None:
    """Count where people are, at full hours of the day."""
    if (report.now.minute, report.now.second) != (0, 0) or report.now.hour not in DAYTIME:
        return
    for persona in simulation.town.personas.values():
        meant = chat.meant[persona.name]
        outcome.daytime.count(persona, meant)
        if report.now.hour == 12:  # noqa: PLR2004 - noon
            outcome.noon.count(persona, meant)


def _lines(profile: str, chat: SpoiltChat, outcome: ProfileResult) -> Iterable[str]:
    asked, fallen = max(1, outcome.asked), outcome.fallbacks.total()
    yield f"{profile}: {asked:,} questions, {chat.calls:,} calls"
    corrections = f"{outcome.corrected:,} corrections ({outcome.corrected / asked:.1%})"
    yield f"  {corrections}, {fallen:,} fallbacks ({fallen / asked:.2%})"
    yield f"  at noon {outcome.noon.shares()}; at the full hours from 10 to 18 {outcome.daytime.shares()}"
    for question, times in outcome.fallbacks.most_common():
        yield f"  fallback {question}: {times:,} of {outcome.asked_by_question[question]:,}"
    for habit, times in chat.sent_back.most_common():
        yield f"  sent back with {habit}: {times:,} of {chat.shown[habit]:,}"


if __name__ == "__main__":
    main()
