"""A shared recording tells what pages show, and nothing that is private."""

import json

import pytest

from ville.analysis.comparison.compared_run import find_run
from ville.errors import BadMoment
from ville.sharing.shared_recording import SharedRecording
from ville.sharing.shared_span import SharedSpan

ADA = "Ada Stone"


def shared(town, name="lived", begin="", end=""):
    run = find_run(town.settings.fs_storage, town.root / "none", name)
    return SharedRecording(run, SharedSpan.of(run, begin, end))


def test_no_word_of_an_interview_or_of_a_talk_with_a_user_is_shared(lived, secrets):
    """They are in the files of the simulation, but not in what is shared, from which they cannot be told either."""
    root = lived.settings.fs_storage / "lived"
    kept = "".join(path.read_text("utf-8") for path in root.rglob("*.json"))
    assert [words for words in secrets if words in kept] == list(secrets[1:])
    recording = shared(lived)
    text = json.dumps(recording.as_json())
    assert not [words for words in (*secrets, "zebra", "violet", "marzipan") if words in text]
    assert str(lived.root) not in text
    assert recording.private >= len(secrets) - 1


def test_what_rests_on_a_private_talk_is_left_out_too(lived):
    """No memory that is shared has a private one among its evidence, and other memories are all there."""
    recording = shared(lived)
    told = recording.as_json()
    nodes = recording.run.memories[ADA]
    person = next(each for each in told["people"] if each["name"] == ADA)
    texts = [told["texts"][memory[3]] for memory in person["memories"]]
    private = {f"node_{node['node_count']}" for node in nodes if node["description"] not in texts}
    thoughts = [node for node in nodes if node["type"] == "thought"]
    resting = [node for node in thoughts if set(node["filling"] or ()) & private]
    assert resting
    assert all(node["description"] not in texts for node in resting)
    before = [node for node in nodes if node["created"] < "2023-02-13 09:29:00"]
    assert [node["description"] for node in before] == texts[: len(before)]


def frames_of(told):
    """Return who stands where and does what in each step, from the tracks, as their form says."""
    for step in range(told["steps"]):
        frame = {}
        for person in told["people"]:
            shown = {}
            for track in ("moves", "acts"):
                flat, at = person[track], 0
                for place in range(0, len(flat), 3):
                    at += flat[place]
                    if at <= step:
                        shown[track] = flat[place + 1 : place + 3]
            if shown.get("moves", [-1])[0] >= 0:
                frame[person["name"]] = shown
        yield frame


@pytest.mark.parametrize("store", ["storage", "compressed"])
def test_the_tracks_tell_every_step(lived, store):
    """Places, activities and emoji of everyone, as the frames of the run have them; those who left are not there."""
    run = find_run(lived.root / (store if store == "storage" else "none"), lived.root / "compressed", "lived")
    assert run.compressed == (store == "compressed")
    recording = SharedRecording(run, SharedSpan.of(run, "100", "300"))
    told = recording.as_json()
    for step, frame in enumerate(frames_of(told), 100):
        whole = run.frame(step)
        assert {name: list(record["movement"]) for name, record in whole.items()} == {
            name: shown["moves"] for name, shown in frame.items()
        }
        for name, shown in frame.items():
            words, emoji = (told["texts"][number] for number in shown["acts"])
            assert emoji == whole[name]["pronunciatio"]
            assert words == whole[name]["description"] or words.startswith(" @ ")


def test_talks_of_residents_are_told_whole(town_after):
    """From their first step to their last, in the words of the frames."""
    recording = shared(town_after(720, talkative=True), "new")
    told = recording.as_json()
    assert told["talks"]
    for talk in told["talks"]:
        lines = [[speaker, told["texts"][words]] for speaker, words in talk["chat"]]
        for step in (talk["first"], talk["last"]):
            frame = recording.run.frame(step + recording.span.first)
            assert any([list(line) for line in frame[name]["chat"] or ()] == lines for name in talk["names"])


def test_a_part_knows_no_more_than_was_known_then(lived):
    """Memories from after its end are not in it; its own moments are steps, times, and the end."""
    recording = shared(lived, begin="09:00", end="10:00")
    told = recording.as_json()
    assert told["start"].endswith("09:00:00")
    seconds = told["steps"] * told["sec_per_step"]
    assert seconds == 3600
    created = [memory[0] for person in told["people"] for memory in person.get("memories", ())]
    assert created
    assert max(created) < seconds
    for begin, end in (("10:00", "09:00"), ("99999", ""), ("", "0"), ("noon", "")):
        with pytest.raises(BadMoment):
            shared(lived, begin=begin, end=end)
