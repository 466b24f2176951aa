"""Judges that are scripted to be good, fair, or biased: what was planted is found, and nothing else."""

import asyncio
import json
import re
from dataclasses import replace
from hashlib import blake2b

import pytest
from evaluation_files import CONDITIONS, TELLS, write_evaluation

from ville.believability.evaluation_report import NO_RANKING, findings_of, report_lines, report_of, report_tables
from ville.believability.judging import Judge, checked_judge, judge_all, judging_usage, left_to_judge
from ville.believability.rankings import RankedSheet, rater_groups
from ville.believability.report_page import report_page
from ville.errors import BadArgument, Unreachable
from ville.llm.gateway import AnswerTerms, ChatReply
from ville.settings import Settings
from ville.storage.evaluations.ranking_sheet import read_sheet

CARD = re.compile(r"\[([A-Z])\] (.*?)(?=\n\n\[[A-Z]\]|\n\nRank all)", re.DOTALL)


class ScriptedJudge:
    """Ranks the answers in a prompt by a key, the lowest first."""

    def __init__(self, key):
        self.key, self.asked = key, 0

    async def complete(self, request):
        self.asked += 1
        cards = CARD.findall(request.messages[0].content)
        ranked = sorted(enumerate(cards), key=lambda entry: self.key(*entry[1], entry[0]))
        answer = json.dumps({"ranking": [letter for _, (letter, _) in ranked]})
        return ChatReply(answer, model="judge", terms=AnswerTerms(served="judge-2026-11"))


def digest(text):
    return blake2b(text.encode()).digest()


def drawn(_letter, text, _position):
    """A fair draw: by what is said, then by how."""
    return digest("".join(re.findall(r"I sat[^.]*", text))), digest(text)


def of_quality(letter, text, position):
    """By condition, but for one in eight."""
    said, style = drawn(letter, text, position)
    tree = next(place for place, tree in enumerate(TELLS.values()) if tree in text)
    return (3 - tree if said[0] < 32 else tree), said, style


def judged(folder, key, name="judge"):
    """Let a scripted judge rank everything, and return what the report finds."""
    judge = Judge(name, ScriptedJudge(key), folder, folder.note(), read_sheet(folder))
    asyncio.run(judge_all(judge, left_to_judge(folder, name)))
    group = next(group for group in rater_groups(folder) if group.name == name)
    return findings_of(RankedSheet.of(folder), group)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Two people and fifty questions, so that a quarter of the tasks have a planted copy."""
    return write_evaluation(tmp_path_factory.mktemp("evaluation") / "studies", questions=30)


def test_the_ranking_comes_out_as_planted(folder):
    """Ratings, tests and categories; a good judge is found to have no bias, and the report says all of it."""
    found = judged(folder, of_quality, "good")
    assert sorted(found.skills, key=lambda name: -found.skills[name].mean) == list(CONDITIONS)
    assert found.overall.p < 0.001
    assert found.overall.blocked_p < 0.001
    assert all(pair.adjusted < 0.05 and pair.ahead > 0.6 for pair in found.pairs)
    assert (found.position.is_found, found.style.length_found, found.style.copies_found) == (False, False, False)
    report = report_of(folder)
    text = "\n".join(report_lines(report))
    for words in (
        "Judged by good (served as judge-2026-11)",
        "Kruskal–Wallis: H(3)",
        "29.89",
        "compare the order",
        "Position bias: too few rankings to say (permutation, p ",
    ):
        assert words in text
    tables = report_tables(folder, report)
    assert tables["categories.csv"].count("good,") == 5 * len(CONDITIONS)
    assert not any(condition in tables["ratings.csv"] for condition in CONDITIONS)


def test_a_fair_judge_finds_no_difference(folder):
    """Nothing is found that was not planted, by the tests within rankings."""
    found = judged(folder, drawn, "fair")
    assert found.overall.blocked_p > 0.05
    assert not any(pair.sign_p < 0.05 for pair in found.pairs)
    assert not found.position.is_found
    assert not found.style.length_found


def test_a_judge_who_likes_the_first_place_is_found(folder):
    """It contradicts itself when the order is turned round, so that no condition gains."""
    found = judged(folder, lambda _letter, _text, position: position, "hasty")
    assert found.position.is_found
    assert found.position.shares[0].low > found.position.shares[0].expected
    assert found.orders.same_first < 0.1
    assert found.orders.correlation == pytest.approx(-1)
    assert [skill.mean for skill in found.skills.values()] == pytest.approx([25] * 4)


def test_a_judge_who_likes_style_is_found(folder):
    """Longer answers, and the same answer marked up."""
    found = judged(folder, lambda _letter, text, _position: (-len(text), digest(text)), "impressed")
    assert found.style.length_found
    assert found.style.length_low > 0.5
    assert found.style.copies > 10
    assert (found.style.copies_ahead, found.style.copies_found) == (found.style.copies, True)
    assert not found.position.is_found


@pytest.mark.parametrize("name", ["mind", "Mind:latest", "maker/mind", "models/mind.gguf"])
def test_whoever_answered_does_not_judge(tmp_path, name):
    """Under none of its names; and rules never."""
    note = write_evaluation(tmp_path / "studies").note()
    settings = Settings(base_url="http://localhost:1/v1", fast_model=name, embedder="hashing")
    with pytest.raises(BadArgument, match=r"gave the answers itself.*--model"):
        checked_judge(settings, note)
    with pytest.raises(BadArgument, match="rules cannot judge"):
        checked_judge(Settings(provider="offline"), note)
    named = Settings(base_url="http://localhost:1/v1", fast_model="offline", advanced_model="offline")
    with pytest.raises(BadArgument, match="rules cannot judge"):
        checked_judge(named, note)


def test_a_judge_that_begins_with_nothing_usable_is_not_asked_on(tmp_path):
    """After five orders, each with two corrections; one that was of use before goes on. The most counts corrections."""
    folder = write_evaluation(tmp_path / "studies")
    asked = []

    class Babbling:
        async def complete(self, request):
            asked.append(request)
            return ChatReply("The first one.", model="useless")

    useless = Judge("useless", Babbling(), folder, folder.note(), read_sheet(folder))
    left = left_to_judge(folder, "useless")
    usage = judging_usage(folder, left)
    assert (usage.questions, usage.most_questions) == (20, 60)
    assert usage.most.prompt_tokens > 3 * usage.likely.prompt_tokens
    with pytest.raises(BadArgument, match="first 5 answers of useless"):
        asyncio.run(judge_all(useless, left))
    assert len(asked) == 5 * 3
    asyncio.run(judge_all(replace(useless, chat=ScriptedJudge(of_quality)), left[:1]))
    assert asyncio.run(judge_all(useless, left[1:])) == len(left) - 1


def test_what_is_judged_is_kept(tmp_path):
    """A judge that fails in the middle goes on with the rest; what it cannot answer counts, and is asked again."""
    folder = write_evaluation(tmp_path / "studies")
    scripted = ScriptedJudge(of_quality)

    class Failing:
        async def complete(self, request):
            if scripted.asked == 5:
                raise Unreachable("It is gone.")
            return await scripted.complete(request)

    judge = Judge("judge", Failing(), folder, folder.note(), read_sheet(folder))
    with pytest.raises(Unreachable):
        asyncio.run(judge_all(judge, left_to_judge(folder, "judge")))
    left = left_to_judge(folder, "judge")
    assert len(left) == 20 - 5

    class Babbling:
        async def complete(self, _request):
            return ChatReply("The first one.", model="judge")

    babbling = Judge("judge", Babbling(), folder, folder.note(), read_sheet(folder))
    assert asyncio.run(judge_all(babbling, left)) == len(left)
    assert left_to_judge(folder, "judge") == left
    (found,) = report_of(folder).groups
    assert found.group.unusable == len(left)
    assert "15 times it gave no usable answer" in "\n".join(report_lines(report_of(folder)))
    asyncio.run(judge_all(replace(judge, chat=scripted), left))
    assert left_to_judge(folder, "judge") == []
    assert report_of(folder).groups[0].group.unusable == 0


def test_a_judge_without_a_usable_ranking_blocks_no_other(tmp_path):
    """The page and the words say so of it, and report the rest; asked again, its questions are not the same."""
    folder = write_evaluation(tmp_path / "studies")
    seeds = []

    class Babbling:
        async def complete(self, request):
            seeds.append(request.seed)
            return ChatReply("The first one.", model="useless")

    useless = Judge("useless", Babbling(), folder, folder.note(), read_sheet(folder))
    for _ in range(2):
        asyncio.run(judge_all(useless, left_to_judge(folder, "useless")[:2]))
    assert len(set(seeds)) == 2
    judged(folder, of_quality, "good")
    report = report_of(folder)
    assert "\n".join(report_lines(report)).count(NO_RANKING) == report_page(report).count(NO_RANKING) - 1 == 1
    assert report_page(report).count("<svg") == 1
    assert "useless,1" not in "".join(report_tables(folder, report).values())
