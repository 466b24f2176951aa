"""Reads a study file. All faults are found before anything runs, each with its line and how to fix it.

A study that is given as an object of Python is read as a file with the same values.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from graphlib import CycleError, TopologicalSorter
from numbers import Integral, Real
from pathlib import Path

import yaml

from ville.analysis.group_measures import GROUP
from ville.analysis.named_measures import NamedMeasure, is_code, named_measure
from ville.errors import BadArgument, BadStudy, BadYaml, Fault
from ville.json_types import Json
from ville.llm.accounting.budget import Limits
from ville.llm.concurrency import most_calls
from ville.plain_text import nearest
from ville.settings import Settings, load_settings
from ville.storage.files import read_text
from ville.storage.folder.storage import LONGEST_NAME, NAME
from ville.storage.studies.study_folder import Keep
from ville.studies.assignment import groups_of
from ville.studies.reading.arm_reader import COMMON, ArmReader, Tell, code_notice, ignore_line
from ville.studies.reading.base_reader import read_bases
from ville.studies.reading.collect_reader import read_collect
from ville.studies.reading.plan_reader import PLAN_KEYS, read_plan
from ville.studies.reading.question_reader import answer_measures, read_questions
from ville.studies.study import FIRST, Study, StudyArm, StudyBase
from ville.studies.tables import COST_COLUMNS, RUN_COLUMNS
from ville.yaml_lines import YamlValue, read_yaml

FIX = "give texts, numbers, lists and dicts; a function is named as 'my_module:function'"


def plain_value(value: object, name: str) -> Json:
    """Return a value with tuples and ranges as lists, and numbers of numpy as those of Python.

    `name` is that of its key. Raises BadStudy for what a file cannot hold.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str | date):
        return str(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): plain_value(each, f"'{key}'") for key, each in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain_value(each, name) for each in value]
    raise BadStudy(Fault(f"{name} has an object of the type {type(value).__name__}", FIX))


LARGEST = 10_000_000
"""Bytes of a study file."""
KEYS = (
    *("title", "base", "bases", "moments", "steps", "until", "seeds", *COMMON, "arms", "questions", "measures"),
    *("collect", "keep", "budget", "tries", "audit", "bench", *PLAN_KEYS),
)
KEEPS: tuple[Keep, ...] = ("all", "compressed", "memories", "tables")
BUDGET_KEYS = ("dollars", "calls", "tokens")
ROOM = 60
"""Characters of the name of a simulation that are left for arm, seed and base."""
LONGEST_TITLE, LONGEST_MEASURE = 200, 100
MOST_SEEDS, MOST_TRIES = 10_000, 20
MOST_SEEDS_OF_PAGES = 200
"""Seeds of a study that a page sends: it is checked as it is typed."""
MOST = 10**12
MOST_VALUES = 100_000
"""Values of a file, each counted as often as an alias repeats it."""


def read_study(
    path: Path, *, name: str = "", settings: Mapping[str, object] | None = None, tell: Tell = ignore_line
) -> Study:
    """Return the study in a file, which is called as the file unless it has another `name`.

    `settings` are those of the command line or call, for all runs. `tell` is told which code of its own it brings,
    before that is imported. Raises BadStudy with all faults, and ReverieError.
    """
    try:
        text = read_text(path, most=LARGEST)
    except (OSError, ValueError) as fault:
        said = f"{path} cannot be read ({fault})"
        raise BadStudy(Fault(said, "name a study file; examples/studies/ has some")) from None
    return StudyReader(text, path, name or path.stem, settings or {}, tell=tell).read()


def study_of(content: Mapping[str, object], name: str, settings: Mapping[str, object] | None = None) -> Study:
    """Return a study that is given as an object, with the same keys as a file. Functions are found from the working
    directory. Raises BadStudy, with the lines of the file that it would be, and ReverieError.
    """
    return StudyReader(study_text(content), Path(f"{name}.yaml"), name, settings or {}).read()


def study_text(content: Mapping[str, object]) -> str:
    """Return the text of the file that has the keys of an object. Raises BadStudy for what no file can hold."""
    try:
        plain = plain_value(content, "the study")
    except RecursionError:
        raise BadStudy(Fault("The study contains itself", "give each key a value of its own")) from None
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True))


class StudyReader:
    """Reads one study file."""

    def __init__(
        self,
        text: str,
        path: Path,
        name: str,
        settings: Mapping[str, object],
        *,
        tell: Tell = ignore_line,
        sent: bool = False,
    ) -> None:
        """`sent`: whether it comes from a page, which names no code, files and servers of this machine."""
        self._text, self._path, self._name = text, path, name
        self._settings, self._tell, self._sent = settings, tell, sent
        self._root = _root(text, path.name)
        self._fields = self._root.fields(KEYS)

    def read(self) -> Study:
        """Raises BadStudy with all faults, and BadSetting for one of the environment."""
        load_settings(self._settings)
        if not NAME.fullmatch(self._name) or len(self._name) > LONGEST_NAME - ROOM:
            most = LONGEST_NAME - ROOM
            self._root.fault(
                f"'{self._name}' cannot be the name of a study", f"use letters, digits, - and _, at most {most}"
            )
        arms = ArmReader(self._path, self._settings, self._tell, sent=self._sent)
        bases = read_bases(self._root, self._fields, arms.plain)
        study = Study(
            name=self._name,
            title=self._title(),
            file=self._path.resolve(),
            text=self._text,
            bases=bases,
            seeds=self._seeds(),
            arms=self._arms(arms, bases),
            questions=read_questions(self._fields["questions"], bases) if "questions" in self._fields else (),
            measures=(),
            collect=read_collect(self._fields["collect"]) if "collect" in self._fields else None,
            keep=self._keep(),
            budget=self._budget(),
            tries=self._tries(),
            concurrency=most_calls(arms.plain.max_concurrency),
        )
        study = replace(study, measures=self._measures(study))
        self._check()
        arms.check_budget(self._fields.get("budget", self._root), study.budget)
        self._check_arms(study.arms)
        plan = read_plan(self._fields, [each.name for each in study.measures], [arm.name for arm in study.arms])
        self._check()
        return replace(study, plan=plan, concurrency=most_calls(arms.common.max_concurrency))

    def _check(self) -> None:
        if found := self._root.faults.all:
            raise BadStudy(*found)

    def _title(self) -> str:
        found = self._fields.get("title")
        title = (found.text() or "") if found else ""
        if found and len(title) > LONGEST_TITLE:
            found.fault(f"the title has {len(title):,} characters", f"write at most {LONGEST_TITLE}")
        return title

    def _tries(self) -> int:
        found = self._fields.get("tries")
        return (found.whole(1, MOST_TRIES) or 1) if found else 1

    def _keep(self) -> Keep:
        found = self._fields.get("keep")
        chosen = found.one_of(KEEPS) if found else None
        return next((each for each in KEEPS if each == chosen), "all")

    def _seeds(self) -> tuple[int, ...]:
        found = self._fields.get("seeds")
        if found is None:
            self._root.fault("the study has no seeds", "add, for example, `seeds: 5`, or a list of numbers")
            return ()
        if not found.is_list:
            most = MOST_SEEDS_OF_PAGES if self._sent else MOST_SEEDS
            return tuple(range(1, 1 + (found.whole(1, most) or 0)))
        seeds: list[int] = []
        for each in found.items():
            seed = each.integer()
            if seed in seeds:
                each.fault(f"the seed {seed} is given twice", "keep one of the two")
            elif seed is not None:
                seeds.append(seed)
        if self._sent and len(seeds) > MOST_SEEDS_OF_PAGES:
            found.fault("these are too many seeds for a page", f"give at most {MOST_SEEDS_OF_PAGES}")
        if not found.items():
            found.fault("there are no seeds", "add, for example, `seeds: 5`")
        return tuple(seeds)

    def _arms(self, reader: ArmReader, bases: tuple[StudyBase, ...]) -> tuple[StudyArm, ...]:
        reader.seeds = self._seeds()
        reader.read_common({key: self._fields[key] for key in COMMON if key in self._fields}, bases)
        if "arms" not in self._fields:
            return (reader.only(FIRST),)
        found = self._fields["arms"].fields()
        if not found and self._fields["arms"].is_mapping:
            self._fields["arms"].fault("there are no arms", "name at least one, or leave out `arms`")
        for name, arm in found.items():
            if not re.fullmatch(r"[\w-]{1,40}", name):
                arm.fault(f"'{name}' cannot be the name of an arm", "use letters, digits, - and _, at most 40")
        return tuple(reader.read(name, arm, bases) for name, arm in found.items())

    def _check_arms(self, arms: Sequence[StudyArm]) -> None:
        """Add a fault for each arm whose runs would be those of an arm before it."""
        entries = self._fields["arms"].fields() if "arms" in self._fields else {}
        before: list[tuple[StudyArm, Settings]] = []
        plain = [arm.name for arm in arms if not arm.past]
        self._check_answers(arms, entries)
        for arm in arms:
            if arm.past and arm.past.arm not in plain:
                said = f"there is no arm '{arm.past.arm}' without a past, which '{arm.name}' could have"
                entries[arm.name].fault(said, nearest(arm.past.arm, plain))
            settings = load_settings({**self._settings, **arm.settings})
            same = (settings, arm.rows, arm.past, arm.other_seeds, arm.assign)
            twin = next(
                (
                    each.name
                    for each, own in before
                    if (own, each.rows, each.past, each.other_seeds, each.assign) == same
                ),
                "",
            )
            if twin:
                fix = "change something in one of them, or remove it"
                entries[arm.name].fault(f"the arms '{twin}' and '{arm.name}' do not differ in anything", fix)
            before.append((arm, settings))

    def _check_answers(self, arms: Sequence[StudyArm], entries: Mapping[str, YamlValue]) -> None:
        """Add a fault for an arm that takes the answers of none that is there, or of one that waits for it."""
        needed = {arm.name: {*filter(None, [arm.answers, arm.past.arm if arm.past else ""])} for arm in arms}
        for arm in arms:
            others = [name for name in needed if name != arm.name]
            if arm.answers and arm.answers not in others:
                said = f"there is no other arm '{arm.answers}', whose answers '{arm.name}' could take"
                entries[arm.name].fault(said, nearest(arm.answers, others))
        try:
            TopologicalSorter(needed).prepare()
        except CycleError as circle:
            names = " and ".join(sorted(set(circle.args[1])))
            fix = "let one of them ask for itself"
            self._fields["arms"].fault(f"{names} wait for the answers or the past of each other", fix)

    def _measures(self, study: Study) -> tuple[NamedMeasure, ...]:
        """Return the measures of the file, and those of its typed questions."""
        groups = groups_of(study)
        found = self._measures_of_file(groups)
        own = [named_measure(source, self._path.parent) for source in answer_measures(study.questions, groups)]
        names = [each.name for each in found]
        for each in own:
            if each.name in names or len(each.name) > LONGEST_MEASURE:
                said = f"the answers give a second measure '{each.name}'" if each.name in names else (
                    f"the answers give a measure with a name of {len(each.name):,} characters"
                )  # fmt: skip
                self._fields["questions"].fault(said, "give the question a `name` of its own, which is short")
            names.append(each.name)
        return (*found, *own)

    def _measures_of_file(self, groups: Sequence[str]) -> tuple[NamedMeasure, ...]:
        found = self._fields.get("measures")
        measures: list[NamedMeasure] = []
        self._tell_of_code([each.value for each in found.items()] if found else [])
        for each in found.items() if found else ():
            if self._sent and is_code(each.value):
                each.fault("a page cannot name a function", "choose a measure of docs/studies.md, or count news")
                continue
            try:
                measure = named_measure(each.value, self._path.resolve().parent)
            except BadArgument as fault:
                each.fault(str(fault))
                continue
            group = str(each.value.get(GROUP)) if isinstance(each.value, Mapping) and GROUP in each.value else ""
            if group and group not in groups:
                each.fault(f"no group '{group}' is drawn", nearest(group, groups))
            if measure.name in {known.name for known in measures}:
                each.fault(f"the measure '{measure.name}' is given twice", "keep one of the two")
            if measure.name in (*RUN_COLUMNS, *COST_COLUMNS):
                each.fault(
                    f"a measure cannot be called '{measure.name}', as a column of runs.csv", "choose another `name`"
                )
            if len(measure.name) > LONGEST_MEASURE:
                said = f"the name of a measure has {len(measure.name):,} characters"
                each.fault(said, f"use at most {LONGEST_MEASURE}")
            measures.append(measure)
        return tuple(measures)

    def _tell_of_code(self, sources: Sequence[object]) -> None:
        """Say which measures are code, before any of it is imported."""
        if code := [str(each) for each in sources if is_code(each) and not self._sent]:
            self._tell(code_notice(self._path.name, "measures", code))

    def _budget(self) -> Limits:
        found = self._fields.get("budget")
        if found is None:
            return Limits()
        if not found.is_mapping:
            return Limits(cost=_dollars(found))
        given = found.fields(BUDGET_KEYS)
        counts = {key: given[key].whole(1, MOST) for key in ("calls", "tokens") if key in given}
        cost = _dollars(given["dollars"]) if "dollars" in given else None
        return Limits(calls=counts.get("calls"), tokens=counts.get("tokens"), cost=cost)


def _root(text: str, file: str) -> YamlValue:
    """Return the mapping that a file holds. Raises BadStudy."""
    try:
        root = read_yaml(text, file, most=MOST_VALUES, name="the study")
    except BadYaml as error:
        raise BadStudy(error.fault) from None
    if root is None or not root.is_mapping:
        fix = "begin with `bases:` and `arms:`; examples/studies/ shows some"
        raise BadStudy(Fault("this is not a study", fix, file, 1))
    return root


def _dollars(found: YamlValue) -> float | None:
    text = str(found.value).strip().removeprefix("$")
    if re.fullmatch(r"\d+(\.\d*)?|\.\d+", text) and float(text) > 0:
        return float(text)
    found.fault(f"{found.name} is not an amount of dollars", "write, for example, `$0.50`")
    return None
