"""The model bench asks what was recorded, pays nothing before it may, and stays within its budget."""

import json
import shutil

import pytest
import situation_files
from chat_server import Reply, completion
from models import main
from situation_files import FOLDER, read
from spoiling import PROFILES, Profile, Spoiler

FEW = ("--each", "2")
SITUATED, PAPER = (
    {each.question.title for each in read().situations if each.wording == wording} for wording in ("situated", "paper")
)


@pytest.fixture
def bench(server, tmp_path, capsys):
    """Run the bench against the server, and return exit code and output."""

    def run(*more):
        provider = ("--provider", "compatible", "--base-url", server.url, "--model", "any")
        code = main([*provider, *FEW, "--ledgers", str(tmp_path / "ledgers"), *more])
        out = capsys.readouterr()
        return code, out.out + out.err

    return run


def test_every_situation_fits_its_question():
    """After a change of a question, record the situations anew."""
    kept = read()
    assert not kept.misfits
    assert {each.question.title for each in kept.situations} == set(situation_files.question_types())


def test_nothing_is_asked_before_consent(bench, server):
    """Calls, tokens and dollars are said first."""
    code, out = bench()
    assert (code, server.requests) == (0, [])
    for word in ("calls", "tokens in", "dollars", "--yes"):
        assert word in out


def test_what_was_asked_is_not_paid_twice(bench, server):
    """Everything is asked once; a second bench reads the ledger of the first."""
    code, out = bench("--yes")
    asked = len(server.chats)
    assert (code, asked >= 2 * len(SITUATED)) == (0, True), out
    again, _ = bench("--yes")
    assert (again, len(server.chats)) == (0, asked)


def test_other_settings_are_another_bench(bench, server, monkeypatch):
    """Answers of one server with some settings say nothing about others."""
    bench("--yes", "--each", "1")
    asked = len(server.chats)
    for name, value in {"TEMPERATURE": "0", "MODEL_PLAN": "other", "REASONING_EFFORT": "low"}.items():
        server.requests.clear()
        with monkeypatch.context() as patch:
            patch.setenv(f"VILLE_{name}", value)
            bench("--yes", "--each", "1")
        assert len(server.chats) >= asked - 5


def test_a_budget_is_kept(bench, server):
    """The bench ends with a line that says why, and shows what was answered."""
    code, out = bench("--yes", "--max-calls", "5", "--max-concurrency", "2")
    assert (code, len(server.chats)) == (1, 5)
    assert "max_calls" in out
    assert "all " in out


def test_answers_are_counted_by_question(bench, server):
    """With a model that answers nothing usable, every question ends in its fallback, and none is right."""
    server.chat = lambda request: Reply(completion("I would rather not.", request))
    code, out = bench("--yes")
    rows = [line.split() for line in out.splitlines() if "/" in line.split(" ")[0] and "%" in line]
    assert (code, {row[0] for row in rows}) == (0, SITUATED)
    assert {tuple(row[2:5]) for row in rows} == {("0%", "0%", "100%")}
    assert not [row for row in rows if "of" in row and row[row.index("of") - 1] != "0"]


def test_the_questions_of_the_paper_are_another_bench(bench):
    """In the words of the paper, with its own situations: so can old prompts be compared with new ones."""
    code, out = bench("--yes", "--questions", "paper")
    assert (code, {line.split(" ")[0] for line in out.splitlines() if "/" in line.split(" ")[0] and "%" in line}) == (
        0, PAPER,
    )  # fmt: skip
    assert {"plan/day_plan", "plan/hourly_schedule", "react/how_to_react"} <= PAPER - SITUATED


def test_the_rules_answer_too(capsys):
    """Without consent, because it costs nothing; every answer is valid."""
    assert main(["--provider", "offline", *FEW]) == 0
    assert " 100% " in capsys.readouterr().out.splitlines()[-1]


def test_a_changed_question_is_left_out_and_named(tmp_path):
    """With how to record it; the others are asked."""
    shutil.copytree(FOLDER, tmp_path / "situations")
    path = tmp_path / "situations/situated/talk/interview.jsonl"
    line = json.loads(path.read_text("utf-8").splitlines()[0])
    line["fields"]["mood"] = "cheerful"
    path.write_text(json.dumps(line), "utf-8")
    kept = read(tmp_path / "situations")
    (misfit,) = kept.misfits
    for word in ("situated/talk/interview", "mood", "record_situations.py"):
        assert word in misfit
    others = {each.question.title for each in kept.situations if each.wording == "situated"}
    assert others == SITUATED - {"talk/interview"}


def test_every_recorded_answer_can_be_spoilt():
    """Whatever its form."""
    recorded = [([{"role": "user", "content": each.question.render()}], each.answer) for each in read().situations]
    for profile in PROFILES:
        for seed in range(3):
            spoiler = Spoiler(Profile.named(profile), seed)
            for messages, answer in recorded[seed::3]:
                assert spoiler.spoil(messages, answer).finish


def test_a_model_that_errs_the_same_way_each_time_is_noticed(capsys):
    """Its answers have the right form, so that only their sense tells it from the rules."""
    right = {}
    for model in ("none", "systematic"):
        assert main(["--provider", "offline", "--spoilt", model, "--questions", "paper", "--each", "8"]) == 0
        last = capsys.readouterr().out.splitlines()[-1].split()
        right[model] = int(last[last.index("of") - 1])
    assert right["systematic"] < right["none"]
