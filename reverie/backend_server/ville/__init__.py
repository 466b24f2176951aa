"""Generative agents in a small town (Park et al., UIST 2023).

>>> import ville
>>> town = ville.fork("base_the_ville_isabella_maria_klaus", "my_study", seed=1)
>>> town.run(until="09:00")
>>> town.interview("Klaus Mueller", "What are you working on?").text

`docs/api.md` lists everything that is public. Importing the package is cheap: its parts are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ville.api import (
        batch_run,
        compare,
        compare_sides,
        delete,
        diffusion,
        fork,
        interview,
        load_study,
        looks,
        open,  # noqa: A004 - read as ville.open
        simulations,
    )
    from ville.errors import ReverieError
    from ville.experiments.results import StudyResults
    from ville.persona.cognitive_modules.interview import InterviewReply
    from ville.simulation.summary import RunReport
    from ville.talk_session import TalkSession
    from ville.town_session import TownSession

__all__ = [
    "InterviewReply",
    "ReverieError",
    "RunReport",
    "StudyResults",
    "TalkSession",
    "TownSession",
    "batch_run",
    "compare",
    "compare_sides",
    "delete",
    "diffusion",
    "fork",
    "interview",
    "load_study",
    "looks",
    "open",
    "simulations",
]

_MODULES = {
    "InterviewReply": "ville.persona.cognitive_modules.interview",
    "ReverieError": "ville.errors",
    "StudyResults": "ville.experiments.results",
    "RunReport": "ville.simulation.summary",
    "TalkSession": "ville.talk_session",
    "TownSession": "ville.town_session",
    "batch_run": "ville.api",
    "compare": "ville.api",
    "compare_sides": "ville.api",
    "delete": "ville.api",
    "diffusion": "ville.api",
    "fork": "ville.api",
    "interview": "ville.api",
    "load_study": "ville.api",
    "looks": "ville.api",
    "open": "ville.api",
    "simulations": "ville.api",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ville' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
