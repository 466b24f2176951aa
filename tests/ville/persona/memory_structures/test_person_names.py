# ruff: noqa: RUF001 - Russian
"""Laws of names in texts: who is meant by a full name, a first name, or an inflected form."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.persona.memory_structures.person_names import Names, _forms, person_name
from ville.persona.memory_structures.stream.associative_memory import AssociativeMemory
from ville.persona.memory_structures.stream.concept_node import observation, talk, thought

START = datetime(2023, 2, 13)
ISABELLA, KLAUS, JOHN = "Isabella Rodriguez", "Klaus Mueller", "John Lin"
TOWN = (ISABELLA, KLAUS, JOHN, "John Moreno", "Мария Петрова", "Александр Белов", "Александра Чехова")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (ISABELLA, "Ada owes ISABELLA RODRIGUEZ's cafe a visit"),
        (ISABELLA, "Isabella's party"),
        (ISABELLA, "for Isabella, Maria and Tom"),
        (ISABELLA, "говорила с Изабеллой о празднике"),
        (ISABELLA, "Изабелле Родригес нужна помощь"),
        (ISABELLA, "праздник у Isabella"),
        (KLAUS, "Клаусу нравится социология"),
        (KLAUS, "с Клаусом Мюллером"),
        (KLAUS, "сказал Klausу"),
        (JOHN, "a walk with John Lin"),
        ("Мария Петрова", "с Марией, у Марии, Марию"),
        ("Александр Белов", "письмо от Александра Белова, с Александром"),
        ("Александра Чехова", "с Александрой"),
        ("Пётр Белов", "видели Петра, и с Петром Беловым"),
        ("Павел Белов", "у Павла"),
        ("June Park", "a walk with June Park"),
        ("王伟", "我和王伟去公园"),
        ("Ada", "to Ada, with love"),
        ("Rose", "a walk with Rose in the park"),
        ("Will", "This is Will's plan"),
    ],
)
def test_a_text_names_a_person(name, text):
    """By the full name in any case, or by a capitalized first name that is unambiguous, also inflected."""
    assert named(name, text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (ISABELLA, "an isabella grape"),
        (ISABELLA, "Isabella Rossi sings"),
        (ISABELLA, "песня Изабеллы Росси"),
        (KLAUS, "Santa Claus, Mueller"),
        (JOHN, "a walk with John"),
        (JOHN, "a walk with John Moreno"),
        ("Александр Белов", "Александре"),
        ("June Park", "In June the park is green"),
        ("Will Stone", "Will it rain?"),
        ("Ada", "Canada, adage"),
        ("Rose", "the sun rose over the rose garden"),
        ("Will", "he will be there"),
        ("Isabella", "a walk with Isabella Rodriguez"),
    ],
)
def test_a_text_does_not_name_a_person(name, text):
    """Not by a word or month, a namesake's form, a name with another last name, or a part of a word."""
    assert not named(name, text)


def named(name: str, text: str) -> bool:
    """Return whether someone who remembers the whole town takes the text to name this persona."""
    return memory_of(*TOWN).known_as(name, TOWN).named_in(text)


def memory_of(*names: str) -> AssociativeMemory:
    stream = AssociativeMemory("Ada Stone")
    for name in names:
        stream.add(thought(START, ("Ada Stone", "knows", name), f"Ada Stone knows {name}", poignancy=3), [1])
    return stream


@pytest.mark.parametrize(("remembered", "meant"), [([], True), ([JOHN], True), (["John Moreno"], False)])
@pytest.mark.parametrize("maker", [thought, observation, talk])
def test_a_first_name_is_ambiguous_once_a_namesake_is_remembered(remembered, meant, maker):
    """From a thought that names it, or a memory of any kind with the name as a keyword."""
    stream = AssociativeMemory("Ada Stone")
    for name in remembered:
        stream.add(maker(START, (name, "is", "here"), "x", poignancy=1, keywords=(name,)), [1])
    assert stream.known_as(JOHN, TOWN).named_in("John came") == meant


texts = st.sampled_from(["Isabella Rodriguez sings", "с Изабеллой", "rain", "Isabella Rossi", "Klaus reads"])


@given(st.lists(st.tuples(st.sampled_from([thought, observation, talk]), texts, st.booleans())))
def test_the_index_finds_what_a_search_finds(memories):
    """The thoughts that name a persona, whenever it was asked for before; other kinds do not count."""
    stream, person = AssociativeMemory("Ada Stone"), person_name(ISABELLA)
    for maker, text, asked in memories:
        stream.add(maker(START, ("Ada Stone", "is", "x"), text, poignancy=1), [1])
        if asked:
            stream.thoughts_naming(person)
    found = [node.number for node in stream if node.kind == "thought" and person.named_in(node.description)]
    assert stream.thoughts_naming(person).tolist() == found


PARTS = ("John", "Lin", "JOHN", "lin", "Мария", "Марии", "Петрова", "Петровой", "Isabella", "王伟", "Straße", "STRASSE")
PARTS += ("a", "Rose", "rose", "O'Neil", "Mary-Jane", "Σωκράτης", "ΣΩΚΡΆΤΗΣ", "Işıl", "IŞIL", "İnci", "inci", "May")
NAMES = st.lists(st.sampled_from(PARTS), min_size=1, max_size=2).map(" ".join)


@given(st.lists(NAMES, min_size=1, max_size=6, unique=True), st.lists(st.sampled_from((*PARTS, "'s", "and"))), NAMES)
def test_the_index_of_names_finds_whom_a_look_at_every_name_finds(people, words, name):
    """In any text, and among any namesakes."""
    names, text = Names(people), " ".join(words)
    named = [each for each in people if person_name(each, names.namesakes(each)).named_in(text)]
    assert [each for each in names.perhaps_in(text) if person_name(each, names.namesakes(each)).named_in(text)] == named
    forms = _forms(name.split()[0])
    slowly = [each for each in people if each != name and any(forms & _forms(part) for part in each.split())]
    assert list(names.namesakes(name)) == slowly
