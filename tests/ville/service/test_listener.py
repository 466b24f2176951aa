"""Requests of other programs, as the engine carries them out."""

import asyncio
import json
from dataclasses import replace

import pytest

from ville.errors import BadIntervention
from ville.service import actions, listener
from ville.service.listener import listening
from ville.simulation.interventions.catalogue import parse_intervention
from ville.simulation.interventions.intervention import API
from ville.simulation.requests.run_requests import RemoteSpeed
from ville.simulation.running.run_loop import StopRequest, run
from ville.storage.exchange.inbox import MOST_ATTEMPTS, Inbox
from ville.storage.records.title import read_title


class Session:
    """A session without a prompt: it runs when it is told, and remembers what it was told."""

    def __init__(self, simulation):
        self.simulation = simulation
        self.notices = []
        self.left = asyncio.Event()
        self.running = None
        self.reports = []

    def notice(self, line):
        self.notices.append(line)

    def begin(self, until_step, *, until_talk):
        self.simulation.control.go(until_step, until_talk=until_talk)
        self.running = asyncio.create_task(self.run())

    async def run(self):
        watch, stop = self.reports.append, StopRequest()
        await run(self.simulation, self.simulation.steps_left, autosave=0, watch=watch, stop=stop)

    def leave(self):
        self.left.set()


class Sender:
    """Another program that sends requests, each with an id of its own."""

    def __init__(self, inbox):
        self.inbox = inbox
        self.sent = 0

    def send(self, request, **fields):
        self.sent += 1
        return self.inbox.send({"id": f"id-{self.sent}", "request": request, **fields})

    async def answer(self, number):
        while (ack := self.inbox.acknowledgement(number)) is None:  # noqa: ASYNC110 - a file sends no event
            await asyncio.sleep(0.001)
        return ack

    async def ask(self, request, **fields):
        return await self.answer(self.send(request, **fields))


@pytest.fixture
def sender(small_town):
    return Sender(Inbox(small_town.root / "temp", "new", fsync=False))


@pytest.fixture
def listens(small_town, monkeypatch):
    """Listen for requests to a simulation in a session."""
    monkeypatch.setattr(listener, "INTERVAL", 0)

    def listen(simulation):
        session = Session(simulation)
        return listening(simulation, replace(small_town.settings, fsync=False), session), session

    return listen


def memory(words, **fields):
    return {"kind": "memory_add", "who": "Ada Stone", "words": words, **fields}


def log(small_town, name):
    file = small_town.root / "storage" / name / "reverie/interventions.jsonl"
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def descriptions(simulation, name="Ada Stone"):
    return [node.description for node in simulation.persona(name).mind.stream]


async def test_requests_land_between_two_steps_in_order(opened, listens, sender, small_town, townsfolk):
    """They are sent while a step is computed; the same interventions in a file give the same simulation."""
    simulation = opened("new", questions="paper")
    complete, numbers, steps = townsfolk.complete, [], []

    async def meanwhile(request):
        if len(numbers) < 12 and steps.count(request.step) < 3:
            steps.append(request.step)
            numbers.append(sender.send("intervene", **memory(f"thought {len(numbers)}")))
        return await complete(request)

    townsfolk.complete = meanwhile
    context, session = listens(simulation)
    async with context:
        await sender.ask("run", steps=400)
        await session.running
        acks = [await sender.answer(number) for number in numbers]
    simulation.save()
    rows = log(small_town, "new")
    assert [(ack["step"], ack["n"]) for ack in acks] == [(row["step"], row["n"]) for row in rows]
    assert [row["words"] for row in rows] == [f"thought {number}" for number in range(len(numbers))]
    assert len({row["step"] for row in rows}) > 1
    townsfolk.complete = complete
    sent = small_town.root / "storage/new/reverie/interventions.jsonl"
    again = opened("again", questions="paper", interventions=sent)
    await run(again, 400, autosave=0, watch=lambda _: None, stop=StopRequest())
    again.save()
    files, others = small_town.files("new"), small_town.files("again")
    assert {name for name in files if files[name] != others[name]} <= {"reverie/interventions.jsonl"}
    for row in (*rows, *(repeated := log(small_town, "again"))):
        del row["at"], row["door"]
    assert repeated == rows


async def test_a_run_is_begun_moved_held_and_ended(opened, listens, sender):
    """The end is absolute; a paused run is saved and continues to its end or another one."""
    simulation = opened("new")
    context, session = listens(simulation)
    async with context:
        assert (await sender.ask("pause"))["result"] == "refused"
        assert (await sender.ask("until", until=5))["result"] == "refused"
        assert (await sender.ask("run", until="00:30"))["until_step"] == 30
        paused = await sender.ask("pause")
        step = simulation.clock.step
        assert (simulation.control.state, simulation.folder.meta.step) == ("paused", paused["step"])
        assert await sender.ask("intervene", **memory("held")) | {"step": step} == {
            "id": "id-5", "request": "intervene", "result": "applied", "step": step, "n": 1,
            "said": ["Ada Stone remembers: held"],
        }  # fmt: skip
        assert simulation.clock.step == step
        assert (await sender.ask("until", until=step))["result"] == "refused"
        assert (await sender.ask("run", until=max(40, step + 1)))["result"] == "done"
        await session.running
        assert simulation.clock.step == max(40, step + 1)
        assert (await sender.ask("save"))["step"] == simulation.folder.meta.step == simulation.clock.step
        await sender.ask("run", until="morning")
        last = await sender.ask("stop")
        await session.left.wait()
        await session.running
        assert simulation.clock.step == simulation.folder.meta.step == last["step"] < 360
        assert simulation.control.last_request == sender.sent


async def test_speed_changes_no_file(opened, listens, sender, small_town, run_for):
    """It only waits between steps, and is changed while it waits."""
    simulation = opened("new")
    context, session = listens(simulation)
    async with context:
        await sender.ask("speed", speed=0.5)
        await sender.ask("run", steps=5)
        while simulation.clock.step < 1:  # noqa: ASYNC110 - a clock sends no event
            await asyncio.sleep(0)
        assert (await sender.ask("speed", speed="max"))["step"] == 1
        await session.running
    simulation.save()
    whole = opened("whole")
    await run_for(whole, 5)
    whole.save()
    assert small_town.files("new") == small_town.files("whole")


async def test_an_interview_is_answered_while_the_run_goes_on(opened, listens, sender, small_town, run_for):
    """The run does not wait for it, and no file changes."""
    simulation = opened("new")
    context, session = listens(simulation)
    async with context:
        await sender.ask("run", steps=30)
        while simulation.clock.step < 3:  # noqa: ASYNC110 - a clock sends no event
            await asyncio.sleep(0)
        answer = await sender.ask("interview", who="ada", question="Who are you?")
        assert (answer["result"], answer["text"]) == ("done", "I am Ada Stone.")
        turns = [["Interviewer", "Who are you?"], ["Ada Stone", answer["text"]]]
        again = await sender.ask("interview", who="Ada", question="What do you do?", role="a reporter", history=turns)
        assert {"node", "description", "recency", "relevance", "importance", "score"} == again["memories"][0].keys()
        assert (await sender.ask("interview", who="nobody", question="Who?"))["result"] == "refused"
        await session.running
    simulation.save()
    whole = opened("whole")
    await run_for(whole, 30)
    whole.save()
    assert small_town.files("new") == small_town.files("whole")


async def test_a_talk_is_answered_turn_by_turn_and_remembered_once(opened, listens, sender, small_town, run_for):
    """Turns change nothing; the intervention with all of them is what a persona remembers."""
    simulation, lines = opened("new"), []
    await run_for(simulation, 540)
    context, _ = listens(simulation)
    async with context:
        assert "Ada Stone" in (await sender.ask("say", who="Ada", role="Ada Stone", words="Hi"))["reason"]
        simulation.save()
        before = small_town.files("new")
        for words in ("Hello!", "What are you doing?"):
            answer = await sender.ask("say", who="Ada", role="a reporter", words=words, history=lines)
            lines += [["a reporter", words], ["Ada Stone", answer["text"]]]
            if answer["over"]:
                break
        simulation.save()
        assert small_town.files("new") == before
        talk = {"kind": "talk", "who": "Ada Stone", "as": answer["role"], "lines": lines}
        assert (await sender.ask("intervene", **talk))["result"] == "applied"
    assert [list(turn) for turn in simulation.persona("Ada Stone").scratch.conversation.transcript] == lines
    assert len(lines) > 1


async def test_residents_are_told_as_they_are_now(opened, listens, sender):
    """With a trait that no save has yet."""
    context, _ = listens(opened("new"))
    async with context:
        await sender.ask("intervene", kind="trait", who="Ada Stone", field="innate", now="brave")
        residents = (await sender.ask("residents"))["residents"]
    assert [each["name"] for each in residents] == ["Ada Stone", "Ben Reed", "Cleo Adams Moor"]
    assert (residents[0]["innate"], residents[0]["living_area"].count(":")) == ("brave", 2)


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "request is missing"),
        ({"request": "dance"}, "'dance' is not a request"),
        ({"request": {"a": 1}}, "is not a request"),
        ({"request": "run", "steps": True}, "steps"),
        ({"request": "run", "steps": -1}, "steps"),
        ({"request": "run", "steps": 1, "until": 2}, "exclude"),
        ({"request": "run", "until": "never"}, "'never' is not a time"),
        ({"request": "run"}, "No run is paused"),
        ({"request": "speed", "speed": "fast"}, "speed"),
        ({"request": "speed", "speed": 1e300}, "speed"),
        ({"request": "save", "sudo": 1}, "sudo"),
        ({"request": "save", "door": "prompt"}, "door"),
        ({"request": "intervene", "kind": "magic"}, "magic"),
        ({"request": "intervene", **memory("a", poignancy=11)}, "poignancy"),
        ({"request": "intervene", **memory("a" * 100_000)}, "100,000"),
        ({"request": "intervene", "kind": "memory_add", "who": "<script>", "words": "a"}, "<script>"),
        ({"request": "save", "id": "two words"}, "id"),
        ({"request": "save", "id": None}, "id"),
        ({"request": "save", "by": "\ud800"}, "save: by is not text."),
        ({"request": "interview", "who": 5, "question": "Who?"}, "interview: who is not text."),
        ({"request": "interview", "who": "Ada"}, "interview: question is missing. Add it."),
    ],
)
async def test_a_wrong_request_is_refused_in_a_line(opened, listens, sender, request_, words):
    """It names what is wrong; nothing happens, and nothing is shown."""
    context, session = listens(opened("new"))
    async with context:
        ack = await sender.answer(sender.inbox.send({"id": "x", **request_}))
    assert ack["result"] == "refused"
    assert words in ack["reason"]
    assert "\n" not in ack["reason"]
    assert len(ack["reason"]) < 500
    assert session.notices == []


async def test_an_id_is_carried_out_once_by_this_engine_and_the_next(opened, listens, sender, small_town):
    """In a second file, and after a crash before the acknowledgement was written."""
    simulation = opened("new")
    context, _ = listens(simulation)
    once = {"request": "intervene", **memory("once")}
    async with context:
        first = await sender.answer(sender.inbox.send({"id": "same", **once}))
        (small_town.root / "temp/inbox/new/000000000007.json").write_text(json.dumps({"id": "same", **once}))
        assert await sender.answer(7) == first
    simulation.save()
    await simulation.close()
    (small_town.root / "temp/outbox/new/000000000001.json").unlink()
    (small_town.root / "temp/outbox/new/000000000007.json").unlink()
    simulation = opened("new", "new")
    context, _ = listens(simulation)
    async with context:
        again = await sender.answer(sender.inbox.send({"id": "same", **once}))
    assert (again["result"], again["step"], again["n"]) == ("applied", first["step"], first["n"])
    assert descriptions(simulation).count("once") == len(log(small_town, "new")) == 1


async def test_after_a_crash_new_interventions_wait_for_the_recorded_ones(opened, listens, sender, small_town):
    """The log stays in the order of steps; other requests are not held up."""
    simulation = opened("new")
    context, session = listens(simulation)
    async with context:
        await sender.ask("run", steps=10)
        await session.running
        await sender.ask("intervene", **memory("before"))
    await simulation.close()  # without a save, as after a kill
    simulation = opened("new", "new")
    context, session = listens(simulation)
    async with context:
        late = sender.send("intervene", **memory("after"))
        assert (await sender.ask("save"))["step"] == 0
        assert sender.inbox.acknowledgement(late) is None
        await sender.ask("run", until=20)
        assert (await sender.answer(late))["n"] == 2
        await session.running
    assert [row["words"] for row in log(small_town, "new")] == ["before", "after"]
    assert log(small_town, "new")[0]["step"] == 10
    assert [text for text in descriptions(simulation) if text in {"before", "after"}] == ["before", "after"]


async def test_what_was_sent_to_an_earlier_simulation_of_the_name_is_refused(opened, listens, sender):
    """And a request to leave does not end the next session."""
    simulation = opened("new")
    Inbox(sender.inbox._root, "new").open()
    number = sender.send("intervene", **memory("for another"))
    context, _ = listens(simulation)
    async with context:
        assert (await sender.answer(number))["result"] == "refused"
    simulation.save()
    await simulation.close()
    leaving, saving = sender.send("stop"), sender.send("save")
    context, session = listens(opened("new", "new"))
    async with context:
        assert (await sender.answer(saving))["result"] == "done"
        assert (await sender.answer(leaving))["result"] == "refused"
        assert not session.left.is_set()


async def test_a_request_at_which_the_engine_fails_is_not_tried_for_ever(opened, listens, sender, monkeypatch):
    """Unexpectedly, twice: then it is refused, and what comes after it is carried out."""
    simulation = opened("new")
    simulation.save()

    async def broken(*_):
        return 1 / 0

    monkeypatch.setitem(actions._ACTIONS, RemoteSpeed, broken)
    Inbox(sender.inbox._root, "new").open()
    wrong, right = sender.send("speed", speed=60), sender.send("save")
    for _ in range(MOST_ATTEMPTS):
        context, session = listens(simulation)
        with pytest.raises(ZeroDivisionError):
            async with context:
                await session.left.wait()
        assert sender.inbox.acknowledgement(wrong) is None
    context, session = listens(simulation)
    async with context:
        assert "failed twice" in (await sender.answer(wrong))["reason"]
        assert (await sender.answer(right))["result"] == "done"
        assert (await sender.ask("save"))["result"] == "done"


@pytest.mark.usefixtures("talkative")
async def test_a_run_ends_when_two_begin_to_talk(opened, listens, sender):
    """In the step in which they do, and at the next wish not again; another end takes its place."""
    simulation = opened("new")
    context, session = listens(simulation)
    async with context:
        ack = await sender.ask("run", until="talk")
        assert ack["until_step"] == 24 * 60
        await session.running
        assert simulation.control.ended == "talk"
        assert [bool(report.talks) for report in session.reports[-2:]] == [False, True]
        assert not any(report.talks for report in session.reports[:-1])
        await sender.ask("run", until="talk")
        last = await sender.ask("run", steps=400)
        await session.running
    assert (simulation.control.ended, simulation.clock.step) == ("reached", last["until_step"])


async def test_a_running_simulation_is_saved_as_another_one(opened, listens, sender, small_town, run_for):
    """As it is now; the copy goes on as the original does, under a title of its own. A taken name is refused."""
    simulation = opened("new")
    await run_for(simulation, 400)
    context, _ = listens(simulation)
    async with context:
        assert (await sender.ask("save_as", name="mine", title="My \x1b[1mtown\n"))["name"] == "mine"
        for name in ("mine", "base", "../mine", "con", "a b"):
            assert (await sender.ask("save_as", name=name))["result"] == "refused"
    await run_for(simulation, 20)
    simulation.save()
    await simulation.close()
    copy = opened("mine", "mine")
    assert (copy.clock.step, copy.folder.meta.fork_sim_code) == (400, "new")
    assert read_title(copy.folder.root) == "My town"
    await run_for(copy, 20)
    copy.save()
    files = small_town.files("mine")
    assert files.pop("reverie/title.json")
    assert files == small_town.files("new")


async def test_a_visitor_may_be_called_like_something_built_in(opened, run_for):
    """As programs that read the files may have to bear; what is no name is refused in a line."""
    simulation = opened("new")
    await run_for(simulation, 2)
    tile = simulation.town.tiles["Ada Stone"]
    visitor = {"kind": "visitor_in", "look": "visitor 1", "about": "a painter", "tile": tile}
    for name in ("constructor", "toString", "hasOwnProperty"):
        await simulation.intervene(parse_intervention(visitor | {"name": name}), source=API)
    await run_for(simulation, 2)
    assert {"constructor", "toString", "hasOwnProperty"} < simulation.town.view().people.keys()
    with pytest.raises(BadIntervention, match="'__proto__' is not a name"):
        await simulation.intervene(parse_intervention(visitor | {"name": "__proto__"}), source=API)
