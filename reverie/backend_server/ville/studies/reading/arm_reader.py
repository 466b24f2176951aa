"""Reads what the runs of an arm have in common: settings, models, ablations, a history and interventions."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from ville.assembly.model_choice import announcement, check_other_models, check_prices, without_price
from ville.assembly.own_minds import named_modules
from ville.errors import BadArgument, ReverieError
from ville.jobs.branch_spec import check_server
from ville.llm.accounting.budget import Limits
from ville.llm.wire.providers import OFFLINE
from ville.persona.prompt_template.question import TEMPLATES
from ville.plain_text import nearest, one_line, shortened
from ville.settings import FIELDS, Settings, load_settings, settable_by
from ville.settings.mind_names import named_minds
from ville.simulation.interventions.intervention_file import planned_row, planned_rows, read_objects
from ville.simulation.interventions.planned import Planned
from ville.simulation.interventions.prepare import after
from ville.storage.history_file import History, find_history, read_history
from ville.storage.model_variables import KEY_NAMES, PREFIX
from ville.storage.records.intervention_log import Row
from ville.studies.assignment import drawn_groups, rows_for_groups
from ville.studies.reading.assign_reader import ASSIGN, read_assign
from ville.studies.reading.base_reader import ANY_CLOCK
from ville.studies.study import ArmPast, StudyArm, StudyBase
from ville.yaml_lines import YamlValue

LONGEST_NAME = 100

Tell = Callable[[str], None]


def ignore_line(_line: str) -> None:
    """No-op: the line is not shown."""


def code_notice(file: str, what: str, names: Iterable[str]) -> str:
    """Return a paragraph about measures or minds of a study file."""
    code = ", ".join(shortened(one_line(name), LONGEST_NAME) for name in names)
    return (
        f"{file} brings {what} that are code: {code}. They are run here, with your rights; read them before, if they "
        "are from elsewhere."
    )


COMMON = ("settings", "models", "ablations", "history", "interventions", ASSIGN)
"""Keys of an arm, which the whole study may have, too."""
ARM_KEYS = (*COMMON, "title", "past", "other_seeds", "answers")
PAST_KEYS = ("arm", "at")
FARTHEST_SEED = 10**9
MOST_DRAWS = 20
"""Seeds whose groups are tried before anything runs."""
OWN_SETTINGS = (*KEY_NAMES, "base_url", "embedding_base_url", "api_version", "prices")
"""Settings that only those who run a study can set: keys, and where texts and keys are sent."""
FOR_ALL = ("max_concurrency",)
"""Those of them that concern all runs together."""
ABLATIONS = {"no_observation": "observations", "no_reflection": "reflections", "no_planning": "plans"}
"""Kinds of memories that are not retrieved (Park et al. 2023, section 6.2)."""
TIERS = {"fast": "fast_model", "advanced": "advanced_model"}


class ArmReader:
    """Reads the arms of one study."""

    def __init__(self, path: Path, settings: Mapping[str, object], tell: Tell, *, sent: bool = False) -> None:
        """`sent`: whether it comes from a page, which names no code, files and servers of this machine."""
        self._file, self._folder, self._tell = path.name, path.resolve().parent, tell
        self._sent = sent
        self._given = dict(settings)
        self._own: dict[str, object] = {}
        """Settings of the whole study."""
        self._rows: dict[str, tuple[Row, ...]] = {}
        self._assign: Mapping[str, float] = {}
        self.seeds: Sequence[int] = ()
        """Seeds of the study, with which groups are drawn."""
        self.plain = load_settings(self._given)
        """Without those of the study."""
        self._effective: list[tuple[Settings, frozenset[str]]] = []
        """Those that runs have, with the models that interventions give to single people."""

    @property
    def common(self) -> Settings:
        """The settings of the whole study."""
        return load_settings({**self._given, **self._own})

    def read_common(self, fields: Mapping[str, YamlValue], bases: Sequence[StudyBase]) -> None:
        """Read what concerns the whole study."""
        self._own = self._settings(fields)
        if place := fields.get("settings") or fields.get("models"):
            self._check_provider(place, self._own)
        self._assign = read_assign(fields[ASSIGN], bases) if ASSIGN in fields else {}
        self._rows = self._interventions(fields, bases, {}, self._assign)
        if place := fields.get("interventions"):
            self._check_swapped(place, self._own, self._rows)

    def only(self, name: str) -> StudyArm:
        """Return the arm of a study that names none."""
        return StudyArm(name, self._own, self._rows, assign=self._assign)

    def read(self, name: str, found: YamlValue, bases: Sequence[StudyBase]) -> StudyArm:
        """Return an arm. What is wrong is added to the faults."""
        fields = found.fields(ARM_KEYS)
        added = self._settings(fields, shared=False)
        own = {**self._own, **added}
        if added:
            self._check_provider(fields.get("settings") or found, own)
        assign = read_assign(fields[ASSIGN], bases) if ASSIGN in fields else self._assign
        rows = self._interventions(fields, bases, self._rows, assign)
        if own != self._own or rows != self._rows:
            self._check_swapped(fields.get("interventions") or found, own, rows)
        other_seeds = (fields["other_seeds"].whole(1, FARTHEST_SEED) or 0) if "other_seeds" in fields else 0
        past = _past(fields["past"], bases) if "past" in fields else None
        answers = (fields["answers"].text() or "") if "answers" in fields else ""
        return StudyArm(name, own, rows, past, other_seeds, answers, assign)

    def check_budget(self, entry: YamlValue, budget: Limits) -> None:
        """Add a fault if the price of a model is unknown, but there is a budget in dollars."""
        none = frozenset[str]()
        for settings, models in ((self.common, none), *self._effective) if budget.cost is not None else ():
            if unknown := without_price(settings, models):
                said = f"The price of {' and of '.join(unknown)} is unknown, so the budget cannot be enforced"
                entry.fault(said, f"add it to {settings.prices}, or leave out dollars")

    def _settings(self, fields: Mapping[str, YamlValue], *, shared: bool = True) -> dict[str, object]:
        found: dict[str, object] = {}
        entries = fields["settings"].fields() if "settings" in fields else {}
        for name, entry in entries.items():
            if name not in self._settable:
                entry.fault(*_refused(name, self._settable))
            elif name in FOR_ALL and not shared:
                entry.fault(f"'{name}' concerns all runs together", "write it into `settings` of the study")
            elif (name, entry.value) == ("policy_store", "public"):
                entry.fault(
                    "runs that share a public pool depend on which ends first", "write `policy_store: simulation`"
                )
            elif name == "minds":
                found |= self._minds(entry)
            elif self._is_valid(entry, {name: entry.value}):
                found[name] = entry.value
        return {**found, **_models(fields.get("models")), **_ablations(fields.get("ablations"))}

    @property
    def _settable(self) -> tuple[str, ...]:
        by_requests = settable_by("request")
        return tuple(name for name in settable_by("study") if not self._sent or name in by_requests)

    def _minds(self, entry: YamlValue) -> dict[str, object]:
        """Return which parts of minds are replaced, by classes that are found beside the study file."""
        own = {"minds": entry.value, "minds_folder": str(self._folder)}
        if self._is_valid(entry, own):
            settings = load_settings({**self._given, **own})
            if classes := named_minds(settings.minds).values():
                self._tell(code_notice(self._file, "minds", classes))
            try:
                named_modules(settings)
            except ReverieError as fault:
                entry.fault(str(fault))
            else:
                return {**own, "minds": settings.minds}
        return {}

    def _is_valid(self, entry: YamlValue, setting: Mapping[str, object]) -> bool:
        try:
            load_settings({**self._given, **setting})
        except ReverieError as fault:
            entry.fault(str(fault))
            return False
        return True

    def _check_provider(self, entry: YamlValue, own: Mapping[str, object]) -> None:
        """Add a fault if there is no such provider, or its key or model is missing."""
        try:
            settings = load_settings({**self._given, **own})
            announcement(settings)
            check_prices(settings)
            if self._sent:
                check_server(settings, self.plain)
        except ReverieError as fault:
            entry.fault(str(fault))
        else:
            self._effective.append((settings, frozenset()))

    def _check_swapped(self, entry: YamlValue, own: Mapping[str, object], rows: Mapping[str, Sequence[Row]]) -> None:
        """Add a fault if people cannot have the models that interventions give them."""
        if not (models := frozenset(model for each in rows.values() for row in each if (model := _other_model(row)))):
            return
        try:
            settings = load_settings({**self._given, **own})
            check_other_models(settings, models)
        except ReverieError as fault:
            entry.fault(str(fault))
        else:
            self._effective.append((settings, models))

    def _interventions(
        self,
        fields: Mapping[str, YamlValue],
        bases: Sequence[StudyBase],
        before: Mapping[str, Sequence[Row]],
        assign: Mapping[str, float],
    ) -> dict[str, tuple[Row, ...]]:
        """Return the rows by base, after those of the whole study; `who` may be the name of a group."""
        entries = self._entries(fields.get("interventions"))
        rows: dict[str, tuple[Row, ...]] = {}
        history = self._history(fields.get("history"))
        for base in bases or (None,):
            past = _history_row(fields["history"], history, base) if history and base else []
            given = [(fields["history"], row) for row in past] + entries
            found = [(entry, row, _planned(entry, row, base)) for entry, row in given]
            known = [(entry, row, planned) for entry, row, planned in found if planned]
            if base:
                common = before.get(base.name, ())
                for groups in self._draws(base, assign):
                    _check_possible([(entry, planned) for entry, _, planned in known], common, base, groups)
                own = planned_rows(_identified([row for _, row, _ in known]), base.clock, base.name)
                rows[base.name] = (*common, *(each.row() for each in own))
        return rows

    def _draws(self, base: StudyBase, assign: Mapping[str, float]) -> list[dict[str, list[str]]]:
        """Return the groups of the first seeds: not everyone can be in each."""
        try:
            seeds = self.seeds[:MOST_DRAWS] if assign else ()
            return [drawn_groups(base.people, assign, seed) for seed in seeds] or [{}]
        except BadArgument:
            return [{}]  # which was told where the groups are

    def _entries(self, found: YamlValue | None) -> list[tuple[YamlValue, Any]]:
        """Return the interventions of a list, or of the file that is named."""
        if found is None:
            return []
        if found.is_list:
            return [(each, each.value) for each in found.items()]
        if self._sent:
            found.fault("a page cannot name a file of interventions", "list them one by one")
            return []
        name = found.text()
        try:
            return [(found, row) for row in read_objects(self._folder / name)] if name else []
        except ReverieError as fault:
            found.fault(str(fault))
            return []

    def _history(self, found: YamlValue | None) -> History | None:
        name = found.text() if found else None
        if found is None or not name:
            return None
        try:
            return read_history(find_history(self.plain.assets, name))
        except ReverieError as fault:
            found.fault(str(fault))
            return None


def _past(entry: YamlValue, bases: Sequence[StudyBase]) -> ArmPast | None:
    """Return what the runs of an arm are until a moment; what is wrong is added to the faults."""
    fields = entry.fields(PAST_KEYS)
    if missing := [key for key in PAST_KEYS if key not in fields]:
        entry.fault(f"past has no '{missing[0]}'", 'write, for example, `past: {arm: untouched, at: "12:30"}`')
        return None
    past = ArmPast(fields["arm"].text() or "", str(fields["at"].node.value).strip())
    for base in bases:
        try:
            base.step_at(past.at)
        except ReverieError as fault:
            fields["at"].fault(str(fault))
    return past


def _history_row(entry: YamlValue, history: History, base: StudyBase) -> list[Row]:
    """Return the history as an intervention before the first step."""
    told = [[who, text] for who, texts in history.whispers for text in texts if who in base.people]
    if not told:
        entry.fault(f"the history names no one of {base.name}", "choose a history of these people")
        return []
    return [{"kind": "history", "rows": told, "step": base.clock.step}]


def _planned(entry: YamlValue, row: object, base: StudyBase | None) -> Planned | None:
    """Return an intervention that is planned for runs from a base; if it cannot be, add a fault."""
    try:
        planned = planned_row(row, base.clock if base else ANY_CLOCK)
    except ReverieError as fault:
        entry.fault(str(fault))
        return None
    if base and not base.clock.step <= planned.step < base.until_step:
        span = f"runs from {base.name} go from {base.clock.step:,} to {base.until_step:,}"
        entry.fault(f"the intervention is due at step {planned.step:,}, but {span}", "name a step or time within")
        return None
    return planned


def _check_possible(
    own: Sequence[tuple[YamlValue, Planned]],
    common: Sequence[Row],
    base: StudyBase,
    groups: Mapping[str, Sequence[str]],
) -> None:
    """Add a fault for each intervention that cannot take place after those before it, of the whole study or its own."""

    def of_people(row: Row) -> list[Planned]:
        return [Planned.from_row(each, base.name, logged=False) for each in rows_for_groups([row], groups)]

    before = [(None, each) for row in common for each in of_people(row)]
    own = [(entry, each) for entry, planned in own for each in of_people(planned.row())]
    around = base.around
    for entry, planned in sorted([*before, *own], key=lambda pair: pair[1].step):
        try:
            around = after(around, planned)
        except ReverieError as fault:
            if entry:
                entry.fault(str(fault))


def _other_model(row: Row) -> str:
    """Return the model that an intervention gives to a person; empty if it gives none."""
    model = str(row.get("model", "")) if row.get("rule") == "swap" and row.get("on", True) else ""
    return "" if model == OFFLINE else model


def _identified(rows: Sequence[Row]) -> list[Row]:
    """Return rows with identifiers by their content, so that equal ones are equal in all arms."""
    seen: Counter[str] = Counter()
    found: list[Row] = []
    for row in rows:
        text = json.dumps(row, sort_keys=True, default=str)
        seen[text] += 1
        found.append({"id": uuid5(NAMESPACE_OID, f"{seen[text]} {text}").hex, **row})
    return found


def _refused(name: str, settable: Sequence[str]) -> tuple[str, str]:
    """Return what is wrong with a setting that a study file does not take, and what to do."""
    if name == "seed":
        return "each run has a seed of its own", "write `seeds`, beside `settings` of the study"
    if name in FIELDS or name in OWN_SETTINGS:
        return f"a study file cannot set '{name}'", f"put {PREFIX}{name.upper()} into your own .env"
    return f"'{name}' is not a setting", nearest(name, settable, "docs/models.md lists all settings")


def _models(found: YamlValue | None) -> dict[str, str]:
    """Return the settings that choose models: by tier, kind of question, or question."""
    kinds = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())
    questions = sorted(path.relative_to(TEMPLATES).with_suffix("").as_posix() for path in TEMPLATES.glob("*/*.txt"))
    known = [*TIERS, *kinds, *questions]
    settings = {}
    for name, entry in (found.fields(known) if found else {}).items():
        if model := entry.text():
            settings[TIERS.get(name, f"model_{name.replace('/', '_')}")] = model
    return settings


def _ablations(found: YamlValue | None) -> dict[str, str]:
    """Return the setting that masks kinds of memories."""
    masked = []
    for each in found.one_or_more() if found else ():
        if (name := each.text()) and name not in ABLATIONS:
            each.fault(f"there is no ablation '{name}'", nearest(name, ABLATIONS))
        elif name:
            masked.append(ABLATIONS[name])
    return {"masked_memories": " ".join(sorted(set(masked)))} if masked else {}
