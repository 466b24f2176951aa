"""The language in which the personas of a simulation speak and think."""

from django.conf.locale import LANG_INFO

from translator.storage.runs.stored_simulation import StoredSimulation
from ville.errors import CorruptFile
from ville.storage.files import read_object_if_whole
from ville.storage.records.intervention_log import RUN_FILE

USUAL = "en"
CODES = {name.lower(): code for code, info in LANG_INFO.items() for name in (code, info.get("name", code))}
"""Codes of languages by code and by English name."""


def language_code(simulation: StoredSimulation) -> str:
    """Return the code of the language as HTML has it; empty if the simulation names an unknown language."""
    try:
        own = read_object_if_whole(simulation.meta_file.parent / RUN_FILE, simulation.root) or {}
    except CorruptFile:
        return ""
    named = own.get("language") or USUAL
    return CODES.get(named.lower(), "") if isinstance(named, str) else ""
