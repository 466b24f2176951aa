"""Reading of English: times, plans, requirements, people, news; texts that were written come back the same."""

from datetime import date, datetime, timedelta
from random import Random

import pytest
from edges import edged
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.offline.answers.knowledge import Knowledge
from ville.offline.day.day import day_of
from ville.offline.day.duties import duties_of
from ville.offline.day.hours import DAY, Span, day_in, minutes_of, span_in, spoken_day, spoken_hour, spoken_span
from ville.offline.day.plan_rules import hours_of, lines_of
from ville.offline.grammar import (
    HE,
    SHE,
    THEY,
    base,
    gerund,
    in_first_person,
    ing,
    is_third,
    plain,
    predicates,
    third,
    to_first,
)
from ville.offline.news_reading import news_in
from ville.offline.profile import Profile, profile_of
from ville.offline.table import words
from ville.offline.talks.news import NewsItem, answer_text, merged, record_of, written
from ville.offline.talks.ties import closeness, feeling, kin, tie
from ville.offline.third_person import triple, whispered_thought
from ville.persona.prompt_template.blanks import QuotedMemory

TODAY = date(2023, 2, 13)
ADA, BEN = "Ada Stone", "Ben Reed"
PARTY = "Isabella Rodriguez is giving a Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
CONCERT = "there will be a rooftop concert at Hobbs Cafe on February 13th, 2023, at 8pm"
OCCASIONS = st.builds(
    lambda who, what, place, ahead, hours: NewsItem(
        what.split()[-1], who, what, TODAY + timedelta(ahead), Span(hours[0] * 60, (hours[0] + hours[1]) * 60), place
    ),
    st.sampled_from([ADA, "Ove Lund", "Bao de la Cruz"]),
    st.sampled_from(["Valentine's Day party", "birthday party", "concert", "farewell picnic", "exhibition"]),
    st.sampled_from(["Hobbs Cafe", "Johnson Park", "The Rose and Crown Pub"]),
    st.integers(0, 90), st.tuples(st.integers(7, 20), st.integers(1, 3)),
)  # fmt: skip


@settings(max_examples=60)
@given(item=OCCASIONS, kinds=st.lists(st.sampled_from(["has told", "heard"]), min_size=1, max_size=8))
def test_news_survives_telling(item, kinds):
    """However often it is told on and written down, whose, what, where and when stay the same."""
    for kind in kinds:
        text = written(kind, me=BEN, other="Nia Sol", news=item.as_sentence(year=True), answer=answer_text("yes", BEN))
        record = record_of(f"For {BEN}'s planning: {text}", TODAY)
        assert record is not None
        assert (record.kind, record.me, record.other, record.answer, record.guest) == (
            kind,
            BEN,
            "Nia Sol",
            "yes",
            "Ben",
        )
        (item_again,) = news_in(text, TODAY)
        assert item_again == record.news == item
        item = item_again


@settings(max_examples=60)
@given(item=OCCASIONS)
def test_an_invitation_belongs_to_its_host(item):
    """Whoever wrote it down: the guest or the host."""
    noun = f"the {item.what} {item.when_and_where(year=True)}"
    for text in (
        written("has invited", me=item.who, other=BEN, noun=noun),
        written("was invited", me=BEN, other=item.who, noun=noun),
    ):
        assert news_in(text, TODAY) == (item,)


@pytest.mark.parametrize(
    "told",
    [
        "There is a rooftop concert at Hobbs Cafe tonight at 8 pm",
        "There will be a rooftop concert at Hobbs Cafe this evening at 8pm.",
        f"Ada Stone has told Ove Lund that {CONCERT}, and Ove wants to go",
    ],
)
def test_what_has_no_host_stays_without_one(told):
    """Who tells it does not become its host."""
    (item,) = news_in(told, TODAY, ADA)
    assert (item.who, item.what, item.place, item.day) == ("", "rooftop concert", "Hobbs Cafe", TODAY)
    assert item.span.start == 20 * 60


@pytest.mark.parametrize(
    "text",
    [
        f"Ben Reed is conversing about {PARTY}", "Isabella Rodriguez is in love with Ben Reed, a secret",
        "Who is running for mayor?", "Ada Stone likes parties", "This is Ada Stone's plan for Monday: a party at 5pm",
    ],
)  # fmt: skip
def test_what_is_not_news(text):
    """Talk overheard, secrets, questions, likings and plans."""
    assert news_in(text, TODAY) == ()


def test_hearing_twice_is_knowing_once():
    """The same occasion told in two ways is one, with all that is known of it."""
    (item,) = merged((*news_in(PARTY, TODAY), *news_in("Isabella Rodriguez's party on February 14th", TODAY)))
    assert (item.span, item.place) == (Span(17 * 60, 19 * 60), "Hobbs Cafe")


def test_an_occasion_begins_and_ends_at_its_hours():
    """Not a minute earlier."""
    (item,) = news_in(PARTY, TODAY)
    for hour, check in ((17, item.has_begun), (19, item.is_over)):
        at = datetime(2023, 2, 14, hour)
        assert (check(at - timedelta(minutes=1)), check(at)) == (False, True)


@pytest.mark.parametrize(
    ("text", "teller", "listener"),
    [
        ("I'm running for mayor in next month's local election.", "Sam Moore", ADA),
        ("My husband Sam Moore is running for mayor in next month's local election.", "Jennifer Moore", ADA),
        ("I hear that you are running for mayor.", ADA, "Sam Moore"),
    ],
)
def test_a_candidacy_is_understood_in_anybody_s_words(text, teller, listener):
    (item,) = news_in(text, TODAY, teller, listener)
    assert (item.kind, item.who) == ("candidacy", "Sam Moore")


def knowledge(*texts, now, name=ADA):
    return Knowledge(Profile(name), [QuotedMemory(datetime(2023, 2, 13, 12), text, "thought") for text in texts], now)


def test_a_decision_stands_and_a_broken_promise_is_known():
    """Who said yes means yes, who said no means no; afterwards those who stayed away know that they had said yes."""
    broken = 0
    noun = "the Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
    for name in ("Ada Stone", "Ben Reed", "Ove Lund", "Nia Sol", "Cleo Moor", "Bao Cruz", "Ida Falk", "Jon Berg"):
        for answer in ("yes", "no"):
            said = written(
                "was invited", me=name, other="Isabella Rodriguez", noun=noun, answer=answer_text(answer, name)
            )
            mind = knowledge(said, now=datetime(2023, 2, 14, 20), name=name)
            (item,) = mind.heard
            assert mind.will_go(item) is (answer == "yes")
            assert not (mind.attends(item) and mind.broke_word(item))
            assert answer == "yes" or not mind.broke_word(item)
            broken += mind.broke_word(item)
    assert 0 < broken < 8


@pytest.mark.parametrize(
    ("text", "related"),
    [
        ("Ben Reed is Ada Stone's husband", "husband"), ("Ada Stone loves Ben Reed, her husband", "husband"),
        ("Ada Stone and Ben Reed are married", "spouse"), ("Ben Reed is Ada Stone's son", "son"),
        ("Ada Stone knows Ben Reed and his wife", ""), ("Ben Reed works with Ada Stone's husband", ""),
        ("Ada Stone likes Ben Reed better than her husband", ""), ("Ada Stone and Ben Reed are friends", ""),
    ],
)  # fmt: skip
def test_family_is_whoever_the_text_says(text, related):
    """Not everybody who is mentioned beside a husband is one."""
    assert kin(ADA, BEN, [text]) == related


def test_relatives_by_first_name_share_the_last_one():
    assert kin("John Lin", "Mei Lin", ["John Lin lives with his wife Mei, a professor"]) == "wife"
    assert kin("John Lin", "Mei Ross", ["John Lin lives with his wife Mei, a professor"]) == ""


def test_friends_are_closer_than_acquaintances_and_those_than_strangers():
    friend = closeness(tie(ADA, BEN, ["Ada Stone and Ben Reed are close friends"]))
    known = closeness(tie(ADA, BEN, ["Ada Stone knows Ben Reed from the shop"]))
    assert friend > known > closeness(tie(ADA, BEN, [])) > 0
    assert feeling(["Ada Stone cannot stand Ben Reed"], BEN) < 0 < feeling(["Ada Stone likes Ben Reed"], BEN)


@given(
    edged(0, DAY - 2),
    edged(1, DAY - 1),
    st.dates(date(1990, 1, 1), date(2060, 1, 1)),
    edged(-150, 150),
)
def test_spoken_times_are_understood(start, length, today, ahead):
    """Hours, stretches, and days without a year, which mean the nearest such day."""
    span, day = Span(start, min(DAY - 1, start + length)), date.fromordinal(today.toordinal() + ahead)
    assert minutes_of(spoken_hour(start)) == start
    assert span_in(f"a concert {spoken_span(span)}") == span
    assert day_in(spoken_day(day), today) == day


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("from 5 to 7pm", Span(17 * 60, 19 * 60)), ("between nine and five o'clock", Span(9 * 60, 17 * 60)),
        ("at noon", Span(12 * 60)), ("at half past six", Span(18 * 60 + 30)), ("until midnight", Span(None, DAY)),
        ("at 7:15 am", Span(7 * 60 + 15)), ("somewhen", Span()),
    ],
)  # fmt: skip
def test_hours_as_people_write_them(text, span):
    """A bare small hour is meant in the afternoon, a range by its end."""
    assert span_in(text) == span


@pytest.mark.parametrize(
    ("lifestyle", "wakes", "beds"),
    [
        ("Ada Stone goes to bed around 11pm, wakes up around 6am, eats dinner around 5pm.", 6, 23),
        ("Ada wakes up at 10am and goes to bed at 2am.", 10, 26),
        ("Ada gets up at half past six and falls asleep at nine.", 6.5, 21), ("Ada likes tea.", 7, 22.5),
    ],
)  # fmt: skip
def test_a_lifestyle_tells_when_somebody_sleeps(lifestyle, wakes, beds):
    ada = Profile(ADA, lifestyle=lifestyle)
    assert (ada.wakes / 60, ada.beds / 60) == (wakes, beds)


@pytest.mark.parametrize(
    ("requirement", "start", "end", "place"),
    [
        ("From 8am to 8pm Ada keeps Hill Cafe open and stands behind the counter.", 8, 20, "Hill Cafe"),
        ("Ada works behind the counter of the Old Shop from 9am to 5pm.", 9, 17, "Old Shop"),
        ("Ada teaches at Oak Hill College from 10am to 2pm.", 10, 14, "Oak Hill College"),
        ("Ada goes to the library of Oak Hill College early in the morning, studies until 3pm.", 7, 15, "Oak Hill"),
    ],
)
def test_a_requirement_is_kept(requirement, start, end, place):
    duties = duties_of(Profile(ADA, requirement=requirement, learned="Ada Stone studies law."))
    assert (duties[0].start, duties[-1].end) == (start * 60, end * 60)
    assert all(place in duty.what for duty in duties)


@settings(max_examples=80)
@given(edged(3, 11), edged(20, 26), st.integers(0, 50))
def test_a_plan_in_words_means_the_same_day(wakes, beds, seed):
    """Every line's hours are kept to the quarter, blocks last an hour or more, and the order is that of the day."""
    bed = f"{(beds - 1) % 12 + 1}{'pm' if beds < 24 else 'am'}"
    ada = Profile(ADA, lifestyle=f"Ada Stone goes to bed around {bed}, wakes up around {wakes}am.")
    rng = Random(seed)  # noqa: S311 - a seeded day
    hours = day_of(ada, TODAY, wakes=wakes, going=(), rng=rng)
    lines = lines_of(hours, ada, rng)
    meant = list(dict.fromkeys("sleeping" if hour == "sleep" else gerund(hour) for hour in hours))
    activities = hours_of(lines, ada, wakes)
    ends = [activity.end for activity in activities]
    assert [activity.start for activity in activities] == ["0:00", *ends[:-1]]
    assert ends[-1] == "24:00"
    assert list(dict.fromkeys(activity.what for activity in activities)) == meant
    for line in lines[1:-1]:
        span = span_in(line)
        assert (span.end or DAY) - (span.start or 0) >= 60, lines


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("Ada Stone and Ben Reed are friends, and Ada likes Ben.", "Ben Reed and I are friends, and I like Ben."),
        ("Ada Stone has told Ben Reed about it", "I have told Ben Reed about it"),
        ("Ben Reed is Ada Stone's husband", "Ben Reed is my husband"),
        ("Ben Reed gave Ada Stone a book", "Ben Reed gave me a book"),
    ],
)  # fmt: skip
def test_the_person_becomes_i(told, said):
    assert in_first_person(told, ADA) == said


def test_predicates_in_the_first_person():
    """The verb and the pronouns turn; a sentence falls into one piece for each thing that is done."""
    assert to_first("hears out somebody he disagrees with", HE) == "I hear out somebody I disagree with"
    assert to_first("has met a neighbour of his, and his wife", HE) == "I have met a neighbour of mine, and my wife"
    assert predicates("Ada Stone is painting a wall, and goes to bed early", ADA, SHE) == [
        "is painting a wall", "goes to bed early"
    ]  # fmt: skip


def test_verb_forms_come_back():
    """From the third person and from -ing, for each verb that the rules know."""
    bases = words("verbs.yaml", "bases")
    assert [verb for verb in bases if base(third(verb)) != verb or not is_third(third(verb))] == []
    assert [verb for verb in bases if plain(f"{ing(verb)} it") != f"{verb} it"] == []
    assert gerund("wake up and complete the routine") == "waking up and completing the routine"
    assert gerund("go for a walk and a swim") == "going for a walk and a swim"


@settings(max_examples=100)
@given(
    text=st.text(max_size=120),
    name=st.text(min_size=1, max_size=20),
    today=st.dates(date(1990, 1, 1), date(2060, 12, 31)),
)
def test_any_text_can_be_read(text, name, today):
    """Most texts tell nothing; none fails, whoever is spoken of."""
    news_in(text, today)
    record_of(text, today)
    span_in(text)
    day_in(text, today)
    kin(name, BEN, [text])
    in_first_person(text, name)
    for pronoun in (HE, SHE, THEY):
        whispered_thought(text, name, pronoun)
    triple(text, name)
    somebody = profile_of(text)
    assert 0 <= somebody.wakes < somebody.beds
    for duty in duties_of(Profile(ADA, requirement=text)):
        assert duty.start is None or 0 <= duty.start <= DAY
