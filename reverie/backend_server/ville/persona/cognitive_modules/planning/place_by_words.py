"""Where an action is done, without a choice among places: the world finds what words mean.

Sleep is in one's own bed. What is done in a bath, a kitchen or behind a counter is done there, and what names a place
is done in that place. Of all else a model says, once for all, in what kind of place and at what thing it is usually
done. Of such places, that at home comes first where it is one's own, then the present one, then the nearest that is
open.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from ville.offline.day.place_rules import (
    UNKNOWN,
    Places,
    Site,
    Wish,
    best_sites,
    emoji_of_kind,
    fits_somewhere,
    is_evident,
    look_of,
    names_place,
    speaks_of,
    spot_at,
    usual_look,
)
from ville.offline.profile import Profile, profile_of
from ville.persona.cognitive_modules.emoji import NEUTRAL, shown
from ville.persona.cognitive_modules.mind import Mind, Moment
from ville.persona.cognitive_modules.planning.place_choice import Surroundings, surroundings
from ville.persona.cognitive_modules.planning.reuse import Note
from ville.persona.memory_structures.action import ActionPlace
from ville.persona.memory_structures.common_sense import UsualPlace, plain_activity
from ville.persona.memory_structures.schedule import Activity
from ville.persona.prompt_template.ask import ask_model
from ville.persona.prompt_template.day_questions import WhereUsually
from ville.persona.prompt_template.likely_place import bed_at_home
from ville.world.address import Address
from ville.world.certainty import certain

IN_BED = ("😴", "is being slept in")
"""Emoji of a persona that sleeps, and state of its bed meanwhile."""
AT_HOME = "home"
FAR = 1_000_000
"""Tiles to a place that is not on the map."""


@dataclass(frozen=True)
class _Finder:
    """The town as one persona may use it."""

    mind: Mind
    moment: Moment
    around: Surroundings

    @property
    def options(self) -> Places:
        return self.around.options.places

    @property
    def person(self) -> Profile:
        return profile_of(self.mind.identity_text(self.moment.now))

    def wish(self, action: str, activity: str, here: str = "", *, named: bool = False) -> Wish:
        """Return what a place is looked for; `named`: the words say where, though such things are done at home."""
        wish = Wish(self.person, action, activity, _parts(here or self.around.here), _parts(self.around.home))
        return replace(wish, usual=replace(wish.look, where="")) if named and wish.look.where == AT_HOME else wish

    def place(self, wish: Wish, places: Places) -> ActionPlace:
        """Return the nearest of the sites that suit a wish best, with an object."""
        site = min(best_sites(wish, places), key=self._distance)
        spot = spot_at(wish, site, places)
        emoji = wish.look.emoji if wish.look.emoji != UNKNOWN.emoji else emoji_of_kind(wish.words)
        return ActionPlace(*site, spot.object, shown(emoji), spot.state)

    def present(self, here: tuple[str, ...]) -> Places:
        """Return the present place alone, or all if it is no option."""
        sector, arena = (*here, "", "")[:2]
        objects = self.options.get(sector, {}).get(arena)
        return self.options if objects is None else {sector: {arena: objects}}

    def _distance(self, site: Site) -> int:
        """Return how many tiles away a site is, as the crow flies."""
        view = self.moment.view
        here = view.people[self.mind.name].tile
        address = str(Address(view.maze.place(here).world, *site))
        tiles = view.maze.address_tiles.get(address, ())
        return min((max(abs(tile.x - here.x), abs(tile.y - here.y)) for tile in tiles), default=FAR)


async def place_by_words(
    mind: Mind, moment: Moment, activity: Activity, known: Mapping[str, ActionPlace]
) -> tuple[dict[str, ActionPlace], tuple[Note, ...]]:
    """Return the place of an activity and, if that is a step of another, of this one, too, by their texts; and what
    notes what was learned.
    """
    finder = _Finder(mind, moment, surroundings(mind, moment))
    bed = bed_at_home(activity.what, activity.of, finder.options, finder.around.home)
    if bed:
        return {activity.text: ActionPlace(*bed, *IN_BED)}, ()
    before = known.get(activity.text)
    if before and finder.around.offer(before):
        return {activity.text: before}, ()
    whole = activity.of or activity.what
    found, notes = known.get(whole), tuple[Note, ...]()
    if found is None or not finder.around.offer(found):
        found, notes = await _whole_place(finder, whole)
    if activity.of is None:
        return {whole: found}, notes
    return {whole: found, activity.text: _step_place(finder, activity, found)}, notes


async def _whole_place(finder: _Finder, doing: str) -> tuple[ActionPlace, tuple[Note, ...]]:
    """Return where an activity is done, asking a model if neither its words nor the world says it."""
    named = names_place(doing, finder.options)
    wish = finder.wish(doing, doing, named=named)
    if named or is_evident(wish.look):
        return finder.place(wish, finder.options), ()
    usual, notes = await _usual(finder, doing)
    look = usual_look(usual.place, usual.thing, usual.emoji)
    learned = Wish(wish.person, doing, doing, wish.here, wish.home, usual=look, usual_place=usual.place)
    if look.where == AT_HOME or fits_somewhere(learned, finder.options):
        return finder.place(learned, finder.options), notes
    return finder.place(learned, finder.present(wish.here)), notes


async def _usual(finder: _Finder, doing: str) -> tuple[UsualPlace, tuple[Note, ...]]:
    """Return where an activity is usually done, as the town knows it or a model says; a fallback is not learned."""
    mind, moment, text = finder.mind, finder.moment, plain_activity(doing)
    known = await certain(lambda: moment.view.common_sense.get(text)) or mind.learned.get(text)
    if known:
        return known, ()
    question = WhereUsually(doing=doing)
    answer = await ask_model(moment.caller, question)
    said = answer or question.fallback()
    emoji = shown(said.emoji)
    usual = UsualPlace(said.place, said.thing, "" if emoji == NEUTRAL else emoji)
    return usual, (partial(mind.learned.update, {text: usual}),) if answer else ()


def _step_place(finder: _Finder, step: Activity, whole: ActionPlace) -> ActionPlace:
    """Return where a step is done: where its words say, or else where the whole is, at the thing that it needs."""
    options, home = finder.options, _parts(finder.around.home)[0]
    here = f"{whole.sector} > {whole.arena}"
    arenas = options[whole.sector]
    if names_place(step.what, options) and not speaks_of(step.what, (whole.sector, whole.arena), arenas[whole.arena]):
        return finder.place(finder.wish(step.what, step.what, here, named=True), options)
    look = look_of(step.what)
    if look is UNKNOWN:
        return whole
    if look.where == AT_HOME and whole.sector != home:
        return replace(whole, emoji=look.emoji, object_state="")
    near = arenas if whole.sector == home else {whole.arena: arenas[whole.arena]}
    return finder.place(finder.wish(step.what, step.of or step.what, here), {whole.sector: near})


def _parts(place: str) -> tuple[str, ...]:
    return tuple(place.split(" > "))
