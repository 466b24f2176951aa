"""An evaluation from the command line, with a scripted model: asked, killed, asked on, rated, judged, reported."""

import asyncio
import csv
import io
import json
import re
from dataclasses import replace

import pytest
from chat_server import ChatServer, Reply, completion

from ville.assembly import run as assembly
from ville.assembly.model_choice import local_embedder
from ville.cli.believability_command import main
from ville.persona.memory_structures.stream.concept_node import observation, thought

SEES, PLANS, FEELS = "a red kite", "the blue plan", "a green thought"
"""Words that stand in an observation, in a plan, and in a reflection of everybody."""
QUESTIONS = """
memory:
  m1: What of $first and the kite?
plans:
  p1: What of the plan in $town?
reflections:
  r1: What of $second and a thought?
"""
CARD = re.compile(r"\[([A-Z])\] (.*?)(?=\n\n\[[A-Z]\]|\n\nRank all)", re.DOTALL)
CONDITIONS = ("full", "no_reflection", "no_reflection_no_planning", "none")


def scripted(request):
    """Answer with what the prompt has of each kind of memory; judge by how many of them an answer names."""
    prompt, schema = request.body["messages"][0]["content"], json.dumps(request.body)
    if request.body["model"] == "judge":
        cards = CARD.findall(prompt)
        best = sorted(cards, key=lambda card: (-len(re.findall("kite|plan\\b|thought", card[1])), card[1]))
        return Reply(completion(json.dumps({"ranking": [letter for letter, _ in best]}), request))
    known = [words.split()[-1] for words in (SEES, PLANS, FEELS) if words in prompt]
    key = re.search(r'\\"(\w[^"\\]* answers: [^"]*?)\\"', schema) or re.search(r'"([^"]* answers: [^"]*?)"', schema)
    said = f"I know {', '.join(known) or 'nothing'}, {len(prompt) % 5} times."
    return Reply(completion(json.dumps({"utterance": said, **({key[1]: said} if key else {})}), request))


@pytest.fixture
def lived(small_town, monkeypatch):
    """The small town, in which everybody has an observation, a plan and a reflection; settings for a model."""
    settings = replace(small_town.settings, provider="offline", embedder="hashing")
    simulation = assembly.open_simulation(settings, "base", "lived")
    embedder, now = local_embedder(settings), simulation.town.clock.now
    for name, persona in simulation.town.personas.items():
        nodes = (
            observation(now, (name, "see", "kite"), f"{name} sees {SEES}", poignancy=3, keywords=("kite",)),
            thought(now, (name, "plan", "Monday"), f"{name} has {PLANS}", poignancy=3, keywords=("plan",)),
            thought(
                now, (name, "feel", "it"), f"{name} has {FEELS}", poignancy=3, keywords=("it",), evidence=("node_1",)
            ),
        )
        for node, vector in zip(nodes, asyncio.run(embedder.embed([node.description for node in nodes])), strict=True):
            persona.mind.stream.add(node, vector)
    simulation.save()
    asyncio.run(simulation.close())
    for name in ("fs_storage", "fs_temp_storage", "assets"):
        monkeypatch.setenv(f"VILLE_{name.upper()}", str(getattr(small_town.settings, name)))
    monkeypatch.chdir(small_town.root)
    (small_town.root / "questions.yaml").write_text(QUESTIONS, "utf-8")
    return small_town.root


def fill_in(form, answer):
    """Answer everything, as a person would in a spreadsheet program."""
    with form.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with form.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "answer": answer} for row in rows)


def check_that_others_stay(lived, capsys):
    """A form of people is brought in, and one with fewer rows changes these answers alone."""
    assert main(["people", "trees", "--bring", "trees_answers.csv"]) == 0
    whole = capsys.readouterr().out.splitlines()[-1]
    rows = (lived / "trees_answers.csv").read_text("utf-8").splitlines()
    (lived / "one.csv").write_text("\n".join(rows[:2]).replace("beard", "hat"), "utf-8")
    assert main(["people", "trees", "--bring", "one.csv"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].removesuffix("s") in whole


def test_an_evaluation_from_asking_to_its_report(lived, monkeypatch, capsys):
    """Asking changes nothing in what is asked; what is paid is agreed to, kept, and not paid twice."""
    with ChatServer(scripted) as server:
        paid = {"PROVIDER": "compatible", "BASE_URL": server.url, "API_KEY": "sk-1", "FAST_MODEL": "mind"}
        for name, value in paid.items():
            monkeypatch.setenv(f"VILLE_{name}", value)
        monkeypatch.setattr("sys.stdin", io.StringIO())
        before = {path: path.read_bytes() for path in (lived / "storage/lived").rglob("*.json")}
        ask = ("ask", "lived", "--name", "trees", "--questions", "questions.yaml")
        assert main([*ask, "--estimate"]) == 0
        assert main([*ask]) == 1
        assert "36 questions to a model" in capsys.readouterr().out
        assert server.chats == []
        assert main([*ask, "--yes", "--max-calls", "20"]) == 1
        assert 0 < len(server.chats) <= 20
        assert "max_calls" in capsys.readouterr().err
        assert main([*ask, "--yes"]) == 0
        assert len(server.chats) <= 36
        assert main([*ask, "--yes"]) == 0
        asked = len(server.chats)
        assert asked <= 36
        assert {path: path.read_bytes() for path in before} == before
        assert main([*ask, "--seed", "7", "--yes"]) == 1
        assert "begun with another seed" in capsys.readouterr().err

        assert main(["people", "trees"]) == 0
        fill_in(lived / "trees_answers.csv", "By my beard!")
        check_that_others_stay(lived, capsys)
        assert main(["judge", "trees", "--model", "mind", "--yes"]) == 1
        assert "gave the answers itself" in capsys.readouterr().err
        assert main(["judge", "trees", "--model", "offline", "--yes"]) == 1
        assert "rules cannot judge" in capsys.readouterr().err
        assert main(["judge", "trees", "--model", "judge"]) == 1
        assert re.search(
            r"(\d+) questions, at most \d+ with corrections, .*\nMemories of the people, whispers .* sent to",
            capsys.readouterr().out,
        )
        assert len(server.chats) == asked
        assert main(["judge", "trees", "--model", "judge", "--yes"]) == 0
        judged = len(server.chats)
        assert main(["judge", "trees", "--model", "judge", "--yes"]) == 0
        assert len(server.chats) == judged
        assert capsys.readouterr().out.count(f"Counted so far: {judged - asked} calls, ") == 2
    assert main(["report", "trees"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"Judged by judge: \d+ rankings, each in two orders\n.*\n  all memories", said)
    folder = lived / "believability/trees"
    rows = (folder / "tables/conditions.csv").read_text("utf-8").splitlines()
    found = {row.split(",")[1]: float(row.split(",")[2]) for row in rows[1:]}
    assert [name for name in sorted(found, key=found.get, reverse=True) if name != "people"] == list(CONDITIONS)
    assert "people" in found
    page = (folder / "report.html").read_text("utf-8")
    assert "<svg" in page
    assert "http://" not in page.replace("http://www.w3.org", "")
    blinded = json.loads((folder / "sheet.json").read_text("utf-8"))
    assert not any(name in json.dumps(blinded) for name in CONDITIONS[1:3])
