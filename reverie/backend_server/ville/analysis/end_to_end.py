"""The end-to-end table of the paper (Park et al. 2023, section 7.1), each number with its evidence."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import acquaintances, density, turnout
from ville.analysis.news import News, news_of
from ville.analysis.news_facts import KNOWN
from ville.analysis.paper_measures import MEASURES, VALENTINES_PARTY
from ville.json_types import Json

PAPER = {measure.what.strip(): measure.paper for measure in MEASURES}


@dataclass(frozen=True)
class CountedMoment:
    """One thing that a number counts: somebody at a moment, with the words that say so."""

    who: str
    step: int
    words: str


@dataclass(frozen=True)
class PaperRow:
    """A number of the table, at the beginning and at the end of a run; None where the run does not reach so far."""

    key: str
    what: str
    start: float | None
    end: float | None
    paper_start: str
    paper_end: str
    digits: int
    command: str
    """Command that prints its evidence, without the name of the run, which comes after its first word."""
    fact: str
    """Fact whose page has its evidence; empty if there is none."""
    evidence: tuple[CountedMoment, ...]


def end_to_end(run: ComparedRun) -> tuple[PaperRow, ...]:
    """Return the table: diffusion of both facts, claims without support, density of the network, the party."""
    spread = {key: news_of(run, fact) for key, fact in KNOWN.items()}
    return (
        *(_knowing(key, news) for key, news in spread.items()),
        *(_claiming(key, news) for key, news in spread.items()),
        _network(run),
        *_party(run, spread["party"]),
    )


def _knowing(key: str, news: News) -> PaperRow:
    at_first = sum(each.step == 0 or each.who == news.about for each in news.knowers)  # one's own news one has always
    found = tuple(CountedMoment(each.who, each.step, each.words) for each in news.knowers)
    paper, command = PAPER[f"know of the {key}"], f"measure --news {key}"
    return PaperRow(
        f"know {key}", f"know of the {key}", at_first, len(news.knowers), "1", paper, 0, command, key, found
    )


def _claiming(key: str, news: News) -> PaperRow:
    found = tuple(CountedMoment(each.who, each.step, each.words) for each in news.claims)
    what = f"claim to know of the {key} without a memory"
    return PaperRow(f"claim {key}", what, None, len(found), "", "0", 0, f"measure --news {key}", key, found)


def _network(run: ComparedRun) -> PaperRow:
    start, end = (density(run, acquaintances(run, when)) for when in (run.begins, run.ends))
    papers = (PAPER["density at the start"], PAPER["density at the end"])
    return PaperRow("density", "density of the network", start, end, *papers, 3, "ties", "", ())


def _party(run: ComparedRun, news: News) -> Iterator[PaperRow]:
    """Yield who was invited to the party, who came, who said no, and who said yes and stayed away."""
    found = turnout(run, VALENTINES_PARTY)
    told = {each.who: CountedMoment(each.who, each.step, each.words) for each in news.knowers}
    begins = run.step_at(VALENTINES_PARTY.begins)
    said = {each.who: each for each in news.tellings if each.reply and each.step < begins}
    replies = {who: CountedMoment(who, each.step, each.answer) for who, each in said.items()}
    no = [who for who, each in said.items() if each.reply == "denied"]
    yes = [who for who, each in said.items() if each.reply == "accepted"]
    invited, there = (found.invited, found.there) if found else (frozenset[str](), frozenset[str]())
    rows = {
        "invited": ("heard of the party before it began", [told[who] for who in sorted(invited)], "12"),
        "came": ("of these came to the party", [told[who] for who in sorted(invited & there)], "5"),
        "no": ("said that they would not come", [replies[who] for who in no], "3"),
        "away": ("said yes and did not come", [replies[who] for who in yes if who not in there], "4"),
    }
    for key, (what, evidence, paper) in rows.items():
        count = len(evidence) if found else None
        yield PaperRow(key, what, None, count, "", paper, 0, "measure --news party", "party", tuple(evidence))


def table_json(rows: tuple[PaperRow, ...]) -> list[Json]:
    """Return the table as JSON."""
    return [asdict(row) for row in rows]


def untold_table(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the table, as JSON, as those may know it who only watch: without words."""
    return [{**row, "evidence": [{**each, "words": ""} for each in row["evidence"]]} for row in rows]
