"""Measure how well the town lives with a small model: a day whose right answers are spoilt by its habits.

The offline rules answer, and their answers are spoilt: at random, by a profile of tests/servers/spoiling.yaml, or by a
model that errs the same way every time or has another temperament (temperaments.py). The table shows what had to be
asked again, what was never answered, the nonsense that is remembered, how much more is asked than with the first model
of the list, and whether people were in places that fit what they did.
`python benchmarks/spoiling.py` runs a day of twenty-five people for each profile, in some minutes. A morning of three:
`python benchmarks/spoiling.py --base base_the_ville_isabella_maria_klaus --history the_ville/agent_history_init_n3.csv
--steps 4320 none small systematic talker yes-sayer`.
"""

import argparse
import asyncio
import re
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from lived_day import LivedMinute, fits
from temperaments import MODELS, PLANTED, PROFILES, Spoil, Spoilt, hints_of, model_named, spoilt_reply

from ville.assembly.run import open_simulation
from ville.llm.gateway import Chat, ChatReply, ChatRequest
from ville.persona.persona import Persona
from ville.settings import Settings, load_settings
from ville.simulation.running.run_loop import StopRequest, run
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.step import StepReport
from ville.simulation.talks.whispers import load_history

DAY = 8640
DAYTIME = range(10, 19)
"""Hours at which no one is expected in bed."""
NONSENSE = re.compile(
    "|".join([
        r"(?i:\bas an AI\b|language model)", r"<[^<>]*>", r"[*_`]{1,3}\w", r"[{}\[\]]", r"\b(?:None|N/A|null)\b",
        r"[\u0400-\u04ff\u3040-\u30ff\u4e00-\u9fff]", *map(re.escape, PLANTED),
    ])
)  # fmt: skip
"""Parts of memories that no one of the town would have."""
CHARACTERS = 4
"""Characters of a token."""
SHOWN = 8
"""Pieces of nonsense that are printed."""
HINT = 3
"""Words from which a hint is more than a word of the town."""


@dataclass
class SpoiltChat:
    """Chat client whose right answers are spoilt before they are read."""

    chat: Chat
    spoil: Spoil
    calls: int = 0
    characters: int = 0
    """Characters asked and answered."""
    hints: set[str] = field(default_factory=set)
    """Words of the forms and prompts that were asked, which no one would remember."""
    shown: Counter[str] = field(default_factory=Counter)
    """Number of answers by habit."""
    sent_back: Counter[str] = field(default_factory=Counter)
    """Those of them that were sent back; they may show other habits too."""
    _last: dict[tuple[str, str], Spoilt] = field(default_factory=dict)

    async def complete(self, request: ChatRequest) -> ChatReply:
        reply = await self.chat.complete(request)
        spoilt = self.spoil(request, reply.text)
        self._count(request, spoilt)
        return spoilt_reply(reply, spoilt)

    def _count(self, request: ChatRequest, spoilt: Spoilt) -> None:
        self.calls += 1
        self.characters += sum(len(message.content) for message in request.messages) + len(spoilt.text)
        self.hints.update(hint for hint in hints_of(request) if len(hint.split()) >= HINT)
        asked = (request.persona, request.messages[0].content)
        if len(request.messages) > 1:
            self.sent_back.update(self._last[asked].habits)
        self.shown.update(spoilt.habits)
        self._last[asked] = spoilt


@dataclass
class PlaceCounts:
    """Where people are at the full hours of the day."""

    seen: int = 0
    """Sights of people who are not talking."""
    in_bed: int = 0
    judged: int = 0
    """Sights of people who do something of which it is known where it is done (truths.yaml)."""
    fitting: int = 0

    def count(self, persona: Persona, now: datetime) -> None:
        action = persona.scratch.action
        if action is None or persona.scratch.conversation:
            return
        self.seen += 1
        self.in_bed += action.asleep or action.address.endswith(":bed")
        good = fits(LivedMinute(persona.name, now, action.description, action.address, bed=""))
        self.judged += good is not None
        self.fitting += bool(good)

    def shares(self) -> str:
        fitting = f"{self.fitting / self.judged:.1%} in a place that fits" if self.judged else "no place to judge"
        return f"{self.in_bed / max(1, self.seen):.1%} in bed, {fitting}"


@dataclass
class ProfileResult:
    """Result of a day with a profile."""

    asked: int = 0
    corrected: int = 0
    asked_by_question: Counter[str] = field(default_factory=Counter)
    fallbacks: Counter[str] = field(default_factory=Counter)
    talks: int = 0
    nonsense: list[str] = field(default_factory=list)
    noon: PlaceCounts = field(default_factory=PlaceCounts)
    daytime: PlaceCounts = field(default_factory=PlaceCounts)

    def count(self, report: StepReport) -> None:
        self.talks += len(report.talks)
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
    parser.add_argument("models", nargs="*", metavar="model", choices=[*MODELS, []], help=", ".join(MODELS))
    choice, first = parser.parse_args(), None
    for profile in choice.models or PROFILES:
        with tempfile.TemporaryDirectory() as storage:
            shutil.copytree(load_settings().fs_storage / choice.base, Path(storage) / choice.base)
            environment = {"VILLE_PROVIDER": "offline", "VILLE_EMBEDDER": "hashing", "VILLE_MAX_FALLBACKS": "0"}
            settings = replace(
                load_settings(environment=environment), fs_storage=Path(storage), seed=choice.seed, fsync=False
            )
            chat, outcome = asyncio.run(_day(settings, choice, profile))
            first = first or chat
            print("\n".join(_lines(profile, chat, outcome, first)), flush=True)


async def _day(settings: Settings, choice: argparse.Namespace, profile: str) -> tuple[SpoiltChat, ProfileResult]:
    """Run a day and return what was asked, and its figures."""
    simulation = open_simulation(settings, choice.base, "day")
    if choice.history:
        await load_history(simulation, settings.assets / choice.history)
    chat = SpoiltChat(simulation.models.chat, model_named(profile, choice.seed))
    simulation.models = replace(simulation.models, chat=chat)
    outcome = ProfileResult()

    def watch(report: StepReport) -> None:
        outcome.count(report)
        _look(simulation, report, outcome)

    await run(simulation, choice.steps, autosave=0, watch=watch, stop=StopRequest())
    simulation.save()
    outcome.nonsense = list(_nonsense(simulation, chat.hints))
    await simulation.close()
    return chat, outcome


def _nonsense(simulation: Simulation, hints: Iterable[str]) -> Iterator[str]:
    """Yield what is remembered, or was said in a talk, although no one of the town would."""
    for name, persona in simulation.town.personas.items():
        speaker = (f"{name}:", f"{name.split()[0]}:")
        for node in persona.mind.stream:
            said = [str(line[-1]) for line in node.filling or () if isinstance(line, list | tuple)]
            for text in [node.description, *said]:
                if NONSENSE.search(text) or text.startswith(speaker) or any(hint in text for hint in hints):
                    yield text


def _look(simulation: Simulation, report: StepReport, outcome: ProfileResult) -> None:
    """Count where people are, at full hours of the day."""
    if (report.now.minute, report.now.second) != (0, 0) or report.now.hour not in DAYTIME:
        return
    for persona in simulation.town.personas.values():
        outcome.daytime.count(persona, report.now)
        if report.now.hour == 12:  # noqa: PLR2004 - noon
            outcome.noon.count(persona, report.now)


def _lines(profile: str, chat: SpoiltChat, outcome: ProfileResult, first: SpoiltChat) -> Iterable[str]:
    asked, fallen = max(1, outcome.asked), outcome.fallbacks.total()
    more = f"× {chat.calls / max(1, first.calls):.2f} calls, × {chat.characters / max(1, first.characters):.2f} tokens"
    yield f"{profile}: {asked:,} questions, {chat.calls:,} calls, {chat.characters // CHARACTERS:,} tokens ({more})"
    yield f"  {outcome.talks:,} talks, {len(outcome.nonsense):,} pieces of nonsense remembered or said"
    corrections = f"{outcome.corrected:,} corrections ({outcome.corrected / asked:.1%})"
    yield f"  {corrections}, {fallen:,} fallbacks ({fallen / asked:.2%})"
    yield f"  at noon {outcome.noon.shares()}; at the full hours from 10 to 18 {outcome.daytime.shares()}"
    for question, times in outcome.fallbacks.most_common():
        yield f"  fallback {question}: {times:,} of {outcome.asked_by_question[question]:,}"
    for habit, times in chat.sent_back.most_common():
        yield f"  sent back with {habit}: {times:,} of {chat.shown[habit]:,}"
    for text, times in Counter(outcome.nonsense).most_common(SHOWN):
        yield f"  nonsense, {times:,} times: {text}"


if __name__ == "__main__":
    main()
