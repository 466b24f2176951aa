"""The two pieces of news and the party whose spread Park et al. (2023, section 7.1) measured in the Ville."""

import re
from datetime import datetime

from ville.analysis.measures import Gathering, NewsTopic

PARTY = NewsTopic("the party", re.compile(r"\bparty\b"), "Isabella Rodriguez")
CANDIDACY = NewsTopic(
    "the candidacy", re.compile(r"\bSam\b.*\bmayor\b|\bmayor\b.*\bSam\b|\bI'm running for mayor"), "Sam Moore"
)
VALENTINES_PARTY = Gathering(PARTY, datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19), "Hobbs Cafe")  # noqa: DTZ001 - game time has no zone
