"""Districts of a town on the nodes of a Ray cluster, each an actor, for minds that answer by the rules."""

import pickle
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import process_time
from typing import Any, Self

from ville.assembly.model_choice import chat_config, embedding_config
from ville.assembly.models import retracing_models
from ville.errors import BadArgument, NodeLost
from ville.jobs.ray.cluster import RayModule, connected, last_line
from ville.jobs.ray.ray_pool import settings_to_send
from ville.jobs.ray.ray_worker import RayHandle
from ville.persona.cognitive_modules.mind import Mind
from ville.persona.cognitive_modules.view import Intent
from ville.persona.prompt_template.ask import Tally
from ville.settings import Settings, load_settings
from ville.simulation.clock import Clock
from ville.simulation.simulation import Simulation
from ville.simulation.stepping.district import DistrictStep, DistrictTown, MindDistrict, Mover, StepNews
from ville.simulation.stepping.step import Pair
from ville.storage.past.checkpoints import SetUp
from ville.world.maze import Layers


def check_districts(settings: Settings, recording: str = "") -> None:
    """Raise BadArgument if minds cannot live in districts, or if that would gain nothing."""
    if recording:
        raise BadArgument("A replay is read from one ledger, here. Leave out --engine ray.")
    if chat_config(settings) or embedding_config(settings):
        raise BadArgument(
            "--engine ray is for minds that live by the rules: with a model, its server is what people wait for. Leave "
            "it out, or choose --provider offline --embedder hashing."
        )
    if settings.schedule != "lockstep":
        raise BadArgument(f"--engine ray computes steps in lockstep. Leave out --schedule {settings.schedule}.")


class RayDistrict:
    """A district as an actor of Ray. What Ray itself copies has arrays that cannot be changed; minds have to grow."""

    def __init__(self, layers: Layers, clock: Clock, settings: Mapping[str, object], set_up: SetUp) -> None:
        models, _ = retracing_models(load_settings(settings), Path(), set_up)
        self._district = MindDistrict(layers, clock, models)

    async def call(self, name: str, content: bytes) -> tuple[bytes, float]:
        """Call a method of the district; return what it returns, and seconds of processor. Raise a ReverieError."""
        began = process_time()
        told = pickle.dumps(await getattr(self._district, name)(*_read(content)))
        return told, process_time() - began


def _read(content: bytes) -> Any:
    return pickle.loads(content)  # noqa: S301 - from our own cluster, in which Ray does the same


@dataclass
class Traffic:
    """Traffic between the engine and one district, and what that district did."""

    messages: int = 0
    """Calls, each with its answer."""
    size: int = 0
    """In bytes, both ways, without those of everybody moving in or out."""
    moved: int = 0
    """People who moved out of it in the middle of a step."""
    steps: list[float] = field(default_factory=list)
    """Seconds of processor for each step."""
    moving: float = 0.0
    """Seconds of processor in which everybody moved in or out."""
    carried: int = 0
    """Bytes of everybody moving in or out."""

    def count(self, name: str, size: int, seconds: float) -> None:
        """Add a call of a method."""
        if name in {"settle", "leave"}:
            self.moving += seconds
            self.carried += size
            return
        self.messages += 1
        self.size += size
        if name == "think":
            self.steps.append(seconds)
        else:
            self.steps[-1] += seconds


class CalledDistrict:
    """An actor of Ray as the engine calls it. Methods raise a ReverieError; NodeLost if its node has ended."""

    def __init__(self, actor: RayHandle, ray: RayModule) -> None:
        self._actor, self._errors = actor, ray.exceptions
        self.traffic = Traffic()

    async def settle(self, there: DistrictTown) -> None:
        await self._call("settle", there)

    async def think(self, news: StepNews) -> DistrictStep:
        told: DistrictStep = await self._call("think", news)
        return told

    async def free(self, wishes: Sequence[Intent]) -> tuple[set[str], dict[str, Tally]]:
        told: tuple[set[str], dict[str, Tally]] = await self._call("free", wishes)
        return told

    async def give(self, names: Sequence[str]) -> dict[str, Mover]:
        told: dict[str, Mover] = await self._call("give", names)
        self.traffic.moved += len(told)
        return told

    async def talk(self, pairs: Sequence[Pair], movers: Mapping[str, Mover]) -> DistrictStep:
        told: DistrictStep = await self._call("talk", pairs, movers)
        return told

    async def leave(self) -> dict[str, Mind]:
        told: dict[str, Mind] = await self._call("leave")
        return told

    async def _call(self, name: str, *content: object) -> Any:
        sent = pickle.dumps(content)
        try:
            told, seconds = await self._actor.call.remote(name, sent)
        except self._errors.RayTaskError as fault:
            raise fault.cause from None
        except self._errors.RayError as fault:
            raise NodeLost(
                f"The node of a district has ended: {last_line(fault)} What was saved stands. To go on from there, "
                "give the name of this simulation as its origin, too."
            ) from None
        self.traffic.count(name, len(sent) + len(told), seconds)
        return _read(told)


class RayDistricts:
    """A Ray cluster on whose nodes the minds of one simulation live while its steps are computed."""

    def __init__(self, count: int = 0, address: str = "") -> None:
        """`count`: how many districts; 0: one for each processor. Raises MissingPackage and BadArgument."""
        self._ray = connected(count, address)
        there = int(self._ray.cluster_resources().get("CPU", 0))
        if count > there:
            self._ray.shutdown()
            raise BadArgument(f"The cluster has room for {there} districts, not for {count}. Give --districts {there}.")
        self._count = count or there
        self._districts = tuple[CalledDistrict, ...]()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    def move_in(self, simulation: Simulation, given: Mapping[str, object]) -> list[str]:
        """Let minds live here from the next step on; `given` are settings. Return what is to be said about it. Raises
        SetupError.
        """
        if simulation.town.modules.record:
            return [f"{simulation.name} has minds of its own, which stay in this process."]
        if any(persona.mind.settings.muses for persona in simulation.town.personas.values()):
            return [f"People of {simulation.name} go on while they think, so their minds stay in this process."]
        make = self._ray.remote(num_cpus=1, scheduling_strategy="SPREAD")(RayDistrict).remote
        layers, sent = self._ray.put(simulation.town.maze.layers), settings_to_send(given)
        actors = [make(layers, simulation.clock, sent, simulation.services.set_up) for _ in range(self._count)]
        self._districts = tuple(CalledDistrict(actor, self._ray) for actor in actors)
        simulation.districts = self._districts
        return []

    @property
    def traffic(self) -> list[Traffic]:
        """Traffic with each district so far."""
        return [district.traffic for district in self._districts]

    def lines(self) -> list[str]:
        """Return what it took that minds lived here, in lines."""
        traffic = self.traffic
        if not traffic or not (steps := len(traffic[0].steps)):
            return []
        messages, size = (sum(each.messages for each in traffic) / steps, sum(each.size for each in traffic) / steps)
        came = f"{len(traffic)} districts: {messages:.1f} messages and {size / 1000:.1f} kB a step"
        thought = sum(sum(each.steps) for each in traffic)
        return [
            f"{came}; {sum(each.moved for each in traffic):,} people moved to talk",
            f"{thought:,.1f} s of processor for minds; {slowest(traffic):,.1f} s if each district had one of its own",
        ]


def slowest(traffic: Iterable[Traffic]) -> float:
    """Return the seconds of processor of the slowest district of each step, in all."""
    return float(sum(map(max, zip(*(each.steps for each in traffic), strict=True))))
