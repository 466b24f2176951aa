"""People at steps of their own: the same files as in lockstep, whoever is ahead of whom."""

import asyncio
from dataclasses import replace
from random import Random

import pytest

from ville.assembly import run as assembly
from ville.errors import GivenUp, Refused
from ville.llm.concurrency import ConcurrencyLimiter, LimitedClient
from ville.simulation.interventions.intervention import API
from ville.simulation.interventions.kinds.event import Happening
from ville.simulation.interventions.kinds.object import ObjectState
from ville.simulation.interventions.kinds.visitor_in import VisitorIn
from ville.simulation.interventions.kinds.visitor_out import VisitorOut
from ville.simulation.interventions.kinds.visitor_walk import VisitorWalk
from ville.simulation.interventions.kinds.whisper import Whisper
from ville.simulation.interventions.planned import Planned
from ville.simulation.resting import Resting
from ville.simulation.running.run_loop import StopRequest, run

SCHEDULES = ("distance", "rooms")
STEPS = 240
"""Of a minute each, from half past five on: all are asleep before."""


class Slow:
    """Answers that come when they like; which ones, depends on the question only."""

    def __init__(self, chat):
        self._chat, self._chance = chat, Random()  # noqa: S311 - the delays must not matter

    async def complete(self, request):
        for _ in range(self._chance.randrange(40)):
            await asyncio.sleep(0)
        return await self._chat.complete(request)


@pytest.fixture
def live(townsfolk, monkeypatch):
    """Run a town until a step, and save it: `live(town, "new", schedule="rooms", slots=2)`."""
    monkeypatch.setattr("ville.assembly.models.offline_chat", lambda *_: townsfolk)
    monkeypatch.setattr("ville.persona.cognitive_modules.react.talks", lambda *_: True)

    async def live_it(town, name, origin="base", *, until=STEPS, slow=Slow, watch=lambda *_: None, **settings):
        slots, autosave, planned = settings.pop("slots", 64), settings.pop("autosave", 0), settings.pop("planned", ())
        simulation = await assembly.open_at(replace(town.settings, **settings), origin, name)
        if planned:
            simulation.plan(planned)
        limited = LimitedClient(slow(simulation.models.chat), ConcurrencyLimiter(slots))
        simulation.models = replace(simulation.models, chat=limited)
        steps = until - simulation.clock.step
        try:
            await run(
                simulation, steps, autosave=autosave, watch=lambda each: watch(simulation, each), stop=StopRequest()
            )
            simulation.save()
        finally:
            await simulation.close()
        return simulation

    return live_it


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 20))])
async def test_the_files_are_those_of_lockstep(random_town, live, seed):
    """Whatever the town, how far people see, whom they meet, how long answers take and how many come at a time."""
    town, settings = random_town(seed)
    await live(town, "lockstep", **settings)
    wanted = town.files("lockstep")
    slots = Random(seed).choice((1, 2, 64))  # noqa: S311 - no secrets
    for schedule in SCHEDULES:
        far = await live(town, schedule, schedule=schedule, slots=slots, **settings)
        assert far.gain.ahead > 0
        assert differing(town.files(schedule), wanted) == []


def differing(files, wanted):
    """The names of files that differ: a comparison of thousands of files says nothing."""
    return sorted(name for name in {*files, *wanted} if files.get(name) != wanted.get(name))


@pytest.mark.parametrize("seed", [5, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(6, 20))])
async def test_who_rests_need_not_be_looked_at(random_town, live, monkeypatch, seed):
    """The files are the same as if everybody were looked at in each step, with saves, whispers, a fire and an event."""
    town, settings = random_town(seed)
    chance = Random(seed)  # noqa: S311 - no secrets
    cafe = "the Town:Hill Cafe:cafe"
    acts = [
        Whisper(who="Ada Stone", words="You want to see the piano."),
        ObjectState(where=f"{cafe}:piano", state="on fire", until=200),
        Happening(where=cafe, words="a band plays", steps=chance.randrange(1, 60)),
    ]
    settings["planned"] = [
        Planned(chance.randrange(10, 200), act, {"door": "file", "id": str(number), "by": ""})
        for number, act in enumerate(acts)
    ]
    settings["autosave"], lain_down, add = chance.choice((37, 120)), [], Resting.add
    with monkeypatch.context() as patched:
        patched.setattr(Resting, "add", lambda *each: lain_down.append(len(each[0])) or add(*each))
        await live(town, "resting", **settings)
    assert max(lain_down) > 0
    with monkeypatch.context() as patched:
        patched.setattr(Resting, "add", lambda *_: None)
        await live(town, "looked_at", **settings)
    assert unlogged(differing(town.files("resting"), town.files("looked_at"))) == []


async def test_a_run_that_was_cut_off_goes_on(random_town, live):
    """From its last save, when people were ahead of others, to the same files; in the end also in lockstep."""
    town, settings = random_town(2)
    await live(town, "lockstep", autosave=40, **settings)
    for schedule in SCHEDULES:
        chance = Random(1)  # noqa: S311 - no secrets
        for _ in range(4):
            with pytest.raises(CutOffError):
                await live(
                    town, schedule, last(town, schedule), schedule=schedule,
                    watch=cut_after(chance.randrange(20, 90)), autosave=40, **settings,
                )  # fmt: skip
        await live(town, schedule, schedule, **settings)
        assert differing(town.files(schedule), town.files("lockstep")) == []


def last(town, name):
    """Return what a run goes on from."""
    return name if (town.root / "storage" / name).exists() else "base"


class CutOffError(Exception):
    """The run ends here, without a save."""


def cut_after(steps):
    left = iter(range(steps))

    def watch(*_):
        if next(left, None) is None:
            raise CutOffError

    return watch


@pytest.mark.parametrize("schedule", SCHEDULES)
async def test_what_comes_from_outside_meets_everybody_at_one_step(random_town, live, schedule):
    """A whisper, an object that is on fire: they come while people are ahead, and have the effect that they would have
    at that step of a lockstep run.
    """
    town, settings = random_town(3)
    acts = [Whisper(who="Ada Stone", words="You want to see the piano."),
            ObjectState(where="the Town:Hill Cafe:cafe:piano", state="on fire")]  # fmt: skip
    came, tasks = [], []

    def interrupt(simulation, report):
        if report.step in {90, 150}:
            tasks.append(asyncio.ensure_future(act(simulation, acts[len(tasks)])))

    async def act(simulation, intervention):
        async with asyncio.timeout(60):
            await simulation.intervene(intervention, source=API)
        came.append(simulation.clock.step)

    await live(town, "far", schedule=schedule, watch=interrupt, **settings)
    await asyncio.gather(*tasks)
    assert len(came) == len(acts)
    assert all(step < STEPS for step in came)
    for number, (step, each) in enumerate(zip(came, acts, strict=True)):
        origin = "base" if number == 0 else "near"
        await live(town, "near", origin, until=step, **settings)
        simulation = assembly.open_simulation(replace(town.settings, **settings), "near", "near")
        await simulation.intervene(each, source=API)
        simulation.save()
        await simulation.close()
    await live(town, "near", "near", **settings)
    assert unlogged(differing(town.files("far"), town.files("near"))) == []


async def test_a_branch_begins_at_one_step(random_town, live):
    """Its beginning is an earlier save of a run in which people were ahead of others."""
    town, settings = random_town(4)
    for how in ("lockstep", *SCHEDULES):
        await live(town, how, autosave=100, schedule=how, until=STEPS - 70, **settings)
        await live(town, f"{how}_branch", f"{how}@125", schedule=how, **settings)
        assert differing(town.files(f"{how}_branch"), town.files("lockstep_branch")) == []


async def test_what_is_planned_meets_everybody_at_one_step(random_town, live):
    """Before its step nobody is ahead of it, and while an object is on fire, nobody is ahead at all."""
    town, settings = random_town(1)
    whisper = Whisper(who="Ben Reed", words="You want to see the piano.")
    fire = ObjectState(where="the Town:Hill Cafe:cafe:piano", state="on fire", until=215)
    door = {"door": "file", "by": ""}
    planned = [Planned(120, whisper, {**door, "id": "one"}), Planned(170, fire, {**door, "id": "other"})]
    for how in ("lockstep", *SCHEDULES):
        await live(town, how, schedule=how, planned=planned, **settings)
        assert unlogged(differing(town.files(how), town.files("lockstep"))) == []


def unlogged(names):
    """Return the names but those of logs, in which are times of day."""
    return [name for name in names if "interventions" not in name]


async def test_a_visitor_meets_everybody_at_one_step(random_town, live):
    """Who comes in the middle, walks about and leaves; while it is there, nobody is ahead of others."""
    town, settings = random_town(1)
    far = set()

    def watch(simulation, report):
        if 120 <= report.step < 170 and len({each.scratch.curr_time for each in simulation.town.personas.values()}) > 1:
            far.add(report.step)

    acts = {
        120: VisitorIn(name="Vera Lund", look="Klaus_Mueller", about="a guest", tile="the Town:Hill Cafe"),
        150: VisitorWalk(name="Vera Lund", to="the Town:Hill Cafe:cafe:piano"),
        170: VisitorOut(name="Vera Lund"),
    }
    planned = [Planned(step, act, {"door": "file", "by": "", "id": str(step)}) for step, act in acts.items()]
    await live(town, "lockstep", planned=planned, **settings)
    for schedule in SCHEDULES:
        ran = await live(town, schedule, schedule=schedule, planned=planned, watch=watch, **settings)
        assert ran.gain.ahead > 0
        assert not far
        assert unlogged(differing(town.files(schedule), town.files("lockstep"))) == []


class Silent(Slow):
    """Answers nothing to one person from some step on."""

    def __init__(self, chat, who, step):
        super().__init__(chat)
        self._who, self._step = who, step
        self.silent = asyncio.Event()

    async def complete(self, request):
        if request.step >= self._step and request.persona == self._who:
            self.silent.set()
            await asyncio.Event().wait()
        return await super().complete(request)


async def test_a_run_that_is_given_up_within_steps_is_not_saved(random_town, live):
    """It would be at several steps at once; it goes on from its last save, to the same files."""
    town, settings = random_town(0)
    await live(town, "lockstep", **settings)
    found, silent = [], []

    def without_ada(chat):
        silent.append(Silent(chat, "Ada Stone", 60))
        return silent[0]

    running = asyncio.create_task(
        live(town, "new", schedule="rooms", slow=without_ada, watch=lambda each, _: found.append(each), **settings)
    )
    while not silent:  # noqa: ASYNC110 - it is made when the run begins
        await asyncio.sleep(0)
    await silent[0].silent.wait()
    for _ in range(5000):  # the others go on as far as they can
        await asyncio.sleep(0)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert found[0].is_torn
    with pytest.raises(GivenUp):
        found[0].save()
    await live(town, "new", "new" if found[0].folder.root.exists() else "base", **settings)
    assert differing(town.files("new"), town.files("lockstep")) == []


MUSING = {"thinking": "meanwhile"}


@pytest.fixture
def musing_town(random_town):
    """Return a random town in which people soon reflect, and the settings with which they think meanwhile."""
    town, settings = random_town(0)
    return town, {"tuning": f"{settings['tuning']} importance_trigger_max=12", **MUSING}


async def test_who_thinks_meanwhile_thinks_the_same_in_any_order(musing_town, live):
    """Whatever the schedule, how long answers take, how many come at a time, and where it was saved or cut off."""
    town, settings = musing_town
    begun = []

    def note(simulation, _):
        begun.extend(each.kind for of in simulation.town.personas.values() for each in of.mind.musings)

    await live(town, "lockstep", autosave=40, watch=note, **settings)
    assert {"sights", "memories", "talk"} == set(begun)
    for schedule in SCHEDULES:
        settings["schedule"] = schedule
        for left in (110, 83):
            with pytest.raises(CutOffError):
                await live(
                    town, schedule, last(town, schedule), slots=2, watch=cut_after(left), autosave=40, **settings
                )
        assert b"found" in town.files(schedule)["reverie/musings.json"]
        await live(town, schedule, schedule, autosave=40, **settings)
        assert differing(town.files(schedule), town.files("lockstep")) == []
        await live(town, f"{schedule}_unsaved", slots=1, **settings)
        differ = differing(town.files(f"{schedule}_unsaved"), town.files("lockstep"))
        assert [name for name in differ if "checkpoints" not in name] == []


async def test_a_branch_thinks_on_what_was_begun(musing_town, live):
    """From a save between the beginning of a thought and the step in which it counts."""
    town, settings = musing_town
    kept = []

    def note(simulation, _):
        begun = [each for of in simulation.town.personas.values() for each in of.mind.musings]
        kept.extend(each.kind for each in begun if each.task is None)

    for how in ("lockstep", *SCHEDULES):
        await live(town, how, autosave=100, schedule=how, until=STEPS - 70, **settings)
        kept.clear()
        await live(town, f"{how}_branch", f"{how}@125", schedule=how, watch=note, **settings)
        assert kept
        assert differing(town.files(f"{how}_branch"), town.files("lockstep_branch")) == []


class Failing(Slow):
    """Does not answer some of those who go on meanwhile."""

    async def complete(self, request):
        if request.due is not None and request.step % 3:
            raise Refused("no")
        return await super().complete(request)


async def test_a_thought_that_failed_begins_anew(musing_town, live, monkeypatch):
    """In the step in which it would have counted; who hears of that is the one who thinks, and in that step."""
    monkeypatch.setattr("ville.simulation.running.run_loop.FATAL", ())
    monkeypatch.setattr("ville.simulation.running.run_loop.MAX_FAILED_STEPS", STEPS)
    town, settings = musing_town
    failed = {how: [] for how in ("lockstep", *SCHEDULES)}
    for how, found in failed.items():
        await live(
            town, how, schedule=how, slow=Failing, autosave=90, **settings,
            watch=lambda _, report, found=found: found.extend((report.step, name) for name in report.failures),
        )  # fmt: skip
        assert found
        assert found == failed["lockstep"]
        assert differing(town.files(how), town.files("lockstep")) == []
    nodes = town.files("lockstep")["personas/Ada Stone/bootstrap_memory/associative_memory/nodes.json"]
    assert b'"type": "thought"' in nodes


async def test_who_thinks_meanwhile_goes_on(musing_town, live):
    """To the step in which it counts, though no answer comes before."""
    town, settings = musing_town
    found, held = [], []

    class Held(Slow):
        async def complete(self, request):
            if request.due is not None and not held:
                held.append(request)
                while not found or found[0].clock.step < request.due:  # noqa: ASYNC110 - steps are watched
                    await asyncio.sleep(0)
            return await super().complete(request)

    async with asyncio.timeout(60):
        await live(town, "new", slow=Held, watch=lambda each, _: found.append(each), **settings)
    assert held[0].due > held[0].step + 1
