"""Reads an intervention at the prompt: as a JSON object, or field by field."""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

from ville.errors import BadIntervention
from ville.simulation.interventions.kinds import MODELS, Intervention, parse_intervention

Ask = Callable[[str], Awaitable[str]]
"""Reads a line, given the text of the prompt."""


async def read_intervention(typed: str, ask: Ask) -> Intervention:
    """Return the intervention of a JSON object, or of a kind whose fields are asked for. Raises BadIntervention."""
    if typed.startswith("{"):
        return parse_intervention(_json_object(typed))
    values: dict[str, Any] = {"kind": typed}
    for name, field in MODELS[typed].model_fields.items() if typed in MODELS else ():
        if name not in {"kind", "was"}:
            hint = " Needed." if field.is_required() else f" Press Enter for: {_shown(field.default)}."
            line = await ask(f"{field.alias or name} ({(field.description or '').rstrip('.')}).{hint} ")
            if line or field.is_required():
                is_text = "str" in (form := str(field.annotation)) and "tuple" not in form
                values[field.alias or name] = line if is_text else _number(line)
    return parse_intervention(values)


def _json_object(text: str) -> dict[str, Any]:
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as fault:
        raise BadIntervention(f"'{text[:40]}' is not a JSON object ({fault}).") from None
    return dict(values)


def _shown(default: Any) -> str:
    return "no end" if default is None else str(default) or "empty"


def _number(line: str) -> Any:
    """Return a whole number, or the two of a tile; any other text as it is, to be refused."""
    if not re.fullmatch(r"[\d\s,()]{1,30}", line):
        return line
    numbers = [int(number) for number in re.findall(r"\d+", line)]
    return numbers[0] if len(numbers) == 1 else numbers
