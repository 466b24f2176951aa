"""Generative agents in a small town (Park et al., UIST 2023).

>>> import ville
>>> town = ville.fork("base_the_ville_isabella_maria_klaus", "my_study", seed=1)
>>> town.run(until="09:00")
>>> town.interview("Klaus Mueller", "What are you working on?").text

`docs/api.md` lists everything that is public. Importing the package is cheap: its parts are loaded when first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ville.version import VERSION

if TYPE_CHECKING:
    from ville.analysis.run import Run
    from ville.api.functions import (
        batch_run,
        compare,
        compare_sides,
        delete,
        describe,
        diffusion,
        fork,
        interview,
        load_study,
        looks,
        make_smaller,
        mark,
        marks,
        open,  # noqa: A004 - read as ville.open
        rename,
        restore,
        simulations,
        tables,
        undo,
    )
    from ville.api.news_functions import ask_facts, news
    from ville.api.paper_functions import paper_evaluation
    from ville.api.talk_session import TalkSession
    from ville.api.town_session import TownSession
    from ville.api.validity_functions import validity
    from ville.errors import ReverieError
    from ville.persona.cognitive_modules.conversing.interview import InterviewReply
    from ville.simulation.running.run_summary import RunReport
    from ville.studies.results import StudyResults

__all__ = [
    "InterviewReply",
    "ReverieError",
    "Run",
    "RunReport",
    "StudyResults",
    "TalkSession",
    "TownSession",
    "ask_facts",
    "batch_run",
    "compare",
    "compare_sides",
    "delete",
    "describe",
    "diffusion",
    "fork",
    "interview",
    "load_study",
    "looks",
    "make_smaller",
    "mark",
    "marks",
    "news",
    "open",
    "paper_evaluation",
    "rename",
    "restore",
    "simulations",
    "tables",
    "undo",
    "validity",
]

__version__ = VERSION

_MODULES = {
    "InterviewReply": "ville.persona.cognitive_modules.conversing.interview",
    "ReverieError": "ville.errors",
    "StudyResults": "ville.studies.results",
    "Run": "ville.analysis.run",
    "RunReport": "ville.simulation.running.run_summary",
    "TalkSession": "ville.api.talk_session",
    "TownSession": "ville.api.town_session",
    "ask_facts": "ville.api.news_functions",
    "batch_run": "ville.api.functions",
    "compare": "ville.api.functions",
    "compare_sides": "ville.api.functions",
    "delete": "ville.api.functions",
    "describe": "ville.api.functions",
    "diffusion": "ville.api.functions",
    "fork": "ville.api.functions",
    "interview": "ville.api.functions",
    "load_study": "ville.api.functions",
    "looks": "ville.api.functions",
    "make_smaller": "ville.api.functions",
    "mark": "ville.api.functions",
    "marks": "ville.api.functions",
    "news": "ville.api.news_functions",
    "open": "ville.api.functions",
    "paper_evaluation": "ville.api.paper_functions",
    "rename": "ville.api.functions",
    "restore": "ville.api.functions",
    "simulations": "ville.api.functions",
    "tables": "ville.api.functions",
    "undo": "ville.api.functions",
    "validity": "ville.api.validity_functions",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'ville' has no attribute '{name}'")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
