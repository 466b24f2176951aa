"""Evaluate believability as the paper did: interviews under ablations, ranked by people or by a model (section 6).

`ask RUN` asks everyone under all conditions; `rate NAME` opens the page on which people rank the answers, `judge NAME`
lets a model do so; `report NAME` says what they found.
"""

import argparse
import asyncio
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ville.api.asking import asking_cost
from ville.assembly.cost_model import cost_model
from ville.assembly.model_choice import announcement, chat_config
from ville.believability.asking import AskingPlan, ask_all, begin, make_sheet, missing
from ville.believability.conditions import ASKED
from ville.believability.judging import (
    JudgingUsage,
    checked_judge,
    judge_all,
    judge_of,
    judge_spend,
    judging_usage,
    left_to_judge,
)
from ville.believability.people_answers import answer_form, bring_in, read_people_answers
from ville.believability.question_list import FILE, read_question_list
from ville.cli.number_flags import count_of
from ville.cli.study_run import add_paying, may_pay
from ville.command_lines import typed
from ville.errors import BadArgument, ReverieError
from ville.launcher.children import StartError
from ville.launcher.opened_town import show_page
from ville.launcher.options import add_serving, serving_options
from ville.llm.accounting.ledger import Spend
from ville.llm.accounting.prices import Price
from ville.plain_text import printable, quantity
from ville.settings import Settings, add_flags, load_settings
from ville.simulation.running.run_loop import EndSignal, on_end_signal, raise_end_signal
from ville.storage.evaluations.evaluation_folder import (
    EvaluationFolder,
    evaluations_beside,
    find_evaluation,
    find_evaluations,
)
from ville.storage.evaluations.ranking_sheet import read_sheet
from ville.storage.evaluations.rating_files import all_ratings, write_rating
from ville.storage.evaluations.rating_table import read_ratings_csv
from ville.storage.files import write_text
from ville.storage.folder.storage import check_name
from ville.storage.past.moments import split_moment

FLAGS = ("provider", "fs_storage", "fs_studies", "max_cost", "max_calls")
"""Settings that can be given on the command line."""
Act = Callable[[argparse.Namespace, Settings], int]
PAGE = "report.html"


def main(arguments: list[str] | None = None) -> int:
    choice = _parser().parse_args(arguments)
    flags: dict[str, object] = {name: value for name in FLAGS if (value := getattr(choice, name)) is not None}
    if model := getattr(choice, "model", ""):
        flags |= {"fast_model": model, "advanced_model": model}
    try:
        with on_end_signal(raise_end_signal):
            return int(choice.act(choice, load_settings(flags)))
    except EndSignal as signalled:
        return signalled.code
    except (ReverieError, StartError) as fault:
        print(fault, file=sys.stderr)
        return 1


def _say(line: str) -> None:
    print(printable(line), flush=True)


def _ask(choice: argparse.Namespace, settings: Settings) -> int:
    """Ask everyone under all conditions, or say what that costs."""
    name = choice.name or split_moment(choice.run).name
    check_name(name)
    folder = EvaluationFolder(evaluations_beside(settings.studies), name)
    plan = AskingPlan(
        choice.run, read_question_list(choice.questions), choice.conditions, choice.people, choice.seed
    )  # fmt: skip
    _say(announcement(settings))
    note = asyncio.run(begin(settings, folder, plan))
    left = len(list(missing(folder, note))) * len(note.questions)
    _say(asking_cost(settings, left))
    if choice.estimate or not may_pay(choice, is_free=not left or _is_free(settings)):
        return 0 if choice.estimate else 1
    asyncio.run(ask_all(settings, folder, note, _say))
    sheet = read_sheet(folder)
    _say(f"{quantity(len(sheet.tasks), 'ranking', 'rankings')} to make; {sheet.unranked:,} questions had one answer.")
    _say(f"Written: {folder.root}")
    _say(f"To rank them: {typed('believability', 'rate', name)}, or {typed('believability', 'judge', name)} --model X")
    return 0


def _is_free(settings: Settings) -> bool:
    """Return whether answers cost nothing: the rules give them, or a model whose price is zero."""
    return chat_config(settings) is None or cost_model(settings).is_free


def _people(choice: argparse.Namespace, settings: Settings) -> int:
    """Write the form that people fill in, or bring in what they wrote."""
    folder = _folder(choice, settings)
    if choice.bring is None:
        path = choice.form or Path(f"{folder.name}_answers.csv")
        if path.exists():
            raise BadArgument(f"{path} is there already. Name another file with --form.")
        write_text(path, answer_form(folder).to_csv())
        _say(f"Written: {path}. Let people answer in its last column, then:")
        _say(typed("believability", "people", folder.name, "--bring", str(path)))
        return 0
    counts = bring_in(folder, read_people_answers(folder, choice.bring))
    make_sheet(folder)
    _say("; ".join(f"{name}: {quantity(count, 'answer', 'answers')}" for name, count in counts.items()))
    return 0


def _rate(choice: argparse.Namespace, settings: Settings) -> int:
    """Open the rating page, or bring in what was rated elsewhere."""
    folder = _folder(choice, settings)
    sheet = read_sheet(folder)
    if choice.bring:
        ratings = read_ratings_csv(choice.bring, sheet)
        for rating in ratings:
            write_rating(folder, rating)
        _say(
            f"{quantity(len(ratings), 'ranking', 'rankings')} by {', '.join(sorted({each.rater for each in ratings}))}"
        )
        return 0
    about = f"{folder.name}: {quantity(len(sheet.tasks), 'ranking', 'rankings')} to make. Rate on this page:"
    return show_page(serving_options(choice), settings, about, f"/rate/{folder.name}/")


def _judge(choice: argparse.Namespace, settings: Settings) -> int:
    """Let a model rank the answers, or say what that costs."""
    folder = _folder(choice, settings)
    config = checked_judge(settings, folder.note())
    judge = config.models.advanced
    left = left_to_judge(folder, judge, choice.tasks)
    provider = config.endpoint.title
    _say(f"{judge} at {provider}: {_judging_cost(judging_usage(folder, left), cost_model(settings).advanced)}.")
    _say(f"Memories of the people, whispers among them, and their answers are sent to {provider}.")
    if choice.estimate or not may_pay(choice, is_free=not left or _is_free(settings)):
        return 0 if choice.estimate else 1

    async def judged() -> int:
        async with judge_of(settings, folder) as found:
            return await judge_all(found, left)

    try:
        unusable = asyncio.run(judged())
    finally:
        _say(_counted(judge_spend(folder, judge)))
    _say(f"Judged: {len(left) - unusable:,} of {len(left):,} usable.")
    _say(f"Next: {typed('believability', 'report', folder.name)}")
    return 0


def _counted(spend: Spend) -> str:
    """Return what counts as used so far, and why that may be more than was said."""
    told = f"Counted so far: {quantity(spend.calls, 'call', 'calls')}, {spend.cost:.4f} dollars"
    lost = quantity(spend.estimated, "call", "calls")
    return f"{told}; {lost} without usage count as the most that they can cost." if spend.estimated else f"{told}."


def _judging_cost(usage: JudgingUsage, price: Price | None) -> str:
    """Return how many questions a judge is asked and what they cost: likely, and at most."""
    count = quantity(usage.questions, "question", "questions")
    if price is None:
        return f"{count}, at most {usage.most_questions:,} with corrections, whose price is not known"
    cost = f"about {price.of(usage.likely):.2f}, at most {price.of(usage.most):.2f} dollars"
    return f"{count}, at most {usage.most_questions:,} with corrections, {cost}; lost calls come on top"


def _report(choice: argparse.Namespace, settings: Settings) -> int:
    """Print what was found, and write tables and a page."""
    from ville.believability.evaluation_report import (  # noqa: PLC0415 - scipy and scikit-learn take seconds
        report_lines,
        report_of,
        report_tables,
    )
    from ville.believability.report_page import report_page  # noqa: PLC0415 - as above

    folder = _folder(choice, settings)
    report = report_of(folder)
    lines = list(report_lines(report))
    for file, table in report_tables(folder, report).items():
        folder.write(f"tables/{file}", table)
    folder.write(PAGE, report_page(report))
    print(*map(printable, lines), sep="\n")
    _say(f"\nWritten: {folder.root / PAGE} and tables/")
    if choice.open:
        webbrowser.open((folder.root / PAGE).resolve().as_uri())
    return 0


def _list(_choice: argparse.Namespace, settings: Settings) -> int:
    folder = evaluations_beside(settings.studies)
    print(*map(printable, _listed(folder, find_evaluations(folder))), sep="\n")
    return 0


def _listed(folder: Path, names: Sequence[str]) -> Iterator[str]:
    """Yield each evaluation with how far it has come."""
    for name in names:
        found = EvaluationFolder(folder, name)
        note = found.note()
        left, rated = len(list(missing(found, note))), {each.rater for each in all_ratings(found)}
        state = f"{left:,} interviews left" if left else f"rated by {', '.join(sorted(rated)) or 'no one yet'}"
        yield f"{name}: {note.run} at {note.time}, {quantity(len(note.people), 'person', 'people')}, {state}"
    if not names:
        yield f"None yet. Begin with: {typed('believability', 'ask', 'RUN')}"


def _folder(choice: argparse.Namespace, settings: Settings) -> EvaluationFolder:
    return find_evaluation(evaluations_beside(settings.studies), choice.name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    common = argparse.ArgumentParser(add_help=False)
    add_flags(common, FLAGS)
    commands = parser.add_subparsers(required=True)

    def command(name: str, act: Act, about: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=about, description=about, parents=[common])
        added.set_defaults(act=act)
        if name not in {"ask", "list"}:
            added.add_argument("name", metavar="NAME", help="name of the evaluation")
        return added

    _add_ask(command("ask", _ask, "ask everyone of a simulation under all conditions"))
    people = command("people", _people, "write a form for answers of people, or bring it in when it is filled in")
    people.add_argument("--bring", metavar="FILE", type=Path, help="bring in the form, filled in")
    people.add_argument("--form", metavar="FILE", type=Path, help="where to write the form (default: NAME_answers.csv)")
    rate = command("rate", _rate, "open the page on which people rank the answers")
    rate.add_argument("--bring", metavar="FILE", type=Path, help="bring in ratings from elsewhere, a CSV of that page")
    add_serving(rate)
    _add_judge(command("judge", _judge, "let a model rank the answers: another one than gave them"))
    report = command("report", _report, "say what was found, and write tables and a page")
    report.add_argument("--open", action="store_true", help="open the page in a browser")
    command("list", _list, "list all evaluations")
    return parser


def _add_ask(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", metavar="RUN", help="a saved simulation, or RUN@MOMENT")
    parser.add_argument("--name", default="", help="name of the evaluation (default: that of the simulation)")
    parser.add_argument(
        "--questions", type=Path, default=FILE, metavar="FILE", help="other questions, in the form of questions.yaml"
    )
    parser.add_argument("--people", nargs="+", default=(), metavar="PERSONA", help="only these (default: everyone)")
    parser.add_argument(
        "--conditions", nargs="+", default=ASKED, choices=ASKED, help="only these (default: all of the paper's)"
    )
    parser.add_argument("--seed", type=int, default=0, help="decides orders, codes, and whom questions name")
    parser.add_argument("--model", default="", help="model that answers (default: from the settings)")
    add_paying(parser)


def _add_judge(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", default="", help="model that judges (default: from the settings)")
    parser.add_argument(
        "--tasks", type=count_of("rankings"), default=0, metavar="N", help="only N rankings, drawn by the seed"
    )
    add_paying(parser)
