"""Rules of a counterfactual: what people in this town cannot do, although they could elsewhere."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self, TypeVar

from ville.errors import CorruptFile
from ville.json_types import Json

RuledT = TypeVar("RuledT")
Pair = tuple[str, str]
"""Two names, sorted."""


@dataclass(frozen=True)
class Pin:
    """A persona repeats what it did in another simulation."""

    recording: str
    """Name of that simulation."""
    until: int
    """First step that it is not pinned in."""


@dataclass(frozen=True)
class TownRules:
    """The rules in force. Methods that change them return a new value."""

    frozen: frozenset[str] = frozenset()
    """Personas who make no thoughts."""
    cut: frozenset[Pair] = frozenset()
    """Pairs who do not talk with each other."""
    silent: frozenset[str] = frozenset()
    """Addresses of places where talking is ruled out."""
    models: Mapping[str, str] = field(default_factory=dict)
    """Personas whose questions go to another model than those of the others."""
    pins: Mapping[str, Pin] = field(default_factory=dict)
    """Personas who repeat a recording."""

    def __bool__(self) -> bool:
        return bool(self.frozen or self.cut or self.silent or self.models or self.pins)

    def with_frozen(self, name: str, *, on: bool) -> Self:
        return replace(self, frozen=_switched(self.frozen, name, on=on))

    def with_cut(self, one: str, other: str, *, on: bool) -> Self:
        return replace(self, cut=_switched(self.cut, pair_of(one, other), on=on))

    def with_silent(self, place: str, *, on: bool) -> Self:
        return replace(self, silent=_switched(self.silent, place, on=on))

    def with_model(self, name: str, model: str) -> Self:
        """Replace the model of a persona; an empty name gives it back that of the others."""
        return replace(self, models={**_without(self.models, name), **({name: model} if model else {})})

    def with_pin(self, name: str, pin: Pin | None) -> Self:
        return replace(self, pins={**_without(self.pins, name), **({name: pin} if pin else {})})

    def pin_of(self, name: str, step: int) -> Pin | None:
        """Return the recording that a persona repeats in a step, if any."""
        pin = self.pins.get(name)
        return pin if pin and step < pin.until else None

    def at_step(self, step: int) -> Self:
        """Leave out recordings that are over."""
        over = [name for name, pin in self.pins.items() if step >= pin.until]
        return replace(self, pins={name: pin for name, pin in self.pins.items() if name not in over}) if over else self

    def model_of(self, name: str) -> str:
        """Return the model of a persona; empty if it is that of the others."""
        return self.models.get(name, "")

    def is_silent(self, place: str) -> bool:
        """Return whether an address is in a place where talking is ruled out."""
        return any(place == silent or place.startswith(f"{silent}:") for silent in self.silent)

    def as_json(self) -> dict[str, Json]:
        """Return what is saved, in an order that does not depend on how it came about; nothing of what is empty."""
        values: dict[str, Json] = {
            "freeze": sorted(self.frozen),
            "cut": sorted(map(list, self.cut)),
            "silence": sorted(self.silent),
            "swap": dict(sorted(self.models.items())),
            "pin": {name: asdict(pin) for name, pin in sorted(self.pins.items())},
        }
        return {rule: value for rule, value in values.items() if value}

    @classmethod
    def read(cls, values: Any) -> Self:
        """Return what was saved. Raises CorruptFile."""
        try:
            return cls(
                frozen=frozenset(map(_text, values.get("freeze", []))),
                cut=frozenset(pair_of(_text(one), _text(other)) for one, other in values.get("cut", [])),
                silent=frozenset(map(_text, values.get("silence", []))),
                models={_text(name): _text(model) for name, model in values.get("swap", {}).items()},
                pins={_text(name): _pin(pin) for name, pin in values.get("pin", {}).items()},
            )
        except (AttributeError, KeyError, TypeError, ValueError) as fault:
            raise CorruptFile(f"rules cannot be read ({fault}). Correct them or restore the file.") from None


def pair_of(one: str, other: str) -> Pair:
    first, second = sorted((one, other))
    return first, second


def _switched(found: frozenset[RuledT], each: RuledT, *, on: bool) -> frozenset[RuledT]:
    return found | {each} if on else found - {each}


def _without(found: Mapping[str, RuledT], name: str) -> dict[str, RuledT]:
    return {key: value for key, value in found.items() if key != name}


def _pin(values: Mapping[str, object]) -> Pin:
    if type(until := values["until"]) is not int:
        raise TypeError(f"until is {until!r:.40}, not a step")
    return Pin(_text(values["recording"]), until)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not text")
    return value
