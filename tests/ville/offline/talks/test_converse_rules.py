"""Conversing without a model: talks that begin, get somewhere and end, in words that fit."""

import re
from datetime import datetime
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ville.offline.talks.dialogue import QUESTIONS, news_of
from ville.offline.talks.sayings import heard
from ville.persona.prompt_template.blanks import DialogueTurn, QuotedMemory, SaidOfLate
from ville.persona.prompt_template.converse_questions import (
    AfterConversation,
    ConversationGist,
    NextUtterance,
    Relationship,
)
from ville.persona.prompt_template.plan_questions import DayPlan

LONGEST = 16
"""Utterances: in each of eight rounds both may speak."""
NOON = datetime(2023, 2, 13, 12, 30)
CAFE = "cafe in Hobbs Cafe"


def talk(ask, one, other, *, now=NOON, place=CAFE, seed=1, doing=("drinking coffee", "reading a chapter"), earlier=()):
    """Every utterance with its speaker, and whether the last one ended the talk; `earlier`: what they said before."""
    situation = f"{one.name} was {doing[0]} when {one.name} saw {other.name}, who was {doing[1]}. {one.name} goes up."
    sides = (one, other), (other, one)
    relations = [ask(Relationship(me.identity(), me.name, you.name, me.memories), seed=seed).relationship
                 for me, you in sides]  # fmt: skip
    transcript: tuple[DialogueTurn, ...] = ()
    for turn in range(LONGEST):
        me, you = sides[turn % 2]
        said = ask(NextUtterance(me.identity(now.date()), me.name, you.name, now, place, situation, relations[turn % 2],
                                 "never", me.memories, transcript, SaidOfLate(me.name, earlier) if earlier else None),
                   seed=seed, step=turn)  # fmt: skip
        transcript = (*transcript, DialogueTurn(me.name, said.utterance))
        if said.ends:
            return transcript, True
    return transcript, False


@pytest.fixture(scope="session")
def talks(ask, cast):
    """Eighty talks between two of the cast, at all hours, in three places."""
    lot = Random(5)  # noqa: S311 - which talks are looked at
    names = sorted(cast)
    found = []
    for seed in range(80):
        one, other = lot.sample(names, 2)
        now = NOON.replace(hour=lot.choice((0, 6, 9, 12, 15, 18, 21, 23)), day=lot.choice((13, 14)))
        place = lot.choice((CAFE, "park in Johnson Park", "pub in The Rose and Crown Pub"))
        found.append((now, *talk(ask, cast[one], cast[other], now=now, place=place, seed=seed)))
    return found


def test_every_talk_comes_to_an_end(talks):
    """Somebody takes leave before the clock does, and not in the first sentence."""
    for _, transcript, ended in talks:
        assert ended
        assert 2 <= len(transcript) < LONGEST


def test_nobody_repeats_anybody_within_a_talk(talks):
    """No remark is made twice, nor any of its sentences of more than three words."""
    for _, transcript, _ in talks:
        said = [sentence for remark in transcript for sentence in remark.said.split(". ") if len(sentence.split()) > 3]
        assert len(said) == len(set(said)), said


@pytest.mark.parametrize("names", [("Sam Moore", "Jennifer Moore"), ("Isabella Rodriguez", "Maria Lopez")])
def test_what_was_told_and_asked_is_not_told_and_asked_again(ask, cast, names):
    """In ten talks of the same two, though what they remember is the same every time."""
    one, other = (cast[name] for name in names)
    earlier, said = (), []
    for seed in range(10):
        transcript, _ = talk(ask, *((one, other), (other, one))[seed % 2], seed=seed, earlier=earlier)
        earlier = (*earlier, *transcript)
        said += [(remark, line) for remark in transcript for line in heard(remark.said)]
    told = [(news.kind, news.who) for remark, line in said
            for news in news_of(line, NOON.date(), teller=remark.speaker, listener="")]  # fmt: skip
    asked = [(remark.speaker, line.key) for remark, line in said if "?" in line.text and line.key.startswith(QUESTIONS)]
    assert told
    assert len(told) == len(set(told))
    assert asked
    assert len(asked) == len(set(asked))


def test_what_is_said_is_faultless(talks, sentences):
    """Capitals, marks, articles, verbs: nothing that a pattern can see is wrong with any remark."""
    for _, transcript, _ in talks:
        for remark in transcript:
            assert sentences(remark.said) == [], remark.said


def test_nobody_speaks_to_themselves(talks):
    """Names in greetings and farewells are the other's; one's own is told only by way of introduction."""
    for _, transcript, _ in talks:
        for remark in transcript:
            own = remark.speaker.split()[0]
            introduces = f"I'm {remark.speaker}" in remark.said
            assert introduces or not re.search(rf"\b{own}\b", remark.said), remark.said


def test_the_other_is_seldom_called_twice_in_one_breath(talks):
    """Besides the sayings that name the other, news and sightings do."""
    twice, said = 0, 0
    for _, transcript, _ in talks:
        names = {remark.speaker.split()[0] for remark in transcript}
        for remark in transcript:
            said += 1
            twice += any(len(re.findall(rf"\b{name}\b", remark.said)) > 1 for name in names)
    assert twice < said / 20


def test_greetings_keep_the_hour(talks):
    """No good morning after noon, no good evening before six but at night, and no good afternoon elsewhere."""
    for now, transcript, _ in talks:
        said = " ".join(remark.said for remark in transcript)
        for word, hours in {
            "morning": range(5, 12),
            "afternoon": range(12, 18),
            "evening": (*range(5), *range(18, 24)),
        }.items():
            assert f"Good {word}" not in said or now.hour in hours, (now, said)


def test_an_invitation_is_understood_and_answered(ask, cast):
    """The host tells day, hour and place; the guest says yes or no, and both remember the same."""
    host = cast["Isabella Rodriguez"]
    answers = set()
    for number, (name, guest) in enumerate(cast.items()):
        if name == host.name:
            continue
        transcript, _ = talk(ask, host, guest, seed=number)
        said = " ".join(remark.said for remark in transcript)
        if "party" not in said:
            continue
        assert "Hobbs Cafe" in said
        assert "from 5pm to 7pm" in said
        kept = ask(AfterConversation(guest.identity(), name, host.name, NOON, transcript)).for_planning.text
        told = ask(AfterConversation(host.identity(), host.name, name, NOON, transcript)).for_planning.text
        assert "February 14th, 2023, from 5pm to 7pm" in kept
        assert ("wants to go" in kept) == ("wants to go" in told)
        assert ("cannot go" in kept) == ("cannot go" in told)
        answers.add("wants to go" in kept)
    assert answers == {True, False}


def test_who_hears_at_noon_of_tonight_keeps_the_evening_free(ask, cast):
    """If they said yes, though some change their minds; never who said no, and never for a day that is not today."""
    host, noon = cast["Isabella Rodriguez"], NOON.replace(day=14)
    kept = []
    for number, (name, guest) in enumerate(cast.items()):
        for now in (noon, NOON):
            transcript, _ = talk(ask, host, guest, seed=number, now=now)
            after = ask(AfterConversation(guest.identity(now.date()), name, host.name, now, transcript))
            if now == noon and "wants to go" in after.for_planning.text:
                kept.append(after.today.what)
            else:
                assert not after.today.what
            hosts = ask(AfterConversation(host.identity(now.date()), host.name, name, now, transcript))
            assert not hosts.today.what
    party = "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe"
    assert set(kept) == {party, ""}
    assert kept.count(party) > kept.count("")


def test_news_travels_by_mouth_and_keeps_its_day_hour_and_place(ask, cast):
    """From the host to a guest, from the guest to a third, from the third to a fourth: nothing is lost on the way."""
    people = [who for name, who in cast.items() if name != "Isabella Rodriguez"]
    text = "Isabella Rodriguez is giving a Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
    reached = 0
    for one, other in pairwise(people):
        knows = QuotedMemory(NOON.replace(hour=9), f"{one.name} heard from Isabella Rodriguez that {text}", "thought")
        for seed in range(5):
            told = type(one)(one.scratch, (*one.told, knows.text))
            transcript, _ = talk(ask, told, other, seed=seed)
            kept = ask(AfterConversation(other.identity(), other.name, one.name, NOON, transcript)).for_planning.text
            if "party" in kept:
                assert "at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm" in kept
                reached += 1
    assert reached


def test_secrets_are_kept(ask, cast):
    """Who is in love with somebody tells nobody."""
    for name in ("Klaus Mueller", "Maria Lopez", "Francisco Lopez"):
        for seed, other in enumerate(sorted(set(cast) - {name})):
            transcript, _ = talk(ask, cast[name], cast[other], seed=seed)
            assert not any("love with" in remark.said or "crush" in remark.said for remark in transcript)


def test_family_does_not_introduce_itself(ask, cast):
    """Husband and wife say no `I don't think we have talked before`, and friends of the family are no family."""
    for seed in range(20):
        transcript, _ = talk(ask, cast["Sam Moore"], cast["Jennifer Moore"], seed=seed, now=NOON.replace(hour=7))
        assert not any("I'm Sam" in remark.said or "talked before" in remark.said for remark in transcript)
        others, _ = talk(ask, cast["John Lin"], cast["Sam Moore"], seed=seed)
        assert not any("breakfast together" in remark.said or "Sleep" in remark.said for remark in others)


def test_what_remains_is_short_and_clean(talks, ask, english, cast):
    """A gist of at most fifteen words; afterthoughts that begin with the name and are good English."""
    for now, transcript, _ in talks:
        about = ask(ConversationGist(transcript)).about
        assert len(about.split()) <= 15
        assert english(about) == []
        one, other = dict.fromkeys(remark.speaker for remark in transcript)
        answer = ask(AfterConversation(cast[one].identity(), one, other, now, transcript))
        assert answer.memo.text.startswith(one)
        for thought in (answer.memo, answer.for_planning):
            assert english(thought.text) == [], thought.text


def test_who_accepted_and_did_not_come_says_so(ask, cast):
    """To the host, on the evening after; who came or never said yes has nothing to be sorry for."""
    host, evening = cast["Isabella Rodriguez"], NOON.replace(day=14, hour=20)
    noun = "the Valentine's Day party at Hobbs Cafe on February 14th, 2023, from 5pm to 7pm"
    sorry = {True: [], False: []}
    for number, (name, guest) in enumerate(cast.items()):
        for answer in ("wants to go", "cannot go") if name != host.name else ():
            said = f"{name} was invited by {host.name} to {noun}, and {guest.first} {answer}"
            told = type(guest)(guest.scratch, (*guest.told, said.replace("and", "but") if "cannot" in said else said))
            goes = any("Valentine" in line for line in ask(DayPlan(
                guest.identity(evening.date()), guest.first, evening.date(), 7, told.memories)).plans)  # fmt: skip
            transcript, _ = talk(ask, told, host, seed=number, now=evening)
            apologised = any("I'm sorry" in remark.said and remark.speaker == name for remark in transcript)
            sorry[answer == "wants to go" and not goes].append(apologised)
            if apologised:
                kept = ask(AfterConversation(guest.identity(), name, host.name, evening, transcript)).for_planning.text
                assert "apologised" in kept
    assert all(sorry[True])
    assert sorry[True]
    assert not any(sorry[False])


def test_relatives_stay_relatives(ask, cast):
    """Hours later, with nothing in mind but today, husband and wife are no acquaintances; a son says Dad."""
    bare = {name: type(cast[name])(cast[name].scratch, ()) for name in ("John Lin", "Mei Lin", "Eddy Lin")}
    married = ask(Relationship(bare["John Lin"].identity(), "John Lin", "Mei Lin", ()))
    assert "married" in married.relationship
    knows = type(cast["Eddy Lin"])(cast["Eddy Lin"].scratch, ("John Lin is Eddy Lin's father",))
    said = " ".join(remark.said for seed in range(5) for remark in talk(ask, knows, bare["John Lin"], seed=seed)[0])
    assert "Dad" in said


NAMES = st.from_regex(r"[A-Z][a-z]{1,8} [A-Z][a-z]{1,10}", fullmatch=True)
MEMORIES = st.lists(
    st.one_of(
        st.text(max_size=60),
        st.sampled_from([
            "Nia Sol heard from Ove Lund that Ada Stone is giving a concert at the Old Pier on March 3rd, 2023, at 8pm",
            "Ada Stone and Ben Reed are married", "Ben Reed is mending a net", "Ada Stone has quit her job",
            "Ove Lund is going to the lighthouse", "Nia Sol is in love with Ove Lund",
        ]),
    ),
    max_size=6,
)  # fmt: skip


@settings(max_examples=60)
@given(
    names=st.lists(NAMES, min_size=2, max_size=2, unique_by=lambda name: name.split()[0]), texts=MEMORIES,
    busy_with=st.text(max_size=60), at=st.tuples(st.integers(0, 23), st.text(max_size=30)),
)  # fmt: skip
def test_strangers_of_another_cast_can_talk(ask, names, texts, busy_with, at):
    """Whoever they are, whatever they remember, wherever they stand: they say something, and at last goodbye."""
    (me, you), (hour, place) = names, at
    memories = tuple(QuotedMemory(NOON, text, "thought") for text in texts)
    transcript: tuple[DialogueTurn, ...] = ()
    for turn in range(LONGEST):
        who = f"Name: {me}\nAge: 30\nInnate traits: odd\nCurrently: {busy_with}\nLifestyle: sleeps at noon"
        said = ask(NextUtterance(who, me, you, NOON.replace(hour=hour), place, "", "", "never", memories, transcript),
                   step=turn)  # fmt: skip
        assert said.utterance
        transcript = (*transcript, DialogueTurn(me, said.utterance))
        if said.ends:
            break
        me, you = you, me
    assert said.ends
    assert ask(ConversationGist(transcript)).about
    assert ask(AfterConversation(who, me, you, NOON, transcript))


OFF = "Isabella Rodriguez has cancelled the party"
TODAYS = ("12:00 AM: sleeping", "8:00 AM: reading", "5:00 PM: {}", "7:00 PM: having dinner at home")


def test_a_cancellation_is_no_candidacy(ask, cast):
    """Nobody asks for support, or promises a vote, for what does not take place."""
    host, noon = cast["Isabella Rodriguez"], NOON.replace(day=14)
    told = 0
    for seed, name in enumerate(sorted(set(cast) - {host.name})):
        sad = type(host)(host.scratch, (*host.told, OFF))
        transcript, _ = talk(ask, sad, cast[name], now=noon, seed=seed)
        off = [number for number, turn in enumerate(transcript) if re.search("cancelled the party", turn.said)]
        told += bool(off)
        for number in off:
            near = " ".join(turn.said for turn in transcript[number : number + 2])
            assert not re.search(r"\b(?:support|count on|vote|sensible)\b", near), near
    assert told


def test_what_is_cancelled_is_struck_from_the_day(ask, cast):
    """For who goes there and for the host, by whomever they are told; not what is something else."""
    host, guest, noon = cast["Isabella Rodriguez"], cast["Klaus Mueller"], NOON.replace(day=14)
    party = "attending Isabella Rodriguez's Valentine's Day party at Hobbs Cafe"
    told = (DialogueTurn(host.name, "The party is cancelled."), DialogueTurn(guest.name, "Oh, I see."))
    first = (DialogueTurn(host.name, "I have cancelled the party."), DialogueTurn(guest.name, "Oh, I see."))
    passed = (DialogueTurn("Maria Lopez", f"{OFF}."), DialogueTurn(guest.name, "Oh, I see."))
    for who, other, said, doing in (
        (guest, host.name, told, party),
        (guest, host.name, first, party),
        (guest, "Maria Lopez", passed, party),
        (host, guest.name, told, "hosting the Valentine's Day party at Hobbs Cafe"),
        (guest, host.name, told, "attending Ayesha Khan's birthday party"),
    ):
        day = tuple(line.format(doing) for line in TODAYS)
        kept = ask(AfterConversation(who.identity(noon.date()), who.name, other, noon, said, day))
        today = kept.today
        assert OFF in kept.for_planning.text
        wanted = ("", 0, 0) if "Ayesha" in doing else ("relaxing at home", 17, 120)
        assert (today.what, today.hour, today.minutes) == wanted
