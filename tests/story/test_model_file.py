"""A town with a real model, which is served beside the engine: a small one, as it comes."""

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import asynccontextmanager, closing, suppress
from dataclasses import replace
from functools import cache

import pytest
from outside import wait
from situation_files import question_types, read
from small_model import NoModelError, small_model
from waiting import until

from ville.errors import Unreachable
from ville.llm.gateway import EmbeddingRequest
from ville.llm.local import local_server
from ville.llm.local.model_file import model_file
from ville.llm.local.server_folder import ServerFolder
from ville.llm.local.server_plan import ServerPlan
from ville.llm.monitor import CallMonitor
from ville.llm.retry import RetryingClient, RetryPolicy
from ville.llm.wire.endpoint import Endpoint
from ville.llm.wire.openai_client import Connection, OpenAIChat, OpenAIEmbeddings
from ville.llm.wire.providers import PROVIDERS, SERVED
from ville.persona.prompt_template.ask import Caller, Tally, ask

SHORT = 32
"""Tokens of an answer: long ones break off, which is one of the ways in which answers fail."""
PATIENCE = 500
"""Seconds for an answer, or for what is to come, on a busy machine."""
LONG = 7200
"""Seconds for a test that is marked slow."""
USES = """
import asyncio, sys
from ville.llm.local.local_server import LocalServer
from ville.llm.local.server_plan import ServerPlan

async def use():
    server = LocalServer(ServerPlan.read(sys.argv[1]))
    async with server.slot():
        print("uses it", flush=True)
    await asyncio.sleep(10**6)

asyncio.run(use())
"""
"""A program that uses a server until it is killed."""


@pytest.fixture(scope="module")
def weights():
    """The model file; skips the tests without it."""
    try:
        return small_model()
    except NoModelError as fault:
        pytest.skip(f"{fault}; tests of a real model need it")


@pytest.fixture(scope="module")
def plan(weights):
    return ServerPlan.of(model_file(weights, "model_file"), embeds=False)


@pytest.fixture(scope="module", autouse=True)
def loaded(plan):
    """Use the server, so that it is not ended after every test."""
    folder = ServerFolder(plan)
    use = folder.use()
    yield
    folder.leave(use)


@asynccontextmanager
async def served(plan, most=SHORT):
    """A connection to the server of a plan, and a chat client."""
    connection = Connection(Endpoint(PROVIDERS[SERVED], PROVIDERS[SERVED].base_url, served=plan), PATIENCE)
    try:
        yield connection, OpenAIChat(connection, lambda _: "small", answer_tokens=most, temperature="question")
    finally:
        await connection.close()


class Kept:
    """Chat that keeps its requests and replies."""

    def __init__(self, chat):
        self._chat, self.pairs = chat, []

    async def complete(self, request):
        reply = await self._chat.complete(request)
        self.pairs.append((request, reply))
        return reply


@cache
def shortest_of_each():
    """The shortest recorded situation of each kind of question, without most of its memories."""
    kept = sorted(read().situations, key=lambda each: len(each.question.render()))
    return {each.question.title: replace(each, question=shortest(each.question)) for each in reversed(kept)}


def shortest(question):
    shorter = question.shorter()
    return shortest(shorter) if shorter else question


def of_each_module():
    """The shortest question of each cognitive module."""
    found = shortest_of_each()
    by_length = sorted(found, key=lambda title: len(found[title].question.render()), reverse=True)
    return set({title.partition("/")[0]: title for title in by_length}.values())


@pytest.mark.parametrize(
    "titles", [of_each_module, pytest.param(question_types, marks=[pytest.mark.slow, pytest.mark.timeout(LONG)])]
)
async def test_every_kind_of_question_is_answered_or_refused(plan, titles):
    """Never with more than its tokens, and never with an error: there is an answer in form, or a reason against it."""
    situations = {title: each for title, each in shortest_of_each().items() if title in titles()}
    assert len(situations) == len(titles())
    async with served(plan) as (_, wire):
        kept, tally = Kept(wire), Tally()
        for each in situations.values():
            caller = Caller(kept, each.persona, each.step, seed=1, tally=tally, attempts=lambda _: 1)
            assert isinstance(await ask(caller, each.question), each.question.answer)
    assert len(kept.pairs) == len(tally.judged) == len(situations)
    assert all(reply.usage.completion_tokens <= SHORT for _, reply in kept.pairs)
    refused = [verdict.title for verdict in tally.judged if verdict.wrong]
    assert sorted(refused) == sorted(tally.fallbacks)
    assert len(refused) < len(situations) / 2


async def test_an_answer_depends_on_the_question_alone(plan):
    """Not on what was asked before, what is asked at the same time, in which order, or how often."""
    asked = sorted((each.question for each in shortest_of_each().values()), key=lambda each: len(each.render()))[:4]

    async def answers(plan, order):
        async with served(plan, most=16) as (_, wire):
            kept = Kept(wire)
            ask_all = [ask(Caller(kept, "Ada", 0, seed=1, attempts=lambda _: 1), question) for question in order]
            if plan.slots == 1:
                for each in ask_all:
                    await each
            else:
                await asyncio.gather(*ask_all)
            return {request.question: reply.text for request, reply in kept.pairs}

    alone = await answers(replace(plan, slots=1), asked)
    together = await answers(replace(plan, slots=3), [*reversed(asked), asked[0]])
    assert len(set(alone.values())) == len(asked) == 4
    assert together == alone


async def test_a_server_that_dies_is_started_again(plan):
    """The call that it had is made again, and answered as if nothing had happened."""
    plan = replace(plan, context=2048)
    question = shortest_of_each()["plan/wake_up_hour"].question
    async with served(plan) as (_, wire):
        first, again = Kept(wire), Kept(RetryingClient(wire, RetryPolicy(first=0.01), CallMonitor()))
        await ask(Caller(first, "Ada", 0), question)
        died = asyncio.create_task(ask(Caller(Kept(wire), "Ada", 1), question))
        while not died.done():
            local_server._started[-1].kill()
            await asyncio.sleep(0.001)
        with pytest.raises(Unreachable):
            await died
        await ask(Caller(again, "Ada", 0), question)
    assert [reply.text for _, reply in again.pairs] == [reply.text for _, reply in first.pairs]


def test_a_server_ends_with_the_last_program_that_uses_it(plan):
    """However that ends; and there is never more than one."""
    plan = replace(plan, context=1024)
    folder = ServerFolder(plan)
    first, second = (_using(plan) for _ in range(2))
    address = folder.address()
    for each in (first, second):
        assert folder.is_served
        assert folder.address() == address
        each.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        each.communicate()
    assert until(lambda: not folder.is_served)
    assert folder.address() is None


def _using(plan):
    """A program that uses the server of a plan, after it has begun to."""
    process = subprocess.Popen([sys.executable, "-c", USES, plan.text], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "uses it\n"
    return process


async def test_a_model_file_makes_vectors(weights):
    """One of the size that its header says for each text, the same whatever it is sent with."""
    model = model_file(weights, "embedding_file")
    async with served(ServerPlan.of(model, embeds=True)) as (connection, _):
        wire = OpenAIEmbeddings(connection, model.name)
        both, one = [
            (await wire.complete(EmbeddingRequest(texts, "gguf", step=0))).vectors
            for texts in (("tea and bread", "a long walk"), ("a long walk",))
        ]
    assert both.shape == (2, model.vector_size)
    assert (both[1] == one[0]).all()
    assert not (both[0] == both[1]).any()


MORNING, AUTOSAVE = 60 * 9, 60
"""Steps of a minute."""


def answered(storage, name):
    """How many calls of a simulation were answered so far, and how many different ones."""
    file = storage.folder(name) / "reverie/ledger.sqlite3"
    with suppress(sqlite3.Error), closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as ledger:
        counts = "SELECT count(*), count(DISTINCT key) FROM calls WHERE outcome = 'answered'"
        return ledger.execute(counts).fetchone()
    return 0, 0


def lived(storage, *arguments):
    """Run to the end, which may take minutes."""
    process = storage.start("reverie_offline", *arguments)
    out, err = process.communicate()
    assert (process.returncode, "Traceback" in out + err) == (0, False), out + err


@pytest.mark.slow
@pytest.mark.timeout(LONG)
def test_a_morning_is_the_same_after_a_kill(storage, weights):
    """Three people, killed once at work and gone on with: nothing that was answered is asked again, and the files are
    those of another run with the same seed and model.
    """
    storage.settings.update(
        VILLE_PROVIDER=SERVED, VILLE_MODEL_FILE=str(weights), VILLE_ANSWER_TOKENS="120", VILLE_DEADLINE=str(PATIENCE),
        VILLE_MAX_FALLBACKS="0", VILLE_AUTOSAVE=str(AUTOSAVE),
    )  # fmt: skip
    lived(storage, "-o", "base", "-t", "whole", "-s", MORNING)
    half = answered(storage, "whole")[0] // 2
    process = storage.start("reverie_offline", "-o", "base", "-t", "killed", "-s", MORNING)
    wait(lambda: answered(storage, "killed")[0] >= half, process)
    process.kill()
    process.communicate()
    saved = json.loads((storage.folder("killed") / "reverie/meta.json").read_text("utf-8"))["step"]
    lived(storage, "-o", "killed", "-t", "killed", "-s", MORNING - saved)
    whole, killed = (
        {file: content for file, content in storage.files(name).items() if "/ledger." not in file}
        for name in ("whole", "killed")
    )
    assert killed == whole
    for name in ("whole", "killed"):
        calls, different = answered(storage, name)
        assert calls == different > 0
