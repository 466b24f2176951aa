"""Function of the public API for the report of validity: `ville.validity`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.validity.awareness import (
    ANSWER_TOKENS,
    GUESS_SCHEMA,
    LONGEST,
    PROMPTS,
    ROUNDS,
    VERDICT_SCHEMA,
    AwarenessRound,
    awareness,
    chosen_prompts,
    first_question,
    read_guesses,
    read_verdict,
    second_question,
    shared_words,
)
from ville.analysis.validity.data_files import read_real_data
from ville.analysis.validity.finding import ValidityFinding, not_said
from ville.analysis.validity.outcome_words import MeasuredOutcome, outcomes_of, prompts_of
from ville.analysis.validity.persona_kept import AnswerPair, PersonaFact, compared, persona_facts, persona_kept
from ville.analysis.validity.report import ValidityReport, measured_findings, parting_steps, sorted_findings
from ville.api.asking import answers_of, answers_of_model, asking_cost
from ville.api.paper_functions import Say
from ville.api.studied_runs import find_studied_runs
from ville.assembly.model_choice import chat_config
from ville.errors import BadArgument, BadMoment, ModelError
from ville.json_types import JsonObject  # noqa: TC001 - of an attribute
from ville.llm.gateway import Usage
from ville.llm.wire.providers import OFFLINE
from ville.plain_text import quantity
from ville.settings import Settings, load_settings

SHOWN_TO_MODEL = Usage(prompt_tokens=PROMPTS * LONGEST // 3, completion_tokens=ANSWER_TOKENS)
"""Tokens of a question for guesses, at most."""
BY_RULES = "The rules answered in these runs: there are no prompts to be shown."
RUN_A_MODEL = "Run the study with a model, and ask with --yes."
NO_MODEL = "No model is configured that could be asked."
NOT_AGREED = "These runs are of a model, which was not asked. {cost} To agree: --yes"
NO_MOMENT = "An earlier moment cannot be asked: {why}"
UNANSWERED = "The model could not be asked: {why}"


def validity(
    *names: str,
    arm: str = "",
    data: Path | str = "",
    purpose: str = "",
    say: Say | None = None,
    model: bool = False,
    **settings: object,
) -> ValidityReport:
    """Return how far runs can be trusted as evidence: each check with a figure, a colour, and what to do.

    Args:
        names: a study, or saved simulations, the same town with different seeds.
        arm: arm of the study; by default the first.
        data: folder with data of real people: time_use.csv, trips.csv, stays.csv, moves.csv.
        purpose: what is tested, in a sentence; by default title and measures of the study, or what the paper measured.
        say: is told how far it has come, and what is asked and what it may cost.
        model: let the configured model answer where a model is needed, which may cost money.
        **settings: as for `fork`.

    Raises:
        ReverieError: there is no such study or simulation, a file is damaged, or the data have another form.
    """
    chosen, tell = load_settings(settings), say or str
    real = read_real_data(Path(data)) if data else None
    named = find_studied_runs(chosen, names)
    found = named.of_arm(arm)
    runs, outcomes = [each.run for each in found], outcomes_of(named.measures)
    if len({run.name for run in runs}) < len(runs):
        raise BadArgument("A simulation is named twice. Name each once.")
    tell(f"Reading {quantity(len(runs), 'run', 'runs')}")
    findings = list(measured_findings(runs, outcomes, real))
    about = purpose or ". ".join(filter(None, (named.title, _measured(outcomes))))
    asker = _Asker(chosen, tell, model=model)
    findings.append(asker.kept(runs, [each.start for each in found]))
    findings.append(asker.aware(runs, about))
    return ValidityReport(
        of=named.of + (f", {found[0].arm}" if found[0].arm else ""),
        runs=tuple(run.name for run in runs),
        people=len({who for run in runs for who in run.people}),
        outcomes=tuple(outcome.name for outcome in outcomes),
        findings=sorted_findings(findings),
        parting=max(parting_steps(runs).values()),
        answers=tuple(asker.answers),
    )


def _measured(outcomes: Sequence[MeasuredOutcome]) -> str:
    """Return what is measured as a sentence."""
    return f"It is measured: {', '.join(outcome.name for outcome in outcomes)}"


class _Asker:
    """Makes the findings that take answers: by the rules of runs by the rules, otherwise of a model if it is agreed."""

    def __init__(self, settings: Settings, tell: Say, *, model: bool) -> None:
        self._settings, self._tell, self._model = settings, tell, model
        self.answers: list[JsonObject] = []

    def kept(self, runs: Sequence[ComparedRun], starts: Sequence[str]) -> ValidityFinding:
        """Return the finding on facts that are asked at the start and at the end."""
        count = sum(2 * len(persona_facts()) * len(run.meta.persona_names) for run in runs)
        if refused := self._refused(runs, asking_cost(self._settings, count)):
            return not_said("persona kept", refused)
        pairs: list[AnswerPair] = []
        for run, start in zip(runs, starts, strict=True):
            self._tell(f"Asking {run.name} about themselves, at two moments")
            try:
                pairs += self._pairs(run, start)
            except BadMoment as fault:
                return not_said("persona kept", NO_MOMENT.format(why=fault))
        self.answers += [pair.as_json() for pair in pairs]
        if all(pair.verdict == "cannot be compared" for pair in pairs):
            return not_said("persona kept", f"None of {len(pairs):,} pairs of answers can be compared.")
        return persona_kept(pairs)

    def _pairs(self, run: ComparedRun, start: str) -> Iterator[AnswerPair]:
        settings = self._settings if run.ledger else replace(self._settings, provider=OFFLINE)
        facts, people = persona_facts(), run.meta.persona_names
        asked = [(who, fact) for who in people for fact in facts]
        before = find_run(settings.fs_storage, settings.replays, start)
        first = answers_of(settings, before, start, [(who, fact.first) for who, fact in asked])
        again = answers_of(settings, run, run.name, [(who, fact.again) for who, fact in asked])
        for (who, fact), one, other in zip(asked, first, again, strict=True):
            known = _names(run, who, fact)
            yield compared((run.name, who, fact), (one, other), (start, run.name), known)

    def aware(self, runs: Sequence[ComparedRun], purpose: str) -> ValidityFinding:
        """Return the finding on what a model guesses that sees the prompts."""
        asked = [run for run in runs if run.ledger]
        if not asked:
            return not_said("awareness", BY_RULES, RUN_A_MODEL)
        cost = asking_cost(self._settings, 2 * ROUNDS, SHOWN_TO_MODEL)
        if refused := self._refused(runs, cost):
            return not_said("awareness", refused)
        self._tell(f"Awareness: {cost}")
        try:
            rounds = [
                each
                for place, run in enumerate(asked[:ROUNDS])
                for each in self._rounds(run, range(place, ROUNDS, len(asked)), purpose)
            ]
        except ModelError as fault:
            return not_said("awareness", UNANSWERED.format(why=fault))
        self.answers += [each.as_json() for each in rounds]
        chat = chat_config(self._settings)
        return awareness(rounds, purpose, chat.models.advanced if chat else OFFLINE)

    def _rounds(self, run: ComparedRun, numbers: Sequence[int], purpose: str) -> list[AwarenessRound]:
        """Ask for guesses, and then whether one is right; without a guess, that is not asked.

        The questions of a run are asked together: so each is a call of its own, also if it is the same as another.
        """
        prompts = list(prompts_of(run))
        shown = [chosen_prompts(prompts, f"{run.name} {number}") for number in numbers]
        firsts = answers_of_model(self._settings, run, [(first_question(each), GUESS_SCHEMA) for each in shown])
        guesses = [read_guesses(text) for text in firsts]
        asked = [(second_question(purpose, each), VERDICT_SCHEMA) for each in guesses if each]
        verdicts = iter(answers_of_model(self._settings, run, asked))
        return [
            AwarenessRound(
                run=run.name,
                questions=tuple(question for question, _ in seen),
                guesses=each,
                verdict=read_verdict(next(verdicts)) if each else "no",
                words=shared_words(purpose, each),
            )
            for seen, each in zip(shown, guesses, strict=True)
        ]

    def _refused(self, runs: Sequence[ComparedRun], cost: str) -> str:
        """Return why nobody is asked; empty if the rules answer, or a model that was agreed to."""
        if not any(run.ledger for run in runs):
            return ""
        if chat_config(self._settings) is None:
            return NO_MODEL
        return "" if self._model else NOT_AGREED.format(cost=cost)


def _names(run: ComparedRun, who: str, fact: PersonaFact) -> list[str]:
    """Return the names that count in answers: of the person itself if it is asked for its name, or else of other people
    and of buildings.
    """
    if fact.key == "name":
        return [*who.split()]
    others = [part for name in run.people if name != who for part in (name, name.split()[0])]
    living = str(run.scratch(who).get("living_area", ""))
    return [*others, *(part for part in living.split(":")[1:] if part)]
