"""Events that are worth telling, of all that people show."""

import json

import pytest

from translator.feed.feed import FeedEntry, FeedKind, FeedTracker
from translator.shown.feed_text import FeedWriter
from ville.storage.compressed.compression import compress
from ville.storage.steps.step_store import StepStore

ADA, BEN, CAM = "Ada Stone", "Ben Reed", "Cam Lee"


def record(x, doing, where="the Town:Home:room:bed", chat=None):
    return {"movement": [x, 0], "pronunciatio": "🙂", "description": f"{doing} @ {where}", "chat": chat}


def told(frames):
    """Kinds and names of what is told. West of column 5 is Home, east of it the Cafe."""
    tracker = FeedTracker(lambda tile: "Home" if tile[0] < 5 else "Cafe")
    for step, frame in enumerate(frames):
        tracker.add(step, frame)
    return [(entry.step, str(entry.kind), *entry.names, entry.about) for entry in tracker.entries]


CAFE = "the Town:Cafe:cafe:table"


def test_a_day_is_told_by_what_changes():
    """Not what goes on, not every part of an activity, not the activity that goes on after a talk."""
    chat = [[ADA, "You will come to my party?"], [BEN, "Yes."]]
    frames = [
        {ADA: record(0, "sleeping")},
        {ADA: record(0, "having breakfast (eating an egg)")},
        {ADA: record(0, "having breakfast (washing up)")},
        {ADA: record(3, "reading (the news)", CAFE)},
        {ADA: record(6, "reading (the news)", CAFE)},
        {ADA: record(7, "conversing about Ada Stone's party", f"<persona> {BEN}", chat)},
        {ADA: record(7, "conversing about Ada Stone's party", f"<persona> {BEN}", chat)},
        {ADA: record(7, "reading (a novel)", CAFE)},
        {ADA: record(3, "sleeping")},
    ]
    frames = [frame | {BEN: record(6, "idle", CAFE)} for frame in frames]
    for step in (5, 6):
        frames[step][BEN] = record(6, "conversing about Ada Stone's party", f"<persona> {ADA}", chat)
    assert told(frames) == [
        (1, "wakes", ADA, ""),
        (3, "begins", ADA, "reading"),
        (4, "arrives", ADA, ""),
        (5, "talk_begins", ADA, BEN, "party"),
        (7, "talk_ends", ADA, BEN, ""),
        (8, "sleeps", ADA, ""),
        (8, "arrives", ADA, ""),
    ]


def test_what_several_do_at_once_is_one_entry():
    """If it is the same."""
    people = (ADA, BEN, CAM)
    frames = [
        {name: record(0, "sleeping") for name in people},
        {name: record(0, "getting up") for name in people},
        {ADA: record(0, "working"), BEN: record(0, "working"), CAM: record(0, "reading")},
    ]
    assert told(frames) == [
        (1, "wakes", *people, ""),
        (2, "begins", ADA, BEN, "working"),
        (2, "begins", CAM, "reading"),
    ]


def test_who_invites_comes_first_and_news_is_no_invitation():
    """To something of one's own; telling of another's party is not an invitation."""
    for speaker, about, expected in (
        (BEN, "Ben Reed's party", (BEN, ADA, "party")),
        (BEN, "Cam Lee's party", (ADA, BEN, "Cam Lee's party")),
        (ADA, "Ben Reed's party", (ADA, BEN, "Ben Reed's party")),
    ):
        chat = [[speaker, "Will you come?"]]
        talk = {name: record(0, f"conversing about {about}", "<persona> X", chat) for name in (ADA, BEN)}
        (entry,) = told([{ADA: record(0, "a"), BEN: record(0, "b")}, talk])
        assert entry == (1, "talk_begins", *expected)


def test_who_comes_and_goes_is_told():
    """But not who is there from the beginning; a missing file is not a departure."""
    here = {ADA: record(0, "reading")}
    both = here | {BEN: record(0, "reading")}
    assert told([here, {}, both, {}, here]) == [(2, "moves_in", BEN, ""), (4, "moves_out", BEN, "")]


@pytest.fixture
def reads(monkeypatch):
    """The steps that are read from the disk."""
    found = []
    read = StepStore.frame

    def noted(recorded, step):
        found.append(step)
        return read(recorded, step)

    monkeypatch.setattr(StepStore, "frame", noted)
    return found


def test_a_step_is_read_once(stage, client, reads):
    """However many pages ask, and however often; a run that grows is read further."""
    stage.save("run", stage.walk(40))
    answers = [client.get("/feed/run/", {"from": begin}).json() for begin in (0, 0, 20, 39)]
    assert reads == list(range(40))
    assert [answer["last"] for answer in answers] == [39] * 4
    stage.show("run", 40, stage.walk(41)[40])
    assert client.get("/feed/run/").json()["last"] == 40
    assert reads == list(range(41))


def test_a_damaged_step_is_named_and_not_read_again_and_again(stage, client, reads):
    """Until it is put right: then all is told as if nothing had been wrong."""
    root = stage.save("run", stage.walk(9))
    whole = client.get("/feed/run/").json()
    assert [entry["kind"] for entry in whole["entries"]] == ["talk_begins", "talk_ends"]
    damaged = root / "movement" / "4.json"
    text = damaged.read_text("utf-8")
    damaged.write_text('{"persona": {"Ada', "utf-8")
    stage.show("run", 8, stage.walk(9)[8])
    for _ in range(3):
        assert "run/movement/4.json" in client.get("/feed/run/").json()["damage"][0]
    assert len(reads) == 18
    damaged.write_text(text, "utf-8")
    assert client.get("/feed/run/").json() == whole


def test_a_long_feed_comes_in_parts(stage, client, monkeypatch):
    """Whole steps each; the page goes on after the last one."""
    monkeypatch.setattr("translator.views.feed.MOST_ENTRIES", 3)
    doings = ("reading", "writing")
    frames = [{name: record(0, doings[step % 2] + name) for name in (ADA, BEN)} for step in range(20)]
    stage.save("run", frames)
    parts, begin = [], 0
    while begin < 20:
        answer = client.get("/feed/run/", {"from": begin}).json()
        parts.append(answer["entries"])
        assert begin <= answer["last"] < 20
        begin = answer["last"] + 1
    assert max(map(len, parts)) <= 4
    assert len({entry["id"] for part in parts for entry in part}) == sum(map(len, parts)) == 38


ROWS = [
    {"kind": "whisper", "who": 7, "words": ["x"]},
    {"kind": "object"},
    {"kind": "object", "where": "here", "state": "burning"},
    {"kind": "history", "rows": [[], "x", ["Ada Stone", "y"], {}]},
    {"kind": "trait", "who": ADA, "now": "%(x)s 100 %"},
    {"kind": "talk", "who": ADA, "as": "<b>Eve</b>", "lines": 3},
    {"kind": "a later kind", "who": ADA},
]


@pytest.mark.parametrize("language", ["en", "ru"])
def test_rows_of_any_form_are_told(stage, client, language):
    """Users edit the log, and later versions add to it; what is no row at all is named."""
    root = stage.save("run", stage.walk(2))
    common = {"v": 1, "step": 0, "door": "page", "by": "", "id": "x", "at": ""}
    lines = [json.dumps({**common, "n": number, **row}) for number, row in enumerate(ROWS, 1)]
    stage.put("storage/run/reverie/interventions.jsonl", "\n".join([*lines, "nothing", '{"torn']))
    compress(root, stage.compressed / "run")
    address = "/feed/run/?store="
    answers = [
        client.get(address + store, headers={"Accept-Language": language}).json() for store in ("saved", "compressed")
    ]
    for answer in answers:
        assert len(answer["entries"]) == len(ROWS)
        assert all(entry["text"] and entry["kind"] == FeedKind.INTERVENTION for entry in answer["entries"])
        assert "%(x)s 100 %" in answer["entries"][4]["text"]
    assert "interventions.jsonl:8" in answers[0]["damage"][0]
    assert [len(answer["damage"]) for answer in answers] == [1, 0]


def test_the_recorded_words_of_a_sentence_are_named():
    """Those that stand in it as the files have them; names of people are no words of a language."""
    writer = FeedWriter([ADA, BEN], {}, may_act=False)
    entries = {
        FeedEntry(1, FeedKind.BEGINS, (ADA,), "Cafe", "reading"): ["reading"],
        FeedEntry(1, FeedKind.ARRIVES, (ADA, BEN), "Cafe"): ["Cafe"],
        FeedEntry(1, FeedKind.WAKES, (ADA,)): [],
        FeedEntry(1, FeedKind.INTERVENTION, (), "Cafe", "stove is burning", what="object", number=1): [
            "Stove is burning"
        ],
        FeedEntry(1, FeedKind.STATE_ENDS, (BEN,), "Cafe", "burning", what="stove"): ["burning", "Stove"],
    }
    told = {entry: writer.entry(entry) for entry in entries}
    assert {entry: given["recorded"] for entry, given in told.items()} == entries
    assert all(part in given["text"] for given in told.values() for part in given["recorded"])
