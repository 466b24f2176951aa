"""Builds the chain of an act: what it came from, and what that came from, until nothing in the run came before it."""

from collections.abc import Iterable, Sequence

from ville.analysis.comparison.compared_run import ComparedRun
from ville.analysis.measures import NodeData
from ville.analysis.why import acts
from ville.analysis.why.cause import Act, ActCause, CauseKind, Chain, Removal
from ville.analysis.why.day_plan import entry_at, plan_of_day
from ville.analysis.why.heard import DayEntry, DoingState, HeardQuestion, HeardStep, Listen, deaf
from ville.analysis.why.known import FEWEST, SENTENCE, KnownBefore, before, knowledge_for, sentences_of
from ville.analysis.why.likeness import WordLikeness, words_of
from ville.analysis.why.outside import history_row, occurrence_row, row_of_memory, trait_row, words_of_row
from ville.storage.records.intervention_log import Row

PLAN = "plan"
WAITING = "waiting to start "
LINE = 0.25
"""Least share of the words of a thought that a line of a talk has if the thought came from it."""
WEAK = 0.15
"""Least share of the words of an entry that a sentence has if the entry was written after it."""
SPOKEN = 0.4
"""Least share of the words of an entry, with its place, that a line has if it says what the speaker is at."""
MOST = 3
"""Sentences of a character that a plan comes from where no single one says it."""
DECIDES = {
    "response": ("react/how_to_respond",),
    "talk": ("react/how_to_react", "converse/"),
    "plan": ("day/", "plan/"),
}
"""Beginnings of the names of the questions that decide each kind of act."""
LEADING = ("reflect/", "converse/after", "talk/", "react/how_to_respond")
"""Those that lead to a thought."""


def chain_of(run: ComparedRun, act: Act, *, listen: Listen = deaf, missing: str = "") -> Chain:
    """Return the causes of an act.

    `listen` computes a step again: without it, the chain has what the files of the run hold, and `missing` says why.
    """
    builder = _ChainBuilder(run, listen)
    first = builder.act(act)
    return Chain(run.name, act, first, builder.causes, missing)


class _ChainBuilder:
    """Collects causes by key, each once."""

    def __init__(self, run: ComparedRun, listen: Listen) -> None:
        self.run = run
        self.listen = listen
        self.causes: dict[str, ActCause] = {}
        self._names = run.people

    def act(self, act: Act) -> str:
        """Add an act with its causes, and return its key. Its own step is computed again."""
        if act.kind == "utterance":
            chat = acts.memory(self.run, act.who, act.node)
            heard = self.listen(act.step)
            return self._line(act.who, chat, act.words, heard=heard, part=act.part) if chat else self._unknown(act)
        if act.kind == "thought":
            return self._memory(act.who, act.node, heard=self.listen(act.step))
        return self._action(act)

    # Actions.

    def _action(self, act: Act) -> str:
        heard = self.listen(act.step)
        state = heard.states.get(act.who) if heard else None
        begun = state.begun if state else self._first_shown(act)
        if heard and begun != heard.step:
            heard = self.listen(begun)
            state = heard.states.get(act.who, state) if heard else state
        key = f"{act.who}: action of step {act.step}"
        because, asked = self._of_action(act, begun, heard, state)
        return self._add(key, "action", act.who, act.step, words=act.words, because=because, asked=asked)

    def _of_action(
        self, act: Act, begun: int, heard: HeardStep | None, state: DoingState | None
    ) -> tuple[list[str], Sequence[HeardQuestion]]:
        if chat := self._talk_shown(act):
            return self._of_talk(act.who, chat, begun), self._asked(heard, act.who, DECIDES["talk"])
        if node := self._answered_occurrence(act, begun, heard):
            asked = self._asked(heard, act.who, DECIDES["response"])
            return [self._memory(act.who, acts.node_id(node))], asked
        if act.words.startswith(WAITING) and (seen := self._last_seen(act.who, begun)):
            return [self._memory(act.who, acts.node_id(seen))], ()
        entry = state.entry if state else None
        entry = entry or entry_at(self.run, act.who, act.step, act.words)
        return self._scheduled(act.who, begun, entry, state), self._asked(heard, act.who, DECIDES["plan"])

    def _first_shown(self, act: Act) -> int:
        step = act.step
        while step > self.run.first and self._shown(act.who, step - 1) == act.words:
            step -= 1
        return step

    def _shown(self, who: str, step: int) -> str:
        record = self.run.frame(step).get(who)
        return record["description"].partition(acts.AT_PLACE)[0] if record else ""

    def _talk_shown(self, act: Act) -> NodeData | None:
        """Return the conversation that a persona is in, if it is in one and remembers it."""
        record = self.run.frame(act.step).get(act.who)
        lines = [list(line) for line in (record["chat"] if record else None) or ()]
        found = (chat for chat in acts.chats(self.run, act.who) if [list(line) for line in chat["filling"]] == lines)
        return (
            next(iter(sorted(found, key=lambda chat: abs(self.run.step_of(chat) - act.step))), None) if lines else None
        )

    def _answered_occurrence(self, act: Act, begun: int, heard: HeardStep | None) -> NodeData | None:
        """Return the memory of what happens, or was whispered, that a persona answers with an action."""
        if heard and not any(act.words in each.answer for each in heard.asked(act.who, *DECIDES["response"])):
            return None
        if not heard and entry_at(self.run, act.who, act.step, act.words):
            return None
        near = (node for node in self.run.memories[act.who] if self.run.step_of(node) <= begun)
        for node in reversed(list(near)):
            if self.run.step_of(node) < begun - 1:
                return None
            row = occurrence_row(self.run, node) or row_of_memory(self.run, act.who, node)
            if row and row["kind"] != "history":
                return node
        return None

    def _last_seen(self, who: str, step: int) -> NodeData | None:
        """Return the last sight of another persona."""
        seen = (
            node
            for node in reversed(self.run.memories[who])
            if node["type"] == "event" and self.run.step_of(node) <= step and node["subject"] in self._names
        )
        return next((node for node in seen if node["subject"] != who), None)

    # Plans.

    def _scheduled(
        self, who: str, begun: int, entry: DayEntry | None, state: DoingState | None
    ) -> list[str]:  # fmt: skip
        """Return the entry of the plan and what wrote it; what wrote it alone where the plan itself begins."""
        plan = plan_of_day(self.run, who, begun)
        made = self.run.step_of(plan) if plan else self.run.first
        if entry is None:
            return [self._plan(who, plan, made, about="", state=state)]
        wrote = self._wrote(who, plan, begun, entry=entry, state=state)
        key = f"{who}: entry {entry.what} from {entry.start} on, step {made}"
        removal = Removal(begun, entries=((who, entry.what),)) if begun > made else None
        words = str(entry)
        added = self._add(key, "entry", who, made, words=words, because=wrote, removal=removal)
        return [added] if removal else [*wrote, added]

    def _wrote(
        self, who: str, plan: NodeData | None, begun: int, *, entry: DayEntry, state: DoingState | None
    ) -> list[str]:
        """Return what wrote an entry: what was agreed on since the morning, else the plan of the day."""
        made = self.run.step_of(plan) if plan else self.run.first
        since = [node for node in self.run.memories[who] if made < self.run.step_of(node) <= begun]
        told = [node for node in since if node["type"] == "thought" and node["predicate"] != PLAN]
        agreed = knowledge_for(entry.what, told, (), names=self._names, enough=0.6)
        in_morning = plan is not None and words_of(entry.what) <= words_of(str(plan["description"]))
        if agreed.memories and not in_morning:
            return [self._memory(who, acts.node_id(agreed.memories[0]))]
        return [self._plan(who, plan, made, about=entry.what, state=state)]

    def _plan(
        self, who: str, plan: NodeData | None, made: int, *, about: str, state: DoingState | None
    ) -> str:  # fmt: skip
        """Add the plan of a day, as far as it is about an entry: what the persona knew in the morning."""
        heard, earlier = self.listen(made), self.listen(made - 1) if made > self.run.first else None
        state = (earlier.states.get(who) if earlier else heard.states.get(who) if heard else None) or state
        words = about or (str(plan["description"]) if plan else "the plan of the day")
        nodes = [node for node in before(self.run.memories[who], self.run, made) if node["predicate"] != PLAN]
        known = [node for node in nodes if node["type"] != "event"]
        sentences = sentences_of(self.run, who, state)
        found = knowledge_for(words, known, sentences, names=self._names, enough=WEAK, fewest=1)
        found = found or KnownBefore(sentences=tuple(sentences[:MOST]), best_is_memory=False)
        because = self._known(who, made, found) or [
            self._add(f"{who}: character", "history", who, self.run.first, words=f"the character of {who}")
        ]
        key = f"{who}: plan of step {made}" + (f", {about}" if about else "")
        asked = self._asked(heard, who, DECIDES["plan"])
        return self._add(
            key, "plan", who, made, words=words, node=acts.node_id(plan) if plan else "", because=because, asked=asked,
            removal=found.removal(who, made) if found else None,
        )  # fmt: skip

    # What is known.

    def _known(self, who: str, step: int, found: KnownBefore) -> list[str]:
        """Add memories and sentences that say the same; the best is named first, and stands for all."""
        memories = [self._memory(who, acts.node_id(node)) for node in found.memories]
        sentences = [self._sentence(who, step, field, text) for field, text in found.sentences]
        return [*memories, *sentences] if found.best_is_memory else [*sentences, *memories]

    def _sentence(self, who: str, step: int, field: str, text: str) -> str:
        key = f"{who}: {field}: {text}"
        row = trait_row(self.run, who, field, step)
        because = [self._row(row)] if row else self._brought_up_to_date(who, step, field, text)
        kind: CauseKind = "memory" if because else "history"
        removal = Removal(step, sentences=((who, field, text),))
        return self._add(key, kind, who, step, words=text, because=because, removal=removal)

    def _brought_up_to_date(self, who: str, step: int, field: str, text: str) -> list[str]:
        """Return the memories that a revised sentence came from; none for one of the first day."""
        if field not in {"currently", "daily_plan_req"} or self.run.meta.time_of(step).date() == self.run.begins.date():
            return []
        midnight = self.run.step_at(self.run.meta.time_of(step).replace(hour=0, minute=0, second=0))
        told = [node for node in self.run.memories[who] if self.run.step_of(node) < midnight]
        lived = [node for node in told if node["type"] == "thought" and node["filling"]]
        found = knowledge_for(text, lived, (), names=self._names, enough=0.6)
        return [self._memory(who, acts.node_id(node)) for node in found.memories[-1:]]

    # Memories.

    def _memory(self, who: str, node_id: str, *, heard: HeardStep | None = None) -> str:
        key = f"{who}: {node_id}"
        node = acts.memory(self.run, who, node_id)
        if key in self.causes or node is None:
            return key if node else self._lost(who, node_id)
        asked = [each for each in self._asked(heard, who, LEADING) if each.says(str(node["description"]))]
        kind, because, removal = self._of_memory(who, node, heard, asked)
        if kind == "plan":
            asked = asked or self._asked(heard, who, DECIDES["plan"])
        step = self.run.step_of(node)
        words = str(node["description"])
        return self._add(
            key, kind, who, step, words=words, node=node_id, because=because, asked=asked, removal=removal
        )  # fmt: skip

    def _of_memory(
        self, who: str, node: NodeData, heard: HeardStep | None, asked: Sequence[HeardQuestion]
    ) -> tuple[CauseKind, list[str], Removal | None]:
        step, own = self.run.step_of(node), acts.node_id(node)
        drop = Removal(step + 1, memories=((who, own),))
        if node["type"] == "chat":
            return "talk", self._of_talk(who, node, acts.talk_step(self.run, who, node)), drop
        if row := self._row_behind(who, node):
            rows = Removal(int(row["step"]), rows=(int(row["n"]),))
            return ("perception" if node["type"] == "event" else "memory"), [self._row(row)], rows
        evidence = [each for each in node["filling"] or () if isinstance(each, str)]
        if evidence:
            rests_on = self._evidence(who, node, evidence, asked)
            return "reflection" if node["type"] == "thought" else "memory", rests_on, drop
        if node["type"] == "event":
            return "perception", [], drop
        if node["predicate"] == PLAN and (plan := plan_of_day(self.run, who, step)) is not None:
            state = heard.states.get(who) if heard else None
            return "plan", [self._plan(who, plan, step, about="", state=state)], drop
        return "history", [], drop

    def _row_behind(self, who: str, node: NodeData) -> Row | None:
        """Return the intervention that made a memory, or what it shows; histories are an end of their own."""
        row = occurrence_row(self.run, node) or row_of_memory(self.run, who, node)
        return None if row is None or history_row(row) else row

    def _evidence(
        self, who: str, node: NodeData, evidence: Iterable[str], asked: Sequence[HeardQuestion]
    ) -> list[str]:  # fmt: skip
        """Add what a thought rests on, what says most of it first: of a talk, the line in which it was said; and what
        else was told when it was asked for that says the same.
        """
        there = [found for each in evidence if (found := acts.memory(self.run, who, each))]
        text = words_of(str(node["description"])) - {word for name in self._names for word in words_of(name)}
        likeness = WordLikeness(str(each["description"]) for each in self.run.memories[who][-400:])
        ranked = sorted(there, key=lambda each: -likeness.covered(text, str(each["description"])))
        keys: list[str] = []
        for each in ranked:
            if each["type"] == "chat":
                lines = {f"{number}": words for number, (_, words) in enumerate(each["filling"])}
                best = [int(number) for number, share in likeness.ranked(text, lines)[:1] if share >= LINE]
                keys.append(self._memory(who, acts.node_id(each)))
                keys += [self._line(*_said(each, number, who)) for number in best]
            else:
                keys.append(self._memory(who, acts.node_id(each)))
        told = self._told(who, self.run.step_of(node), asked)
        same = knowledge_for(str(node["description"]), told, (), names=self._names).memories
        if ranked and any(acts.node_id(each) == acts.node_id(ranked[0]) for each in same):
            keys += [self._memory(who, acts.node_id(each)) for each in same]
        return keys or [self._lost(who, str(next(iter(evidence), "")))]

    # Talks.

    def _of_talk(self, who: str, chat: NodeData, step: int) -> list[str]:
        """Return what led to a conversation: a user, or the sight of the other by the one who began it."""
        lines = chat["filling"]
        starter = lines[0][0] if lines else who
        other = str(chat["object"]) if starter == who else who
        if row := row_of_memory(self.run, who, chat):
            return [self._row(row)]
        seen = [
            node
            for node in self.run.memories.get(starter, ())
            if node["type"] == "event" and node["subject"] == other and self.run.step_of(node) <= step
        ]
        met = str(seen[-1]["description"]) if seen else f"{other}, whom {starter} met"
        key = f"{starter}: meeting {other}, step {step}"
        removal = Removal(step, meetings=((starter, other),))
        node = acts.node_id(seen[-1]) if seen else ""
        return [self._add(key, "perception", starter, step, words=met, node=node, removal=removal)]

    def _line(
        self, who: str, chat: NodeData, words: str, *, heard: HeardStep | None = None, part: str = ""
    ) -> str:  # fmt: skip
        """Add an utterance: what its speaker knew of it, what was said before, and why the two talked."""
        step = acts.talk_step(self.run, who, chat)
        place, key = _place(chat, who, words), f"{who}: said in step {step}: {words}"
        if key in self.causes:
            return key
        asked = [each for each in self._asked(heard, who, ("converse/",)) if each.says(words)]
        state = heard.states.get(who) if heard else None
        said = " ".join(each for each in SENTENCE.split(words) if part in each.lower()) or words
        found = self._known_of(who, step, said, asked=asked, state=state)
        self.causes[key] = ActCause(key, "utterance", who, step, self.run.time(step), words)  # a reply to a reply ends
        before_talk = self.listen(step - 1) if heard and step > self.run.first else None
        at = self._doing_said(who, said, before_talk.states.get(who) if before_talk else None)
        known = [*at, *self._known(who, step, found)]
        earlier = [self._line(*_said(chat, place - 1, who))] if place else []
        meeting = self._of_talk(who, chat, step)
        because = [*known, *earlier, *meeting]
        return self._add(
            key, "utterance", who, step, words=words, node=acts.node_id(chat), because=because, asked=asked,
            removal=Removal(step, lines=((who, words),)),
        )  # fmt: skip

    def _doing_said(self, who: str, words: str, state: DoingState | None) -> list[str]:
        """Return the entry of the plan that a speaker was at before the talk, if it says what that is."""
        entry = state.entry if state else None
        at = words_of(entry.what) if entry else frozenset()
        shared = len(at & words_of(words))
        says = state and shared >= max(FEWEST, SPOKEN * len(at))
        return self._scheduled(who, state.begun, entry, state)[:1] if state and says else []

    def _known_of(
        self, who: str, step: int, words: str, *, asked: Sequence[HeardQuestion], state: DoingState | None
    ) -> KnownBefore:
        """Return what a speaker knew of what it says: among the memories in its prompt, if that was heard."""
        nodes = self._told(who, step, asked) if asked else before(self.run.memories.get(who, ()), self.run, step)
        return knowledge_for(words, nodes, sentences_of(self.run, who, state), names=self._names)

    def _told(self, who: str, step: int, asked: Sequence[HeardQuestion]) -> list[NodeData]:
        """Return the memories of a persona that its questions in a step tell."""
        told = " ".join(text for each in asked for _, text in each.parts)
        return [node for node in before(self.run.memories.get(who, ()), self.run, step) if node["description"] in told]

    # Ends, and what is lost.

    def _row(self, row: Row) -> str:
        who = str(row.get("who") or row.get("name") or "")
        step = int(row["step"])
        removal = Removal(step, rows=(int(row["n"]),))
        key = f"intervention {row['n']}"
        return self._add(key, "intervention", who, step, words=words_of_row(row), row=int(row["n"]), removal=removal)

    def _lost(self, who: str, node_id: str) -> str:
        """Add a memory that a file names and does not have, as in runs of other engines: it was there before."""
        return self._add(
            f"{who}: {node_id}", "history", who, self.run.first, words=f"{node_id}, which is not in the files"
        )

    def _unknown(self, act: Act) -> str:
        return self._add(f"{act.who}: {act.words}", "history", act.who, act.step, words=act.words)

    def _asked(self, heard: HeardStep | None, who: str, names: tuple[str, ...]) -> list[HeardQuestion]:
        return heard.asked(who, *names) if heard else []

    def _add(
        self,
        key: str,
        kind: CauseKind,
        who: str,
        step: int,
        *,
        words: str,
        node: str = "",
        row: int = 0,
        because: Iterable[str] = (),
        asked: Sequence[HeardQuestion] = (),
        removal: Removal | None = None,
    ) -> str:
        """Keep a cause under its key, and return the key."""
        causes = tuple(each for each in dict.fromkeys(because) if each != key)
        self.causes[key] = ActCause(
            key, kind, who, step, self.run.time(step), words, node=node, row=row, because=causes, asked=tuple(asked),
            removal=removal,
        )  # fmt: skip
        return key


def _said(chat: NodeData, place: int, who: str) -> tuple[str, NodeData, str]:
    """Return who spoke a line of a conversation, the conversation as that speaker sees it, and the words."""
    speaker, words = chat["filling"][place]
    sees = chat if speaker == who else {**chat, "object": who}
    return str(speaker), sees, str(words)


def _place(chat: NodeData, who: str, words: str) -> int:
    """Return the number of a line in a conversation."""
    lines = [(speaker, said) for speaker, said in chat["filling"]]
    return lines.index((who, words)) if (who, words) in lines else 0
