"""A session at the prompt, typed into a pipe."""

import json
import time

from stored_texts import is_safe

BASE = "base_the_ville_isabella_maria_klaus"


def test_a_hundred_steps_and_ten_more(ville):
    """Forked, run and saved; forked again, it goes on at step 100."""
    code, out = ville.run("reverie", typed=f"{BASE}\nfirst\nrun 100\nfin\n")
    assert (code, "Traceback" in out) == (0, False)
    assert len(list((ville.folder("first") / "movement").iterdir())) == 100
    assert len(list((ville.folder("first") / "environment").iterdir())) == 101
    code, _ = ville.run("reverie", typed="first\nsecond\nrun 10\nfin\n")
    meta = json.loads((ville.folder("second") / "reverie/meta.json").read_text("utf-8"))
    assert (code, meta["step"], meta["fork_sim_code"]) == (0, 110, "first")
    first, second = ville.files("first"), ville.files("second")
    assert all(second[name] == first[name] for name in first if name.startswith(("movement", "environment")))
    assert "movement/109.json" in second


def test_a_fault_is_one_line_in_a_process_of_its_own_too(storage):
    """Exit code 1, no traceback, nothing new in storage."""
    for typed in ("nowhere\nnew\n", "base\nbase/x\n"):
        code, out = storage.run("reverie", typed=typed)
        assert (code, "Traceback" in out) == (1, False)
    (storage.folder("base") / "personas/Ada Stone/bootstrap_memory/scratch.json").write_text("{", "utf-8")
    code, out = storage.run("reverie_offline", "-o", "base", "-t", "new", "-s", 1)
    assert (code, "scratch.json:1 is not JSON" in out, "Traceback" in out) == (1, True, False)
    assert [path.name for path in storage.folder("base").parent.iterdir()] == ["base"]


def test_a_reader_who_leaves_does_not_end_a_run(storage):
    """Piped into `head`, a run goes on to its end and is saved."""
    with storage.start("reverie_offline", "-o", "base", "-t", "new", "-s", 300) as process:
        process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()
    assert (process.returncode, complaints) == (0, "")
    assert json.loads((storage.folder("new") / "reverie/meta.json").read_text("utf-8"))["step"] == 300


def test_the_path_tester_answers_as_long_as_something_can_be_typed(storage):
    """As soon as its input is closed it ends, and everything is saved."""
    with storage.start("reverie") as process:
        process.stdin.write("base\nnew\nstart path tester mode\n")
        process.stdin.flush()
        for _ in range(2):
            (storage.root / "temp").mkdir(exist_ok=True)
            (storage.root / "temp/path_tester_env.json").write_text('{"maze": "small", "x": 48, "y": 16}', "utf-8")
            while (storage.root / "temp/path_tester_env.json").exists() and process.poll() is None:
                time.sleep(0.01)
        assert process.poll() is None
        process.stdin.close()
        out = process.stdout.read()
    assert (process.returncode, "Saved new" in out) == (0, True)


def test_what_others_wrote_does_not_control_the_terminal(storage):
    """A simulation from elsewhere: its plans, talks and places are printed, live and in a fault, without what is
    between their letters.
    """
    evil = "\x1b[2J\x9b1A\x07\x00te\u202ea\u2066\r\u2028 "
    memory = storage.folder("base") / "personas/Ada Stone/bootstrap_memory"
    talk = {
        "node_count": 1, "type_count": 1, "type": "chat", "depth": 0, "created": "2023-02-13 00:00:00",
        "expiration": None, "subject": "Ada Stone", "predicate": "chat with", "object": "Ben Reed" + evil,
        "description": "conversing about " + evil, "embedding_key": evil, "poignancy": 1, "keywords": [evil],
        "filling": [["Ada Stone", evil]],
    }  # fmt: skip
    scratch = json.loads((memory / "scratch.json").read_text("utf-8")) | {
        "f_daily_schedule": [[f"drinking {evil}", 1440]], "f_daily_schedule_hourly_org": [[f"drinking {evil}", 1440]],
        "chatting_with_buffer": {evil: 5}, "daily_plan_req": evil, "curr_time": "February 13, 2023, 00:00:00",
    }  # fmt: skip
    (memory / "scratch.json").write_text(json.dumps(scratch), "utf-8")
    (memory / "associative_memory/nodes.json").write_text(json.dumps({"node_1": talk}), "utf-8")
    (memory / "associative_memory/embeddings.json").write_text(json.dumps({evil: [1.0] * 512}), "utf-8")
    (storage.folder("base") / "reverie/run.json").write_text('{"embedder": "hashing-512"}', "utf-8")
    (memory / "spatial_memory.json").write_text(json.dumps({"the Town": {evil: {evil: [evil]}}}), "utf-8")
    looks = [
        *(f"print persona associative memory ({kind}) Ada Stone" for kind in ("event", "thought", "chat")),
        "print persona schedule Ada Stone", "print hourly org persona schedule Ada Stone",
        "print persona chatting with buffer Ada Stone", "print persona spatial memory Ada Stone",
        "run 5", "call -- analysis Ada Stone", f"What is {evil}?", "", f"print {evil}",
    ]  # fmt: skip
    ended = storage.finish("reverie", typed="\n".join(["base", "new", *looks, "fin", ""]))
    assert ended.code == 0, ended
    assert ended.out.count("tea") >= 6
    assert is_safe(ended.out + ended.err)
    (memory / "scratch.json").write_text(json.dumps(scratch | {"living_area": evil}), "utf-8")
    ended = storage.finish("reverie", typed="base\nother\n")
    assert (ended.code, is_safe(ended.err), "tea" in ended.err) == (1, True, True), ended
