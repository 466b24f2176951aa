"""Laws of reading places: any way to write a place is read as the one option it can mean, and never as another."""

import csv
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ville.persona.prompt_template.ask import read_answer
from ville.persona.prompt_template.blanks import PlaceOptions
from ville.persona.prompt_template.place_questions import LEVELS, Site, bent_site, read_site
from ville.persona.prompt_template.plan_questions import WhereAndHow
from ville.persona.prompt_template.react_questions import HowToReact

MATRIX = Path(__file__).resolve().parents[4] / "environment/frontend_server/static_dirs/assets/the_ville/matrix"
PLACES = {
    "Lin family's house": {
        "kitchen": ("refrigerator", "kitchen sink"), "common room": ("sofa", "shelf"),
        "Eddy Lin's bedroom": ("bed", "desk"),
    },
    "Hobbs Cafe": {"cafe": ("cafe customer seating", "piano", "behind the cafe counter")},
    "Dorm for Oak Hill College": {
        "common room": ("common room table", "pool table"), "man's bathroom": ("shower", "toilet"),
        "woman's bathroom": ("shower", "toilet"),
    },
    "Oak Hill College": {"library": ("library table", "bookshelf"), "hallway": ()},
    "Johnson Park": {"park": ("park garden",)},
}  # fmt: skip
NOON = datetime(2023, 2, 13, 12)  # noqa: DTZ001 - game time has no zone
HOME = "Lin family's house"
SITES = [Site(sector, arena, thing) for sector, arenas in PLACES.items() for arena, things in arenas.items()
         for thing in things or ("",)]  # fmt: skip
MANNERS = [
    str.upper, str.lower, '"{}"'.format, "**{}**".format, "the {}".format, " {} ".format, "{}.".format, "`{}`".format,
    lambda name: name.replace("'", "’"), lambda name: name.replace("'", ""), lambda name: name.replace(" ", "_"),
    lambda name: name.replace(" ", "  "),
]  # fmt: skip
FORMS = [
    lambda s, a, o: (s, a, o),
    lambda s, a, o: (f"{s} > {a}", a, o),
    lambda s, a, o: (s, f"{s} > {a}", o),
    lambda s, a, o: (f"{s} > {a}: {o}", "", ""),
    lambda s, a, o: (s, f"{a}: {o}", o),
    lambda s, a, o: (f"the Ville:{s}:{a}:{o}", "", ""),
    lambda s, a, o: (f"the Ville:{s}", f"the Ville:{s}:{a}", f"the Ville:{s}:{a}:{o}"),
    lambda s, a, o: (f"{s} / {a}", "", o),
    lambda s, a, o: (a, s, o),
]


def unlike(name):
    """Return a name with the letter in the middle of its longest word left out."""
    word = max(name.split(), key=len)
    return name.replace(word, word[: len(word) // 2] + word[len(word) // 2 + 1 :], 1)


@given(st.sampled_from(SITES), st.sampled_from(FORMS), st.sampled_from(MANNERS))
def test_a_place_is_read_however_it_is_written(site, form, manner):
    """In any case, with quotes, articles and punctuation, as a line of the options or an address."""
    assert read_site(Site(*(manner(part) if part else "" for part in form(*site))), PLACES, HOME) == site


@given(st.sampled_from(SITES), st.integers(0, 2))
def test_a_misspelt_place_is_read(site, which):
    """If one word is nearly right and nothing else is like it."""
    said = list(site)
    assume(not said[which] or len(max(said[which].split(), key=len)) > 4)
    said[which] = unlike(said[which]) if said[which] else ""
    assert read_site(Site(*said), PLACES, HOME) == site


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (("piano", "", ""), ("Hobbs Cafe", "cafe", "piano")),
        (("Hobbs Cafe", "piano", ""), ("Hobbs Cafe", "cafe", "piano")),
        (("Hobbs", "cafe", "seating"), ("Hobbs Cafe", "cafe", "cafe customer seating")),
        (("library", "library", "table"), ("Oak Hill College", "library", "library table")),
        (("kitchen", "", "sink"), (HOME, "kitchen", "kitchen sink")),
        (("home", "kitchen", "sink"), (HOME, "kitchen", "kitchen sink")),
        (("Lin house", "bedroom", "bed"), (HOME, "Eddy Lin's bedroom", "bed")),
        (("Dorm", "", "pool table"), ("Dorm for Oak Hill College", "common room", "pool table")),
        (("park", "", ""), ("Johnson Park", "park", "park garden")),
        (("Oak Hill College", "hallway", "none"), ("Oak Hill College", "hallway", "")),
    ],
)
def test_a_part_of_a_name_or_an_object_is_enough(said, meant):
    """If only one option can be meant."""
    assert read_site(Site(*said), PLACES, HOME) == meant


@pytest.mark.parametrize(
    "said",
    [
        ("Moon", "crater", "rock"),
        ("Dorm for Oak Hill College", "bathroom", "shower"),
        ("common room", "", ""),
        ("Lin family's house", "Mei Lin's bedroom", "bed"),
        ("Lin family's house", "Abby Lin's bedroom", "bed"),
        ("Moore family's house", "kitchen", "refrigerator"),
        ("Hobbs Cafe", "kitchen", "refrigerator"),
        ("Hobbs Cafe", "cafe", "throne"),
        ("Klaus Mueller's room", "", "bed"),
        ("", "", ""),
    ],
)
def test_a_place_that_is_unclear_or_somebody_else_s_is_not_guessed(said):
    """Neither of two options, nor one's own room for another's."""
    with pytest.raises(ValueError, match=r"is not one of"):
        read_site(Site(*said), PLACES, HOME)


@given(
    *[
        st.sampled_from(
            ["", "Moon", "Hobbs Cafe", "cafe", "kitchen", "bed", "piano", "common room", HOME, "Park", "x:y"]
        )
    ]
    * 3
)
def test_the_last_attempt_is_bent_to_an_option(sector, arena, thing):
    """Or refused; what was read before is kept."""
    try:
        site = bent_site(Site(sector, arena, thing), PLACES, HOME)
    except ValueError:
        return
    assert site.game_object in (PLACES[site.sector][site.arena] or ("",))


WORDS = ["", "Moon", "kitchen", "library", "bed", "piano", "refrigerator", "bookshelf", "cafe", "common room"]


@given(st.sampled_from(sorted(PLACES)), st.sampled_from(WORDS), st.sampled_from(WORDS), st.booleans())
def test_the_last_attempt_stays_in_the_sector_that_is_named(sector, arena, thing, joined):
    """A kitchen elsewhere does not count if the named sector has none."""
    said = Site(f"{sector} > {arena}" if joined else sector, "" if joined else arena, thing)
    try:
        assert bent_site(said, PLACES, HOME).sector == sector
    except ValueError:
        assert len(PLACES[sector]) > 1


@pytest.mark.parametrize("read", [read_site, bent_site])
@pytest.mark.parametrize(
    "said", [("not the Hobbs Cafe", "", ""), ("not the Hobbs Cafe", "cafe", "piano"), ("Hobbs Cafe", "no cafe", "")]
)
def test_a_place_that_is_denied_is_not_read(read, said):
    """Not even on the last attempt."""
    with pytest.raises(ValueError, match="is not one of"):
        read(Site(*said), PLACES, HOME)


def test_the_last_attempt_sends_only_sleepers_to_bed():
    """Others use a bed only if it is named."""
    room = (HOME, "Eddy Lin's bedroom")
    assert bent_site(Site(*room, "armchair"), PLACES, HOME) == (*room, "desk")
    assert bent_site(Site(*room, "the bed"), PLACES, HOME) == (*room, "bed")
    answer = str({"sector": HOME, "arena": room[1], "game_object": "armchair"})
    for doing, used in (("sleeping", "bed"), ("reading", "desk")):
        question = WhereAndHow("", "Ada", doing, doing, NOON, "", f"{HOME} > {room[1]}", PlaceOptions(PLACES))
        assert read_answer(question, answer, last=True).site == (*room, used)


def test_only_what_is_allowed_is_enumerated():
    """In the schema of a question: sectors, arenas and objects that are offered, and what one may do now."""
    where = WhereAndHow("", "Ada", "", "", NOON, "", "", PlaceOptions(PLACES)).schema()["properties"]
    assert set(where["sector"]["enum"]) == set(PLACES)
    assert {site.arena for site in SITES} == set(where["arena"]["enum"])
    assert {site.game_object for site in SITES} == set(where["game_object"]["enum"])
    assert "enum" not in where["emoji"]
    react = HowToReact("", "Ada", NOON, "Ben", "", "", "never", (), ("wait", "carry on"))
    assert react.schema()["properties"]["choice"]["enum"] == ["wait", "carry on"]


def test_no_name_of_the_ville_is_like_another():
    """The limit for misspelling keeps all sectors, arenas and objects of the map apart."""
    rows = [
        row
        for file in MATRIX.glob("special_blocks/*_blocks.csv")
        for row in csv.reader(file.read_text("utf-8").splitlines())
    ]
    names = sorted({row[-1].strip() for row in rows if "spawning" not in row[-1]})
    assert len(names) > 100
    *_, similar = LEVELS
    assert [(one, other) for one in names for other in names if one < other and similar(one, other)] == []
