"""Doings of people by the rules, as Russian pages tell them: all that the data make, and a recorded day."""

import json
import re
import shutil
import subprocess
from collections import Counter
from datetime import timedelta

import pytest
from catalogues import BLANK, FRONTEND, catalogue

from ville.offline.day.day import FREE, HASTY, NIGHT, ROUTINE, SLEEP
from ville.offline.day.subtask_rules import activities
from ville.offline.grammar import gerund
from ville.offline.table import load

DAY = FRONTEND / "compressed_storage" / "a_day_of_twenty_five"
STEP = timedelta(seconds=10)
LEAST = 0.95
"""Share of a day of twenty-five people that is told in Russian."""
NAMES = {"one": "Klaus", "who": "Maria Lopez", "other": "Adam", "what": "party", "place": "Hobbs Cafe"}
NOT_CARRIED = {"conversing about what happened, that the stove was burning"}
"""Texts that stay English: what happened is in words of the moment."""
PLACED = re.compile(r" (?:in|at) (?:the |[A-Z]|home)")
TELL = """
import { readFileSync } from "node:fs";
const { catalog, script, texts } = JSON.parse(readFileSync(0, "utf-8"));
globalThis.django = { catalog, gettext: (text) => catalog[text] ?? text };
const { toldDoing } = await import(script);
console.log(JSON.stringify(texts.map((text) => toldDoing(text))));
"""


def told(texts):
    """Return what the script of the pages makes of each text: words and names, or None."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is missing: install Node.js 18 or newer")
    russian = {text: forms[0] for text, forms in catalogue("doings").items()}
    given = {"catalog": russian, "script": (FRONTEND / "static_dirs/js/doings.js").as_uri(), "texts": texts}
    command = [node, "--input-type=module", "-e", TELL]
    done = subprocess.run(command, input=json.dumps(given), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return dict(zip(texts, json.loads(done.stdout), strict=True))


def whole_activities():
    """Yield the phrases of which days consist, in base form."""
    yield from (SLEEP, ROUTINE, HASTY, NIGHT, FREE, "have breakfast at home", "have breakfast at the cafe")
    for meal, row in load("routines.yaml")["meals"].items():
        yield from (f"{meal} {place}" for place in (*row["where"], "at work", "at Hobbs Cafe"))
    yield from (row["what"] for row in load("pastimes.yaml"))
    for trade in load("trades.yaml"):
        for work in trade["work"]:
            yield work
            yield from (f"{work} {place}" for place in trade.get("places", ()) if not PLACED.search(work))
    yield from (row["what"].format(person="Klaus") for row in load("whims.yaml"))
    yield from (f"{deed} Oak Hill College" for deed in load("places.yaml")["visits"].values())
    for occasion in load("news.yaml")["occasions"]:
        yield from (f"host the {occasion} at Hobbs Cafe", f"attend Ada Stone's {occasion} at Hobbs Cafe")
        yield f"decorate Hobbs Cafe for the {occasion}"


def steps():
    """Yield what activities are divided into, and what interrupts them."""
    for section in activities().values():
        for row in section:
            for step in (*row.first, *row.then, *row.last):
                yield from step.split(" / ")
    yield from (row["step"].format(person="Klaus") for row in load("whims.yaml"))
    for row in load("reactions.yaml")["kinds"]:
        ways = (way for each in row["ways"].values() for way in each)
        yield from (words.format(thing="stove") for words in (*row.get("mend", ()), *ways))


def talks():
    """Yield what talks are about."""
    gists = load("gists.yaml")
    parts = (str(part).format(**NAMES, incident="the stove was burning") for part in gists["parts"].values())
    subjects = [*parts, *gists["anything"], *load("questions.yaml")]
    yield from (f"conversing about {subject}" for subject in subjects)
    yield "conversing about Klaus studying sociology at Oak Hill College and old friends"


def test_every_doing_of_the_rules_is_told_in_russian():
    """All that the data of the rules make of days, steps, reactions and talks, but for what is listed here."""
    texts = [*dict.fromkeys([*map(gerund, whole_activities()), *steps(), *talks()])]
    assert len(texts) > 500
    assert {text for text, russian in told(texts).items() if russian is None} == NOT_CARRIED


def recorded_doings():
    """Return how long people of the recorded day do what, by its text."""
    frames = json.loads((DAY / "master_movement.json").read_text("utf-8"))
    end = json.loads((DAY / "meta.json").read_text("utf-8"))["step"]
    lasting, doing, since = Counter(), {}, {}
    for step in range(end + 1):
        for name, record in frames.get(str(step), {}).items() if step < end else dict.fromkeys(doing).items():
            text = record and record["description"].rpartition(" @ ")[0]
            if text != doing.get(name):
                if name in doing:
                    lasting[doing[name]] += step - since[name]
                doing[name], since[name] = text, step
    return lasting


def test_a_recorded_day_is_told_in_russian():
    """Of the time of twenty-five people, counted by what each of them does."""
    lasting = recorded_doings()
    assert lasting.total() * STEP == timedelta(days=25)
    russian = told([*lasting])
    share = sum(lasting[text] for text in lasting if russian[text]) / lasting.total()
    assert share > LEAST, sorted(((lasting[text], text) for text in lasting if not russian[text]), reverse=True)[:40]


def test_translations_are_russian_but_for_their_blanks():
    """Other letters stand only in names, which are filled in."""
    russian = [BLANK.sub("", form) for forms in catalogue("doings").values() for form in forms]
    assert [form for form in russian if re.search("[A-Za-z]", form)] == []
