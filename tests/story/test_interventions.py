"""The town is changed from outside, by any door, and the same again in a replay."""

import json
from itertools import count

import pytest
from chat_server import Reply, completion
from outside import Outside, started, wait
from sample_requests import KEY
from waiting import PATIENCE

from ville.api.town_session import TownSession
from ville.errors import Refused
from ville.settings import Settings
from ville.storage.records.intervention_log import LOG, read_rows

STEPS = 420
ADA, BEN = "Ada Stone", "Ben Reed"
OWN = {"door", "by", "id", "at"}
"""Keys of the log about who sent a row."""
NEW_RESIDENT = {
    "kind": "resident_in", "name": "Dora Quill", "age": 30, "innate": "calm", "learned": "Dora Quill binds books.",
    "currently": "Dora Quill has just arrived.", "lifestyle": "Dora Quill goes to bed around 10pm.",
    "home": "the Town:Cleo's flat:main room", "look": "visitor 7",
}  # fmt: skip
PLAN = (
    (0, {"kind": "whisper", "who": ADA, "words": "You want to sing at the cafe"}),
    (380, {"kind": "memory_add", "who": BEN, "words": "Ada Stone has a boat", "poignancy": 9}),
    (380, {"kind": "trait", "who": BEN, "field": "currently", "now": "Ben Reed builds a boat"}),
    (380, {"kind": "object", "where": "ada's flat > bed", "state": "burning", "until": 410}),
    (380, {"kind": "event", "where": "the Town", "words": "the bells ring", "steps": 3}),
    (400, {"kind": "resident_out", "who": "Cleo Adams Moor"}),
    (400, NEW_RESIDENT),
    (400, {"kind": "memory_drop", "who": ADA, "node": "node_1"}),
)


@pytest.fixture
def town(storage, server):
    """The small town, connected to the server as to OpenAI."""
    storage.settings.update(
        VILLE_PROVIDER="openai", VILLE_EMBEDDER="openai", VILLE_BASE_URL=server.url, OPENAI_API_KEY=KEY
    )
    return storage


def by_prompt(town, name):
    """Type the plan."""
    typed, step = ["base", name], 0
    for due, fields in PLAN:
        typed += [f"run {due - step}"] if due > step else []
        step = due
        if fields["kind"] == "whisper":
            typed += [f"call -- whisper {fields['who']}", fields["words"]]
        else:
            typed.append(f"intervene {json.dumps(fields)}")
    code, out = town.run("reverie", typed="\n".join([*typed, f"run {STEPS - step}", "fin", ""]))
    assert (code, "Traceback" in out) == (0, False), out


def by_file(town, name):
    """Give the plan in advance."""
    path = town.root / "plan.jsonl"
    path.write_text("\n".join(json.dumps({"step": step, **fields}) for step, fields in PLAN), "utf-8")
    code, out = town.run("reverie_offline", "-o", "base", "-t", name, "-s", STEPS, "--interventions", path)
    assert code == 0, out


def by_log_of(other):
    """Give the log of another run in advance."""

    def run(town, name):
        log = town.folder(other) / "reverie" / LOG
        assert town.run("reverie_offline", "-o", "base", "-t", name, "-s", STEPS, "--interventions", log)[0] == 0

    return run


def opened(town, name):
    """Return a session of Python."""
    places = {"fs_storage": "storage", "fs_temp_storage": "temp", "assets": "assets"}
    settings = Settings(
        **{key: town.root / place for key, place in places.items()}, provider="openai", embedder="openai", seed=1,
        base_url=town.settings["VILLE_BASE_URL"], keys={"openai": KEY},
    )  # fmt: skip
    return TownSession(settings, "base", name)


def by_python(town, name):
    """Call the package."""
    with opened(town, name) as session:
        for step, fields in PLAN:
            session.run(steps=step - session.step)
            rest = {name: value for name, value in fields.items() if name != "kind"}
            match fields["kind"]:
                case "whisper":
                    session.whisper("Ada", fields["words"])
                case "object":
                    session.set_object(**rest)
                case "event":
                    session.happen(**rest)
                case _:
                    session.intervene(fields)
        session.run(steps=STEPS - session.step)


def by_inbox(town, name):
    """Send requests to an engine that runs."""
    process, outside = started(town, name=name), Outside(town, name)

    def status():
        shown = json.loads((town.root / "temp/backend_status.json").read_text("utf-8"))
        return shown["step"], shown["state"]

    def run(until):
        assert outside.ask(process, "run", f"run-{until}", until=until)["result"] == "done"
        wait(lambda: status() == (until, "waiting"), process)

    step = 0
    for number, (due, fields) in enumerate(PLAN):
        if due > step:
            run(step := due)
        ack = outside.ask(process, "intervene", f"row-{number}", **fields)
        assert (ack["result"], ack["step"]) == ("applied", due), ack
    run(STEPS)
    outside.ask(process, "stop", "stop")
    assert process.communicate(timeout=PATIENCE)[1] == ""


def all_but(town, name, *parts):
    files = town.files(name)
    return {path: files[path] for path in files if not any(part in path for part in ("/ledger.", *parts))}


def told(town, name):
    rows = read_rows(town.folder(name) / "reverie" / LOG)
    return [{key: row[key] for key in row.keys() - OWN} for row in rows]


@pytest.mark.slow
def test_all_doors_give_the_same_files(town, server):
    """And a replay, which is told nothing again and makes no call, has even the same log."""
    by_prompt(town, "typed")
    doors = {"filed": by_file, "logged": by_log_of("typed"), "called": by_python, "asked": by_inbox}
    for name, door in doors.items():
        door(town, name)
        assert told(town, name) == told(town, "typed")
        one, other = all_but(town, name, LOG), all_but(town, "typed", LOG)
        assert [path for path in one.keys() | other.keys() if one.get(path) != other.get(path)] == [], name
    calls = len(server.requests)
    assert town.run("reverie_offline", "--replay", "typed", "-t", "again")[0] == 0
    assert all_but(town, "again") == all_but(town, "typed")
    assert len(server.requests) == calls


def test_a_history_given_twice_is_whispered_once(town):
    """The same command, repeated after a crash or in a replay of an older habit."""
    (town.root / "assets/history.csv").write_text("Name,Whisper\nAda Stone,You sing\n", "utf-8")
    command = ("reverie_offline", "-t", "day", "-s", 5, "--load-history", "history.csv")
    assert town.run(*command, "-o", "base")[0] == 0
    code, out = town.run(*command, "-o", "day")
    assert (code, "was loaded before" in out, len(told(town, "day"))) == (0, True, 1)
    assert town.run("reverie_offline", "--replay", "day", "-t", "again", "--load-history", "history.csv")[0] == 0
    assert all_but(town, "again") == all_but(town, "day")


def test_what_was_refused_is_paid_once_and_not_replayed(town, server):
    """A provider that never answers twice alike fails in the middle of a whisper, once in each kind of call."""
    numbers = count(1)
    chat, embed = server.chat, server.embed

    def thought(request):
        if "whisper" not in json.dumps(request.body):
            return chat(request)
        return Reply(completion(json.dumps({"thought": f"Ada hears voice {next(numbers)}"}), request))

    server.chat = thought
    with opened(town, "live") as session:
        server.embed = lambda _: Reply(status=401)
        with pytest.raises(Refused):
            session.whisper(ADA, "You want to sing")
        server.embed, asked = embed, len(server.chats)
        session.whisper(ADA, "You want to sing")
        assert [each for each in server.chats[asked:] if "You want to sing" in json.dumps(each.body)] == []
        session.run(steps=5)
    assert town.run("reverie_offline", "--replay", "live", "-t", "again")[0] == 0
    assert all_but(town, "again") == all_but(town, "live")


def test_an_intervention_that_is_not_typed_to_its_end_is_not_made(town):
    """Although only a field with a default is missing."""
    code, out = town.run("reverie", typed=f"base\nlive\nintervene memory_add\n{ADA}\nAda Stone has a boat\n")
    assert (code, "Nothing was changed" in out, told(town, "live")) == (0, True, [])
