"""A cancelled party is over for all who have heard it."""

import re
from datetime import timedelta

import pytest
from few_people import copy_base, history_of

import ville
from ville.analysis.measures import NewsTopic, SavedRun, hearings
from ville.analysis.paper_measures import VALENTINES_PARTY
from ville.storage.folder.storage import find

HOSTESS, GUESTS = "Isabella Rodriguez", {"Maria Lopez", "Klaus Mueller", "Ayesha Khan", "Abigail Chen", "Tom Moreno"}
CANCELLED = NewsTopic("the cancellation", re.compile(r"\bcancelled\b"), HOSTESS)


@pytest.mark.slow
def test_who_hears_it_neither_plans_the_party_nor_goes_there(tmp_path):
    """Told on the eve or on the day: the plan of that day has no party, and none of them attends it."""
    people = {HOSTESS, *GUESTS}
    copy_base(tmp_path / "few", people)
    with ville.fork("few", "off", seed=1, fs_storage=str(tmp_path)) as town:
        town.intervene(history_of(people))
        town.run(until="16:00")
        town.whisper(HOSTESS, "The party at Hobbs Cafe is cancelled")
        town.run(until="February 14, 2023, 19:30:00")
        planned = {
            who: [what for *_, what in town.personas[who].schedule if "conversing" not in what] for who in people
        }
        town.save()
    saved = SavedRun(find(tmp_path, "off"))
    heard = {hearing.who for hearing in hearings(saved, CANCELLED)}
    assert len(heard) > 1
    assert [(who, what) for who in sorted(heard) for what in planned[who] if "party" in what] == []
    at_its_hour = saved.doings(VALENTINES_PARTY.begins + timedelta(hours=1))
    assert [who for who in sorted(heard) if "party" in at_its_hour[who] and "conversing" not in at_its_hour[who]] == []
