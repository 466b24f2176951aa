"""Functions of the public API about facts and who knows them, for example `ville.news`."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from ville.analysis.asked_facts import AskedFacts, questions_for
from ville.analysis.comparison.compared_run import ComparedRun, find_run
from ville.analysis.news import News, news_of
from ville.analysis.news_facts import By, find_fact
from ville.api.asking import asking_cost, everyone_asked
from ville.api.persona_view import check_text
from ville.assembly.model_choice import local_embedder_named
from ville.errors import BadArgument
from ville.llm.embedders import HashingEmbedder
from ville.llm.gateway import Vectors
from ville.settings import Settings, load_settings


def news(name: str, fact: str, *, by: By = "pattern", **settings: object) -> News:
    """Return how a fact spread: who knew it first and how, who told whom in which words, who only claims to know it.

    Args:
        name: a saved or compressed simulation; of a saved one also until a moment, for example `study_1@18:00`.
        fact: `party`, `candidacy`, a fact that an intervention brought (`#3`: row 3 of its log; `#1.20`: the twentieth
            whisper of a history), or a text.
        by: how a text stands for a fact: `pattern`, a regular expression; `words`, by most of the words that say what
            it is about; `meaning`, by the embedder of the run, if that runs on this machine and knows meanings.
        **settings: as for `fork`.

    Returns:
        Those who know it, all conversations in which it was told, and the edges of the forest of tellings.

    Raises:
        ReverieError: there is no such simulation or fact, a file is damaged, or the text cannot be searched for.
    """
    chosen, text = load_settings(settings), check_text("fact", fact)
    run = find_run(chosen.fs_storage, chosen.replays, check_text("name", name))
    return spread_of(chosen, run, text, by=by)


def spread_of(settings: Settings, run: ComparedRun, text: str, *, by: By) -> News:
    """Return how the fact that a text names spread in a run. Raises a ReverieError."""

    def find() -> News:
        return news_of(run, find_fact(run, text, by, embed=lambda texts: _vectors(settings, run, texts)))

    with ThreadPoolExecutor(1) as thread:  # notebooks have a running event loop in this one
        return thread.submit(find).result()


def _vectors(settings: Settings, run: ComparedRun, texts: Sequence[str]) -> Vectors:
    """Return the vectors of texts by the embedder of a run, without calls. Raises BadArgument and MissingPackage."""
    name = str(run.run_file.get("embedder") or "")
    embedder = local_embedder_named(settings, name)
    if embedder is None:
        reason = f"{run.name} has vectors of {name or 'an unknown embedder'}, and more of them would cost calls."
        raise BadArgument(f"{reason} Search by words, or by a pattern.")
    if isinstance(embedder, HashingEmbedder):
        reason = f"{run.name} has vectors of {name}, which compares words, not meanings."
        raise BadArgument(f"{reason} Search by words, or go on with embedder = 'meaning' and re_embed = true first.")
    return asyncio.run(embedder.embed(texts))


def ask_facts(name: str, *, say: Callable[[str], None] | None = None, **settings: object) -> AskedFacts:
    """Ask everyone what the paper asked: both facts, and "Do you know of …?" about everyone else. Nothing changes.

    Args:
        name: a saved simulation, as of its last save, or one of its moments.
        say: is told how many questions there are and what they may cost, before the first.
        **settings: as for `fork`. With `provider="offline"`, the rules answer, free of cost.

    Returns:
        All answers, each with the memory that supports it, if there is one.

    Raises:
        ReverieError: there is no such simulation, a file is damaged, or the model cannot be reached.
    """
    chosen = load_settings(settings)
    if say:
        run = find_run(chosen.fs_storage, chosen.replays, check_text("name", name))
        say(asking_cost(chosen, len(questions_for(run.meta.persona_names))))
    return everyone_asked(chosen, check_text("name", name))
