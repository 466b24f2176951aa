"""Ask everyone the same thirty personal questions on two days, and count the answers that say the same.

`python benchmarks/personal_questions.py` runs the two days of 25 people with the offline rules, or with the provider of
the settings, which takes some minutes, and prints the share of answers alike by question. Ends with exit code 1 if
fewer than 95 % are. `--days NAME NAME` asks in two saved simulations of the same people instead, and `--people N` asks
fewer of them.
"""

import argparse
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from retrieval_run import BASE, HISTORY, STORAGE

import ville
from ville.errors import ReverieError
from ville.persona.memory_structures.facts.fact_words import are_alike

QUESTIONS = (
    "How old are you?",
    "What is your name?",
    "Who are you?",
    "What do you do for a living?",
    "What is your job?",
    "Where do you work?",
    "Do you study, and what?",
    "Where do you live?",
    "Who do you live with?",
    "Are you married?",
    "Tell me about your family.",
    "Do you have children?",
    "Who are your friends?",
    "Who is your best friend?",
    "Whom do you love?",
    "What are you like?",
    "How would others describe you?",
    "What matters most to you?",
    "When do you usually get up?",
    "When do you usually go to bed?",
    "When do you usually have dinner?",
    "Where do you usually have lunch?",
    "Do you get up early or late?",
    "What do you like to do in your free time?",
    "What are your hobbies?",
    "What are you working on these days?",
    "What do you dream of?",
    "Do you know the owner of Hobbs Cafe?",
    "Who are your neighbours?",
    "How long have you lived in town?",
)
EVENINGS = ("February 13, 2023, 20:00:00", "February 14, 2023, 20:00:00")
LEAST = 0.95
Answers = Mapping[tuple[str, str], str]
"""Person and question to answer."""


def ask_all(town: ville.TownSession, most: int | None) -> Answers:
    """Ask everyone, or only the first by name, every question; no one remembers it."""
    names = sorted(town.personas)[:most]
    return {(name, question): town.interview(name, question).text for name in names for question in QUESTIONS}


def same(one: str, other: str) -> bool:
    """Return whether two answers say the same."""
    return one == other or are_alike(one, other)


def lived(folder: Path, most: int | None) -> list[Answers]:
    """Run two days, and ask on the evening of each."""
    shutil.copytree(STORAGE / BASE, folder / BASE)
    found = []
    with ville.fork(BASE, "personal", seed=1, fs_storage=folder) as town:
        town.load_history(HISTORY)
        for evening in EVENINGS:
            town.run(until=evening)
            found.append(ask_all(town, most))
    return found


def saved(simulations: Sequence[str], most: int | None) -> list[Answers]:
    """Ask in saved simulations."""
    found = []
    for name in simulations:
        with ville.open(name) as town:
            found.append(ask_all(town, most))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", nargs=2, metavar="NAME", help="two saved simulations, the second a day later")
    parser.add_argument("--people", type=int, metavar="N", help="how many people to ask")
    choice = parser.parse_args(arguments)
    try:
        with tempfile.TemporaryDirectory() as folder:
            asked = saved(choice.days, choice.people) if choice.days else lived(Path(folder), choice.people)
    except ReverieError as fault:
        print(fault, file=sys.stderr)
        return 1
    first, second = asked
    names = {name for name, _ in first}
    alike: Counter[str] = Counter()
    for (name, question), answer in first.items():
        alike[question] += same(answer, second[name, question])
        if not same(answer, second[name, question]):
            print(f"{name}: {question}\n  {answer}\n  {second[name, question]}")
    for question in QUESTIONS:
        print(f"{alike[question]:3} of {len(names)}  {question}")
    share = alike.total() / len(first)
    print(f"{alike.total()} of {len(first)} answers alike: {share:.1%}")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
