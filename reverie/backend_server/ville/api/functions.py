"""The functions of the public API, for example `ville.fork`, `ville.open`, `ville.diffusion`, `ville.compare`."""

import asyncio
import warnings
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.comparison.comparison import Comparison, compare_runs
from ville.analysis.comparison.noise import RepeatComparison, compare_repeats
from ville.analysis.measures import Hearing, NewsTopic, SavedRun, hearings
from ville.analysis.news_facts import KNOWN, find_fact
from ville.analysis.tables.run_tables import RunTables
from ville.api.persona_view import check_text
from ville.api.town_session import TownSession
from ville.assembly.housekeeper import housekeeper
from ville.assembly.reading import read_for_interviews
from ville.assembly.traces import traced_questions
from ville.assembly.undoing import Undone
from ville.assembly.undoing import undo as undo_last
from ville.errors import BadArgument, BadMoment, SimulationExists, SimulationNotFound
from ville.persona.cognitive_modules.conversing.interview import InterviewReply
from ville.settings import Settings, load_settings
from ville.simulation.persona_names import find_persona
from ville.simulation.user_texts import checked_history
from ville.storage.folder.storage import find
from ville.storage.folder.storage import simulations as names_in
from ville.storage.keeping.description import Description, described
from ville.storage.keeping.marking import marked_step
from ville.storage.keeping.shrinking import Way, shrink
from ville.storage.past.moments import split_moment
from ville.storage.records.looks import ready_looks
from ville.storage.records.marks import Mark, read_marks, set_mark
from ville.storage.studies.study_folder import find_study
from ville.studies.batch import run_study, study_notes
from ville.studies.reading.study_file import read_study, study_of
from ville.studies.results import StudyResults


def fork(origin: str, name: str, *, title: str = "", replace: bool = False, **settings: object) -> TownSession:
    """Start a new simulation from the last save of another one, or from an earlier moment, and open it.

    If memories have vectors of another embedder, or none, new ones are made; a warning says so. What costs money needs
    `re_embed=True`.

    Args:
        origin: name of the simulation to copy, for example `base_the_ville_n25`; or a moment of it: `study_1@8000` (a
            step), `study_1@18:00`, `study_1@February 13, 2023, 18:00:00`, `study_1@end` (docs/studies.md).
        name: name of the new simulation: letters, digits, `-` and `_`.
        title: what the fork is for, in a few words.
        replace: whether a simulation of this name is deleted first, as by `ville.delete`: it lies in the bin then.
        **settings: any setting of docs/models.md in lower case, for example `seed=1` or `provider="offline"`.

    Raises:
        ReverieError: the origin does not exist, its moment cannot be reached, the name is taken or not allowed, or a
            setting is wrong. No folder is left behind.
    """
    source = split_moment(check_text("origin", origin)).name
    if name in {origin, source if replace else origin}:
        template = "'%(name)s' cannot be a copy of itself. Choose another name, or open it: ville.open('%(name)s')"
        raise SimulationExists(template, name=name)
    chosen = _settings(settings)
    if replace and name in names_in(chosen.fs_storage):
        find(chosen.fs_storage, source)
        housekeeper(chosen).delete(name, "saved")
    return TownSession(chosen, origin, name, title=title)


def open(name: str, **settings: object) -> TownSession:  # noqa: A001 - read as ville.open
    """Open a saved simulation and continue it in place. Settings and errors as for `fork`."""
    if split_moment(check_text("name", name)).at is not None:
        template = "'%(name)s' is in the past, and cannot be continued in place. Fork it: ville.fork('%(name)s', 'NEW')"
        raise BadMoment(template, name=name)
    return TownSession(_settings(settings), name, name)


def interview(
    simulation: str,
    name: str,
    question: str,
    *,
    role: str = "",
    history: Iterable[tuple[str, str]] = (),
    **settings: object,
) -> InterviewReply:
    """Ask a persona of a saved simulation a question; another process may have it open.

    The simulation does not change. If a model answers, the call is recorded in `reverie/interviews.sqlite3`; nothing
    else is written.

    Args:
        simulation: name of a saved simulation, as of its last save, or one of its moments, for example `study_1@18:00`.
        name: full name of a persona, or a part that only one has.
        question: at most 2,000 characters.
        role: whom you speak as, for example `a news reporter` or the name of another persona.
        history: earlier turns of the interview, as pairs of speaker and words: `reply.transcript`.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is no such simulation or persona, a text cannot be used, or the model cannot be reached.
    """
    chosen, line = _settings(settings), check_text("question", question)
    speaker, turns = check_text("role", role) if role != "" else "", checked_history(history)

    async def ask() -> InterviewReply:
        interviews, close = await read_for_interviews(chosen, check_text("simulation", simulation))
        try:
            who = find_persona(check_text("name", name), list(interviews.town.personas))
            return await interviews.ask(who, line, role=speaker, history=turns)
        finally:
            await close()

    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(asyncio.run, ask()).result()


def simulations(**settings: object) -> list[str]:
    """Return the names of all simulations in the storage folder, sorted."""
    return names_in(_settings(settings).fs_storage)


def delete(name: str, **settings: object) -> bool:
    """Delete a simulation; return whether there was one. Settings as for `fork`.

    It lies in a bin for a day: `ville.restore` brings it back. Without a simulation of this name, the recording is
    meant.

    Raises ReverieError if it is a base, a program has it open, a study needs it, or its folder is no plain simulation.
    """
    house = housekeeper(_settings(settings))
    try:
        house.delete(check_text("name", name))
    except SimulationNotFound:
        return False
    return True


def restore(name: str, new: str | None = None, **settings: object) -> None:
    """Bring the last deleted simulation or recording of a name back, within a day. Settings as for `fork`.

    Args:
        name: its name when it was deleted.
        new: its name from now on, if another one has the old name.
        **settings: as for `fork`.

    Raises ReverieError if there is none in the bin, or another one has the name.
    """
    housekeeper(_settings(settings)).restore(check_text("name", name), new=check_text("new", new) if new else "")


def rename(name: str, new: str, **settings: object) -> None:
    """Give a simulation another name; its branches note that. Without one of this name, the recording is meant.

    Args:
        name: of a simulation or recording that no program has open.
        new: letters, digits, `-` and `_`.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is none, the new name is taken or not allowed, it or a branch of it is open, or a study
            finds it by its name. Nothing has changed then.
    """
    housekeeper(_settings(settings)).rename(check_text("name", name), check_text("new", new))


def describe(
    name: str,
    *,
    title: str | None = None,
    note: str | None = None,
    tags: Iterable[str] | None = None,
    **settings: object,
) -> Description:
    """Change what is noted about a simulation or recording, and return it. It may be open.

    Args:
        name: of a simulation or recording.
        title: at most 80 characters.
        note: at most 2,000 characters.
        tags: instead of those that it has. The landing page groups simulations by them.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is no such simulation, or a text is too long.
    """
    root = housekeeper(_settings(settings)).root_of(check_text("name", name))
    return described(root, title=title, note=note, tags=None if tags is None else list(tags))


def mark(name: str, at: str, text: str, **settings: object) -> list[Mark]:
    """Mark a moment of a simulation or recording with a short text, and return all marks. Pages show them.

    Args:
        name: of a simulation or recording; it may be open.
        at: a step or a time, as after the `@` of a moment: `8000`, `18:00`.
        text: at most 200 characters; an empty one removes the mark of that moment.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is no such simulation or moment, or the text is too long.
    """
    root = housekeeper(_settings(settings)).root_of(check_text("name", name))
    return set_mark(root, marked_step(root, check_text("at", at)), text and check_text("text", text))


def marks(name: str, **settings: object) -> list[Mark]:
    """Return the marks of a simulation or recording, by step. Settings as for `fork`.

    Raises ReverieError if there is no such simulation.
    """
    return read_marks(housekeeper(_settings(settings)).root_of(check_text("name", name)))


def make_smaller(name: str, way: Way = "moments", **settings: object) -> None:
    """Make a simulation smaller. `ville simulations smaller NAME` says beforehand what that saves, and what is lost.

    Args:
        name: of a simulation or recording that no program has open.
        way: `moments` drops the checkpoints of earlier moments, and `vectors` those of embedders that it does not use,
            both at once; `recording` keeps only a recording, and what it was lies in the bin for a day.
        **settings: as for `fork`.

    Raises:
        ReverieError: it is open, a study needs it, or it cannot be made smaller in this way. Nothing is lost then.
    """
    shrink(housekeeper(_settings(settings)), check_text("name", name), way)


def undo(name: str, **settings: object) -> Undone:
    """Take a simulation back to the moment before its last intervention, and return what was undone.

    It goes on from there as if that had never happened. What it was lies in the bin for a day: to bring it back, rename
    this one and call `ville.restore`.

    Args:
        name: of a saved simulation that no program has open.
        **settings: as for `fork`.

    Raises:
        ReverieError: it has no intervention of its own, the moment cannot be reached, or a study or a later branch
            needs it as it is. Nothing has changed then.
    """
    chosen = _settings(settings)
    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(asyncio.run, undo_last(chosen, check_text("name", name))).result()


def looks(**settings: object) -> list[str]:
    """Return the names of all sprites, which visitors and new residents can have as `look`."""
    return list(ready_looks(_settings(settings).assets))


def diffusion(name: str, news: str, **settings: object) -> list[Hearing]:
    """Return who came to know of a piece of news, in order of time (Park et al. 2023, section 7.1.1).

    Args:
        name: a saved simulation.
        news: `party`, `candidacy`, or a regular expression to search for in what personas said and thought.
        **settings: as for `fork`.

    Returns:
        One entry for each persona that knows.

    Raises:
        ReverieError: there is no such simulation, a file is damaged, or `news` is not a regular expression.
    """
    topic = KNOWN.get(check_text("news", news)) or NewsTopic.matching(news)
    return hearings(SavedRun(find(_settings(settings).fs_storage, name)), topic)


def compare(a: str, b: str, *, news: str = "", trace: bool = True, **settings: object) -> Comparison:
    """Compare two saved or compressed simulations. Reads only, and calls no model.

    Args:
        a: name of a simulation; of a saved one also until a moment, for example `plain@18:00`.
        b: name of another one, or the same.
        news: also compare how this spread: a regular expression for what personas said and thought.
        trace: whether steps of runs by the rules are computed again, to know the first prompts that differ. Runs with a
            model have a ledger.
        **settings: as for `fork`.

    Returns:
        What differs: set-up, first step, memories, decisions, prompts, how it spread, and outcomes. `as_json()` has all
        of it.

    Raises:
        ReverieError: there is no such simulation, a file is damaged, or a simulation is saved meanwhile.
    """
    chosen = _settings(settings)
    topics = [NewsTopic.matching(check_text("news", news))] if news else []
    tracer = partial(traced_questions, chosen) if trace else None
    runs = [_compared(chosen, name) for name in (a, b)]
    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(compare_runs, *runs, topics=topics, tracer=tracer).result()


def compare_sides(a: Sequence[str], b: Sequence[str], *, draws_seed: int = 0, **settings: object) -> RepeatComparison:
    """Compare repeated runs of two sides: is the difference of their means more than noise?

    Args:
        a: names of simulations that differ only by chance, for example by their seeds.
        b: the same for the other side.
        draws_seed: seed of the random arrangements of the test, if there are too many to try all.
        **settings: as for `fork`.

    Returns:
        For each measure of `measure.py` the difference of means (B minus A), the spread within sides, a 95% interval,
        and the p of a permutation test. Runs of both sides with the same seed are compared as pairs.

    Raises:
        ReverieError: there is no such simulation, a file is damaged, or a side is empty.
    """
    if not a or not b:
        raise BadArgument("Name at least one simulation on each side.")
    chosen = _settings(settings)
    sides = ([_compared(chosen, name) for name in side] for side in (a, b))
    return compare_repeats(*sides, seed=draws_seed)


def batch_run(
    study: str | Path | Mapping[str, object],
    *,
    name: str = "",
    engine: str = "local",
    workers: int = 0,
    address: str = "",
    **settings: object,
) -> StudyResults:
    """Run a study: many runs by seeds and arms, as `study.py run` does. What is done already is not run again.

    Args:
        study: a study file (docs/studies.md), or an object with the same keys.
        name: name of the study; without it, that of the file.
        engine: what carries out the runs: `local`, in processes of this machine, or `ray`.
        workers: runs at the same time; 0: as many as there are processors.
        address: of a running Ray cluster; without it, one is started here.
        **settings: as for `fork`, for all runs.

    Returns:
        The results. Runs that failed are among them, with the reason.

    Raises:
        ReverieError: the study has faults, which `faults` lists; another program runs it; or it was run otherwise.
    """
    name = name and check_text("name", name)
    if isinstance(study, str | Path):
        read = read_study(Path(study), name=name, settings=settings)
    elif not isinstance(study, Mapping):
        kind = type(study).__name__
        raise BadArgument(
            f"A study is the path of a file, or an object with the same keys; this is of the type {kind}."
        )
    elif not name:
        raise BadArgument("A study that is not a file needs a name, for example: ville.batch_run({...}, name='party')")
    else:
        read = study_of(study, name, settings)
    for note in study_notes(read, settings):
        warnings.warn(note, stacklevel=2)
    return run_study(read, settings, engine=engine, workers=workers, address=address)


def load_study(name: str, **settings: object) -> StudyResults:
    """Return the results of a study so far, also while it is run. Settings as for `fork`.

    Raises ReverieError if there is no such study.
    """
    return StudyResults(find_study(_settings(settings).studies, check_text("study", name)))


def tables(name: str, *, private: bool = False, news: Iterable[str] = (), **settings: object) -> RunTables:
    """Return what a run was as tables: movements, actions, conversations, memories, ties, news, calls and others.

    `ville export` writes them to files. docs/tables.md has all columns with their units and meanings.

    Args:
        name: a saved or compressed simulation; a saved one also until a moment, for example `study_1@18:00`.
        private: whether conversations with users, calls of interviews, prompts and answers of calls are in them.
        news: what to follow instead of the party and the candidacy of the paper, each as `fact` of `ville.news`.
        **settings: as for `fork`.

    Returns:
        The tables by name: `ville.tables("study_1")["ties"].to_frame()`.

    Raises:
        ReverieError: there is no such simulation or news, a file is damaged, or `news` is not a regular expression.
    """
    run = _compared(_settings(settings), name)
    facts = [find_fact(run, check_text("news", each)) for each in news]
    return RunTables(run, private=private, news=facts)


def _compared(settings: Settings, name: str) -> ComparedRun:
    return find_run(settings.fs_storage, settings.replays, check_text("simulation", name))


def _settings(given: dict[str, object]) -> Settings:
    return load_settings(given)
