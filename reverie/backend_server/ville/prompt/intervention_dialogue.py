"""Reads an intervention at the prompt: as a JSON object, or field by field."""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from ville.errors import BadIntervention
from ville.simulation.interventions.catalogue import kinds, parse_intervention
from ville.simulation.interventions.intervention import Intervention
from ville.simulation.interventions.kind import shown_default

Ask = Callable[[str], Awaitable[str]]
"""Reads a line, given the text of the prompt."""
TRUTH = {"true": True, "yes": True, "false": False, "no": False}


async def read_intervention(typed: str, ask: Ask) -> Intervention:
    """Return the intervention of a JSON object, or of a kind whose fields are asked for. Raises BadIntervention."""
    if typed.startswith("{"):
        return parse_intervention(_json_object(typed))
    values: dict[str, Any] = {"kind": typed}
    for name, field in kinds()[typed].asked.items() if typed in kinds() else ():
        hint = " Needed." if field.is_required() else f" Press Enter for: {shown_default(field)}."
        line = await ask(f"{name} ({(field.description or '').rstrip('.')}).{hint} ")
        if line or field.is_required():
            is_text = "str" in (form := str(field.annotation)) and "tuple" not in form
            values[name] = line if is_text else _read(line)
    return parse_intervention(values)


def _json_object(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadIntervention(f"'{text[:40]}' is not a JSON object ({fault}).") from None
    return dict(values)


def _read(line: str) -> Any:
    """Return true or false, a whole number, or the two of a tile; any other text as it is, to be checked."""
    if line.lower() in TRUTH:
        return TRUTH[line.lower()]
    if not re.fullmatch(r"[\d\s,()]{1,30}", line):
        return line
    numbers = [int(number) for number in re.findall(r"\d+", line)]
    return numbers[0] if len(numbers) == 1 else numbers
