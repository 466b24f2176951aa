"""The parts of minds that a run replaces: those that the owner's settings name, else those that it was run with before.

Only the owner of a machine names code. Classes that a simulation was run with are imported only if they were named here
before, which a file beside the wallet knows; so a folder from elsewhere cannot have anything imported.
"""

import inspect
import sys
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import Any

from ville.errors import BadMind, CorruptFile
from ville.home import HOME
from ville.persona.cognitive_modules.own_modules import DOCUMENT, guarded, told
from ville.persona.cognitive_modules.protocols import MindModules
from ville.settings import Settings
from ville.settings.mind_names import DEFAULT, minds_text, named_minds

NAMED_HERE = "minds.txt"
OWN_FOLDER = HOME.root / "minds"
"""Where modules of minds are found, whatever the settings say."""


def load_minds(settings: Settings, simulation: str, recorded: object) -> MindModules:
    """Return the parts that the settings replace; without such a setting, those that are `recorded` of the simulation.

    Raises BadMind if a class is missing, does not fit, or was never named here, and CorruptFile.
    """
    if settings.minds:
        modules = named_modules(settings)
        _note_named(settings, modules)
        return modules
    if not recorded:
        return MindModules()
    names = _recorded_names(simulation, recorded)
    text = minds_text(names)
    if unknown := sorted(set(names.values()) - _named_here(settings)):
        raise BadMind(
            f"The people of {simulation} think with {' and '.join(unknown)}, code that was never named here. If you "
            f"trust it, name it once: minds = {text}. Or go on without it: minds = {DEFAULT}."
        )
    try:
        return _modules(settings, names)
    except BadMind as fault:
        raise BadMind(f"{simulation} goes on with {text}: {fault} Or go on without it: minds = {DEFAULT}.") from fault


def named_modules(settings: Settings) -> MindModules:
    """Return the parts that the settings replace. Raises BadMind."""
    return _modules(settings, named_minds(settings.minds))


def check_code(simulation: str, recorded: Mapping[str, object], modules: MindModules) -> None:
    """Raise BadMind if a class is not as it was when steps were computed that are to be computed again."""
    if changed := _changed(recorded, modules.record):
        raise BadMind(
            f"{simulation}: the code for {' and '.join(changed)} has changed since these steps were computed."
        )


def change_notes(recorded: object, modules: MindModules) -> tuple[str, ...]:
    """Return what differs from how a simulation was run before, in a line; nothing if nothing does."""
    changed = _changed(recorded if isinstance(recorded, Mapping) else {}, modules.record)
    if not changed:
        return ()
    now = minds_text({kind: entry["class"] for kind, entry in modules.record.items()}) or "the Ville's own minds"
    return (f"From here on, people think with {now}; until now, they had other code for {' and '.join(changed)}.",)


def _changed(before: Mapping[str, object], now: Mapping[str, object]) -> list[str]:
    return [kind for kind in sorted({*before, *now}) if before.get(kind) != now.get(kind)]


def _recorded_names(simulation: str, recorded: Any) -> dict[str, str]:
    """Return the classes by part that a file says. Raises CorruptFile."""
    try:
        return named_minds(minds_text({kind: entry["class"] for kind, entry in recorded.items()}))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        template = "%(name)s: run.json: its minds are malformed (%(fault)s). Correct them, or remove them."
        raise CorruptFile(template, name=simulation, fault=fault) from None


def _modules(settings: Settings, names: Mapping[str, str]) -> MindModules:
    classes = {kind: _found(settings, name) for kind, name in names.items()}
    parts = {kind: guarded(kind, names[kind], _made(names[kind], found)) for kind, found in classes.items()}
    record = {kind: {"class": names[kind], "code": _code_digest(found)} for kind, found in classes.items()}
    return MindModules(**parts, record=record)


def _found(settings: Settings, name: str) -> type:
    """Return the class of a name `module:Class`. Raises BadMind."""
    module, _, class_name = name.partition(":")
    for folder in (settings.minds_folder, OWN_FOLDER):
        if folder.is_dir() and str(folder) not in sys.path:
            sys.path.append(str(folder))  # at the end, so that it replaces no other module
    try:
        found = getattr(import_module(module), class_name, None)
    except Exception as fault:
        if isinstance(fault, ModuleNotFoundError) and fault.name in {module, module.partition(".")[0]}:
            place = f"Put it into {settings.minds_folder}, or name its folder: minds_folder"
            raise BadMind(f"There is no module '{module}' for {name}. {place}.") from None
        raise BadMind(f"The module of {name} cannot be imported ({told(fault)}).") from fault
    if not isinstance(found, type):
        raise BadMind(f"The module '{module}' has no class '{class_name}'. Define it; {DOCUMENT}.")
    return found


def _made(name: str, found: type) -> object:
    try:
        return found()
    except Exception as fault:
        raise BadMind(f"{name} cannot be made without arguments ({told(fault)}); {DOCUMENT}.") from fault


def _code_digest(found: type) -> str:
    """Return a digest of the file that defines a class; empty if there is none."""
    with suppress(OSError, TypeError):
        if file := inspect.getsourcefile(found):
            return blake2b(Path(file).read_bytes(), digest_size=8).hexdigest()
    return ""


def _note_named(settings: Settings, modules: MindModules) -> None:
    """Note which classes were named here. If that fails, they have to be named again."""
    new = {entry["class"] for entry in modules.record.values()} - _named_here(settings)
    file = settings.wallet_path.with_name(NAMED_HERE)
    with suppress(OSError):
        if new:
            file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as lines:
                lines.writelines(f"{name}\n" for name in sorted(new))


def _named_here(settings: Settings) -> set[str]:
    try:
        return set(settings.wallet_path.with_name(NAMED_HERE).read_text("utf-8").split())
    except (OSError, UnicodeDecodeError):
        return set()
