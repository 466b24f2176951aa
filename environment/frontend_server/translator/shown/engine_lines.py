"""Lines in which commands of the engine say what is wrong, in the language of the reader.

Commands speak English. What they say most often to readers of the pages of a run is a fixed sentence with blanks.
"""

import re
from functools import cache

from django.utils.translation import gettext, gettext_noop

SENTENCES = (
    gettext_noop("“%(text)s” has no words to search for. Use some of four letters or more, or a pattern."),
    gettext_noop("%(run)s has no planted fact %(key)s; there are %(count)s: %(known)s …"),
    gettext_noop("'%(pattern)s' is not a regular expression (%(reason)s). Correct it, or use plain words."),
    gettext_noop(
        "%(run)s has vectors of %(embedder)s, and more of them would cost calls. Search by words, or by a pattern."
    ),
    gettext_noop(
        "%(run)s has vectors of %(embedder)s, which compares words, not meanings. Search by words, or go on with "
        "embedder = 'meaning' and re_embed = true first."
    ),
    gettext_noop("%(run)s has no record of %(who)s in step %(step)s. Its last step is %(last)s."),
    gettext_noop("%(who)s is not in town in step %(step)s of %(run)s. Ask of another one, such as %(last)s."),
    gettext_noop("%(who)s has not said '%(words)s' by then in %(run)s. Give words of one line, as they were said."),
    gettext_noop("%(who)s has no memory '%(node)s' in %(run)s. They go from node_1 to node_%(last)s."),
    gettext_noop("%(who)s has no %(node)s yet before step %(step)s."),
    gettext_noop("%(who)s has no such sentence in '%(name)s' then."),
    gettext_noop("The plan has no '%(what)s' then."),
    gettext_noop("%(folder)s was saved by another program while it was read. Try again."),
    gettext_noop("%(folder)s is being saved by another program. Try again."),
    gettext_noop("What %(name)s remembers is now computed otherwise than it was."),
    gettext_noop("Step %(step)s of %(name)s cannot be reached: %(reason)s Nearest: %(near)s."),
    gettext_noop("its steps have no checkpoint before them."),
    gettext_noop(
        "%(name)s has no checkpoints: it was run by an older version, or without them. It can be taken up at its last "
        "save only: the moment 'end'."
    ),
    gettext_noop("%(name)s is asleep."),
    gettext_noop("%(name)s is asleep"),
    gettext_noop("%(name)s is waiting"),
    gettext_noop("%(name)s has not begun the day"),
    gettext_noop("%(name)s has not begun the day. Run a step first."),
    gettext_noop("%(name)s is talking with %(other)s"),
    gettext_noop("%(name)s is talking with %(other)s. Wait until they have finished."),
    gettext_noop("%(reason)s, and cannot talk now. Run some steps, for example: run until 09:00"),
    gettext_noop("%(name)s is %(what)s, and has no time now. Wait until that is done."),
    gettext_noop("%(name)s has ended the conversation with %(other)s."),
    gettext_noop("%(name)s has not answered yet what %(other)s said before. Wait for an answer."),
    gettext_noop("%(name)s is not near %(other)s, but at %(place)s. Walk there first."),
    gettext_noop("A rule keeps %(name)s and %(other)s from talking. End it first."),
    gettext_noop("There are %(count)s visitors already. Let one of them leave first."),
    gettext_noop("'%(name)s' is not a name. Use letters, blanks, hyphens and apostrophes."),
    gettext_noop("%(reason)s. Choose another name."),
    gettext_noop("%(reason)s. Give the new resident another name."),
    gettext_noop("%(name)s is in the town already"),
    gettext_noop("%(name)s has lived here before"),
    gettext_noop("%(name)s is in town"),
    gettext_noop("%(name)s has lived here before, and the memories of that time are kept"),
    gettext_noop("%(reason)s. Free homes are: %(homes)s."),
    gettext_noop("'%(home)s' has no free bed"),
    gettext_noop("'%(home)s' is not a home with a bed"),
    gettext_noop("%(name)s is the only resident, so %(who)s cannot move away. Let someone move in first."),
    gettext_noop("%(name)s has moved away. Choose one of: %(people)s."),
    gettext_noop("%(name)s cannot get to %(x)s, %(y)s. Choose another tile."),
    gettext_noop("%(name)s is open. Close it, or give the branch another name."),
    gettext_noop("The study %(name)s is not being run."),
    gettext_noop(
        "'%(at)s' is not a moment of %(name)s. Write a step (8000), a time (18:00, or February 13, 2023, "
        "18:00:00) or the word end."
    ),
    gettext_noop("%(at)s is not within %(name)s, which goes from %(first)s to %(last)s."),
    gettext_noop("%(name)s has been saved at step %(last)s, before step %(step)s. Name an earlier moment, or run it."),
    gettext_noop("the intervention is due at step %(step)s, but %(reason)s; name a step or time within"),
    gettext_noop("runs from %(base)s go from %(first)s to %(last)s"),
    gettext_noop("No language model is configured: personas follow offline rules instead."),
)
"""As in the engine, with names for what it fills in."""
_BLANK = re.compile(r"%\((\w+)\)s")


def engine_line(text: str) -> str:
    """Return a line of the engine in the language of the reader; one that is not known here as it is.

    What a sentence is about, such as a kind of intervention, may stand before it.
    """
    about, colon, rest = text.partition(": ")
    if colon and about.isidentifier():
        return f"{about}: {engine_line(rest)}"
    for sentence in SENTENCES:
        if found := _pattern(sentence).fullmatch(text):
            values = found.groupdict()
            return gettext(sentence) % {**values, "reason": engine_line(values.get("reason", ""))}
    return gettext(text) if text else ""


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    """Return what recognizes a sentence, with a group for each blank."""
    parts = _BLANK.split(sentence)
    return re.compile(
        "".join(f"(?P<{part}>.+?)" if n % 2 else re.escape(part) for n, part in enumerate(parts)), re.DOTALL
    )
