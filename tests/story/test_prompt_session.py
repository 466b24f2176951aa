"""A session at the prompt, typed into a pipe."""

import json
import time

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
    assert (code, "scratch.json:1 is no JSON" in out, "Traceback" in out) == (1, True, False)
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
    assert (process.returncode, "new is saved" in out) == (0, True)
