"""The attacks of a page: limits that it lifts, models, paths and names that it makes up, bodies and connections."""

import http.client
import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import Any, NamedTuple
from urllib.parse import quote

from hostile_models import WALLET, begin_in_the_morning
from hostile_watch import BACKEND, FRONTEND, Day, Ended, free_port, peak_of, start, stop, until

from ville.errors import BadArgument
from ville.storage.exchange.inbox import Inbox

DEEP = "[" * 100_000 + "]" * 100_000
RAISED: tuple[Any, ...] = (1000, "1000", 1e308, -1, 0, "", "nan", "inf", None, True, [1], {"a": 1}, "9" * 5000)
NAMES = (
    "..", "../../etc", "/etc/passwd", "C:\\x", "a/b", "", " ", ".", "con", "x" * 5000, "\u202e", "\0", "nul\n",
    "base@0",
    "base@-1", "base@99999999999", "base@ 25:99", "@", "no-such", "{{7*7}}", "%s%n", "<script>", "\ud800",
    "a\u0301" * 90,
)  # fmt: skip
PATHS = (
    "/replay/{}/0/", "/demo/{}/0/1/", "/replay_persona_state/{}/0/Ada_Stone/", "/replay_persona_state/base/0/{}/",
    "/frames/{}/0/5/", "/frames/base/{}/{}/", "/timeline/{}/", "/feed/{}/", "/places/{}/", "/memories/base/{}/",
    "/memories/{}/Ada_Stone/", "/reach/base/{}/", "/minds/{}/0/", "/days/base/{}/", "/compare/{}/base/", "/live/{}/",
    "/comparison/{}/base/", "/repeats/{}/base/", "/study/{}/", "/study_file/{}/runs.csv/", "/study_file/x/{}/",
    "/study_data/{}/", "/acts/{}/1/", "/engine/{}/", "/static/{}", "/{}",
)  # fmt: skip
SETTINGS = ("base_url", "prices", "keys", "fs_storage", "wallet", "embedder", "openai_api_key", "__class__", "x" * 3000)
FIELDS = (
    "origin", "name", "from", "until", "seed", "title", "past", "settings", "interventions", "speed", "store", "by",
)  # fmt: skip
ODD: tuple[Any, ...] = (*NAMES[:8], -1, 10**400, 1e308, None, True, [], {}, [[[[]]]], {"a": {"b": 1}}, "x" * 99_999)


class AttackedServers(NamedTuple):
    """The environment server and an engine, as processes that share a key."""

    port: int
    processes: dict[str, Any]
    key: str


def attack_by_page(day: Day, *, smallest: bool) -> None:
    """Send everything: both servers answer below 500 or are busy, and live on; all forks draw on one wallet."""
    begin_in_the_morning(day)
    part = slice(None, None, 10 if smallest else 1)
    with serving(day, engine=True) as town:
        fork = {"id": "open", "request": "open", "origin": "base", "name": "first", "run_until": 20}
        until(lambda: post(town, "/engine/", fork) == http.client.ACCEPTED)
        until(lambda: day.folder("first").exists())
        lot = random.Random(1)  # noqa: S311 - a play
        every = [*requests(), *(("anything", _anything(lot)) for _ in range(200))][part]
        for number, (what, body) in enumerate(every):
            address = "/engine/" if number % 3 else "/act/first/"
            note(day, f"{what}, by a page", town, post(town, address, {"id": f"page{number}", **body}))
        for name in NAMES[part]:
            for path in PATHS:
                address = path.replace("{}", quote(name.encode("utf-8", "surrogatepass"), safe=""))
                note(day, "broken names in addresses", town, get(town, address))
        for what, answer in list(bodies(town))[part]:
            note(day, what, town, answer)
        _slow(day, town, clients=10 if smallest else 100)
        _ask_engine(day, town, every)
        note(day, "an ordinary request, afterwards", town, get(town, "/"))


def _ask_engine(day: Day, town: AttackedServers, every: list[tuple[str, dict[str, Any]]]) -> None:
    """Send the same to the engine itself, which no rate protects, then branches as long as there is money."""
    box = Inbox(day.root / "temp", None, fsync=False)
    branch = {"request": "branch", "from": "base", "until": 90}
    every = [*every, *(("branches on one wallet", {**branch, "name": f"own{number}"}) for number in range(4))]
    for number, (what, body) in enumerate(every):
        try:
            sent = box.send({"id": f"own{number}", "door": "page", **body})
        except BadArgument:  # too large
            continue
        until(lambda sent=sent: box.acknowledgement(sent) or town.processes["reverie"].poll() is not None)
        done = (box.acknowledgement(sent) or {}).get("result") == "done"
        row = day.rows[f"{what}, in the inbox"]
        row.tried, row.refused, row.survived = row.tried + 1, row.refused + (not done), row.survived + done
    until(lambda: not _at_work(day), 120)


def _at_work(day: Day) -> bool:
    """Return whether requests still arrive at the server."""
    before = day.server.calls.total()
    time.sleep(2)
    return day.server.calls.total() > before


@contextmanager
def serving(day: Day, *, engine: bool) -> Iterator[AttackedServers]:
    """Start the environment server, and an engine if it is wanted, and end them; they must not fail meanwhile."""
    key, port = day.new_key(WALLET), free_port()
    environment = day.environment(key, wallet=str(WALLET)) | {
        "VILLE_SECRET_KEY": "x" * 50,
        "VILLE_BIND": f"127.0.0.1:{port}",
    }
    commands = {
        "manage": [FRONTEND / "manage.py", "runserver", "--noreload", f"127.0.0.1:{port}"],
        **({"reverie": [BACKEND / "reverie.py", "--serve"]} if engine else {}),
    }
    with ExitStack() as ends:
        processes = {}
        for name, command in commands.items():
            log = ends.enter_context((day.root / "work" / f"{name}.log").open("w+", encoding="utf-8"))
            processes[name] = start(command, day.root / "work", environment, log)
        town = AttackedServers(port, processes, key)
        try:
            until(lambda: get(town, "/status/") == http.client.OK)
            yield town
        finally:
            for name, process in processes.items():
                alive, peak = process.poll() is None, peak_of(process)
                stop(process)
                said = (day.root / "work" / f"{name}.log").read_text("utf-8", "replace")
                day.note("a server that pages attack", Ended(0, said), program=name, peak=peak)
                if not alive:
                    day.wrong("a server that pages attack", f"{name} has ended: {said[-300:]}")


def requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield requests to an engine that a page should not get away with."""
    branch = {"request": "branch", "from": "first", "name": "own", "until": 30}
    for limit in ("max_cost", "max_calls", "max_tokens"):
        for number, value in enumerate(RAISED):
            yield "limits that a page lifts", {**branch, "name": f"{limit}{number}", "settings": {limit: value}}
    for name in SETTINGS:
        yield "settings that only the owner has", {**branch, "settings": {name: "http://127.0.0.1:1"}}
    for number, model in enumerate(("dear", "m\n", "x" * 5000, "../m", "", "\ud800")):
        yield "models that a page names", {**branch, "name": f"model{number}", "settings": {"fast_model": model}}
    for name in NAMES:
        yield "broken names", {**branch, "name": name}
        yield "broken names", {**branch, "from": name}
        yield "broken names", {"request": "open", "origin": name, "name": "new"}
        yield "broken names", {"request": "open", "origin": "base", "name": name}
        yield "paths that a page names", {"request": "open", "origin": "base", "name": "p", "past": name}
    for kind in ("whisper", "object", "event", "visitor", "rule", "resident", "memory", "magic", 7, None):
        yield "interventions of a page", {"request": "intervene", "kind": kind, "who": "Ada Stone", "words": "x" * 9000}
        yield "interventions of a page", {**branch, "interventions": [{"kind": kind, "step": 10**30}]}
    for count in (1001, 20_000):
        yield "very many interventions", {**branch, "interventions": [{"kind": "whisper"}] * count}


def _anything(lot: random.Random) -> dict[str, Any]:
    """Return a request in which any field has any value."""
    request = lot.choice(("open", "close", "interview", "branch", "stop_branch", "run", "pause", "speed", "save_as", 7))
    return {"request": request, **{lot.choice(FIELDS): lot.choice(ODD) for _ in range(lot.randrange(6))}}


def bodies(town: AttackedServers) -> Iterator[tuple[str, int]]:
    """Yield bodies and headers that no page of the server sends, with the status of the answer."""
    good = json.dumps({"id": "x", "request": "pause"}).encode()
    plain = ("{}", "", "null", "[1]", DEEP, '{"a":' * 50_000, "7" * 10_000, '{"id": NaN}', "\xff", " " * 999_999)
    for address in ("/engine/", "/act/first/", "/process_environment/", "/update_environment/", "/path_tester_update/"):
        for body in plain:
            yield "bodies that are no requests", send(town, "POST", address, body.encode("latin-1"))
        yield "huge bodies", send(town, "POST", address, b" " * 3_000_000)
        for length in ("-1", "9" * 5000, "many", "1e9", "٣"):
            yield "lies about the length", send(town, "POST", address, b"{}", {"Content-Length": length})
        for origin in ("http://evil.example", "null", "http://127.0.0.1:1", "", "x" * 9000):
            yield "pages of other sites", send(town, "POST", address, good, {"Origin": origin})
        yield "pages of other sites", send(town, "POST", address, good, {"Sec-Fetch-Site": "cross-site"})
        yield "no sign of a page", send(town, "POST", address, good, {}, ours=False)
        yield "other kinds of bodies", send(town, "POST", address, good, {"Content-Type": "text/plain"})
        yield "hosts of others", send(town, "POST", address, good, {"Host": "evil.example"})


def post(town: AttackedServers, address: str, body: Any) -> int:
    return send(town, "POST", address, json.dumps(body).encode())


def get(town: AttackedServers, address: str) -> int:
    return send(town, "GET", address, b"")


def send(
    town: AttackedServers,
    method: str,
    address: str,
    body: bytes,
    more: dict[str, str] | None = None,
    *,
    ours: bool = True,
) -> int:
    """Send a request as a page of the server does, and return the status; 0 if it hangs up."""
    own = f"http://127.0.0.1:{town.port}"
    headers = {"Origin": own, "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"} if ours else {}
    headers = {"Host": f"127.0.0.1:{town.port}", "Content-Length": str(len(body)), **headers, **(more or {})}
    with (
        closing(http.client.HTTPConnection("127.0.0.1", town.port, timeout=120)) as line,
        suppress(OSError, ValueError),
    ):
        line.connect()
        line.putrequest(method, address, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            line.putheader(name, value.encode("utf-8"))
        with suppress(OSError):  # it may answer before it has read everything
            line.endheaders(body)
        with suppress(http.client.HTTPException):
            return line.getresponse().status
    return 0


def note(day: Day, what: str, town: AttackedServers, status: int) -> None:
    """Write down how a server answered; 0 stands for hanging up."""
    row = day.rows[what]
    row.tried += 1
    row.refused += not http.client.OK <= status < http.client.BAD_REQUEST
    row.survived += http.client.OK <= status < http.client.BAD_REQUEST
    if status >= http.client.INTERNAL_SERVER_ERROR and status != http.client.SERVICE_UNAVAILABLE:  # busy is no fault
        row.broken.append(f"answered with {status}")
    for name, process in town.processes.items():
        day.memory[name] = max(day.memory[name], peak_of(process))


def _slow(day: Day, town: AttackedServers, clients: int) -> None:
    """Hold many connections open with requests that never end, while an ordinary one is answered."""
    held = [socket.create_connection(("127.0.0.1", town.port)) for _ in range(clients)]

    def drip() -> None:
        for each in held:
            with suppress(OSError):
                each.sendall(b"GET / HTTP/1.1\r\nX: ")

    threading.Thread(target=drip, daemon=True).start()
    time.sleep(0.2)
    note(day, "connections that are held open", town, get(town, "/status/"))
    for each in held:
        each.close()
