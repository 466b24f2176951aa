"""Wrong town files: each is refused with one line that names the place, the problem and the fix."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from town_builder.yaml_reader import LARGEST

BED = "{obj: bed, stamp: double bed, at: [1, 1], spawn: true}"
CLOSET = "{obj: closet, stamp: wardrobe, at: [5, 1]}"
TOILET = "{obj: toilet, stamp: toilet, at: [7, 1]}"
LAMP = "{stamp: street lamp, at: [15, 9]}"
PATH = "{kind: path, rect: [1, 11, 17, 2]}"
DOORS = "      ##++#######\n      __++_______"


@dataclass
class Wrong:
    """A change to the cottage, and the expected problem."""

    old: str
    new: str
    line: str
    """Text of the line that the problem must name."""
    expected: str
    fix: str
    warning: bool = False


WRONG = {
    # reading
    "another format": Wrong("town/1", "town/9", "town/9", "format 'town/9' is not known", "town/1"),
    "a folder's name with blanks": Wrong(
        "maze_name: cottage", "maze_name: My Town", "My Town", "is not a maze name", "letters"
    ),
    "a colon in a name": Wrong(
        "arena: bathroom", 'arena: "bath:room"', "bath:room", "'bath:room' contains ':'", "do not use"
    ),
    "a comma in an object": Wrong("obj: toilet", 'obj: "toilet, blue"', "toilet, blue", "contains ','", "do not use"),
    "a name with a blank": Wrong("obj: toilet", 'obj: "toilet "', '"toilet "', "ends with a space", "without spaces"),
    "a name on two lines": Wrong("world: the Valley", 'world: "the\\nValley"', "world:", "a line break", "remove it"),
    "a list as a key": Wrong(
        LAMP, "{{stamp: well}: well, at: [15, 9]}", "well", "has a list or a mapping as a key", "word"
    ),
    "a control character": Wrong(LAMP, "{stamp: w\x07ell, at: [15, 9]}", "[15, 9]", "character U+0007", "remove it"),
    "a density that is not a number": Wrong(
        "density: 0.3, seed: 1", "density: .nan, seed: 1", "seed: 1", ".nan is not a plain number", "digits"
    ),
    "a huge clearance": Wrong("seed: 1, clear: 0", "seed: 1, clear: 999", "seed: 1", "clear is 999 tiles", "0 to 20"),
    "uneven rows": Wrong(
        "#AAAAA+BBB#", "#AAAAA+BBB##", "#AAAAA+BBB##", "has 12 characters, the first has 11",
        "make all rows equally long"
    ),
    "an unknown letter": Wrong("#AAAAA+BBB#", "#AAAAA+BCB#", "+BCB#", "'C' in the plan is not a room", "rooms"),
    "a room missing in the plan": Wrong(
        "arena: bathroom, floor: check, wall: bath}",
        "arena: bathroom, floor: check, wall: bath}\n      C: {arena: attic, floor: oak, wall: cream}",
        "attic",
        "room C is not in the plan",
        "draw it",
    ),
    "an unknown floor": Wrong("floor: check", "floor: chek", "chek", "no floor is called 'chek'", "'check'"),
    "an unknown wallpaper": Wrong("wall: bath", "wall: bths", "bths", "no wall is called 'bths'", "'bath'"),
    "an unknown facade": Wrong("facade: brick", "facade: brik", "brik", "no facade is called 'brik'", "'brick'"),
    "an unknown ground": Wrong(PATH, PATH.replace("path", "paht"), "paht", "no kind is called 'paht'", "'path'"),
    "an unknown key": Wrong(LAMP, "{stmap: street lamp, at: [15, 9]}", "stmap", "'stmap' is not known", "'stamp'"),
    "a key twice": Wrong(LAMP, "{stamp: well, stamp: well, at: [15, 9]}", "well", "is given twice", "keep one"),
    "a missing key": Wrong(LAMP, "{stamp: street lamp}", "street lamp", "has no 'at'", "add `at"),
    "two shapes": Wrong(PATH, "{kind: path, rect: [1, 1, 2, 2], blob: [1, 1, 2, 2]}", "blob", "2 shapes", "one of"),
    "a short rectangle": Wrong(PATH, "{kind: path, rect: [1, 11, 17]}", "17]}", "has 3 numbers", "x, y, width"),
    "a street beyond all limits": Wrong(
        PATH, "{kind: path, rect: [1, 11, 99999, 2]}", "99999", "99999 tiles", "within"
    ),
    "a word for a number": Wrong(
        "at: [15, 9]", "at: [15, nine]", "nine", "must be a whole number", "write, for example"
    ),
    "a number for a word": Wrong(
        "facade: brick", "facade: 7", "facade: 7", "facade must be text", "write, for example"
    ),
    "a density of two": Wrong("density: 0.3, seed: 1", "density: 2, seed: 1", "seed: 1", "density is 2", "0 to 1"),
    "broken YAML": Wrong(LAMP, "{stamp: street lamp, at: [15, 9}", "street lamp", "is not YAML", "fix the line"),
    "a plant without a stamp": Wrong(
        "plants: [flowers]", "plants: [{colour: red}]", "colour: red", "has no 'stamp'", "add `stamp"
    ),
    "a plant that is not a name": Wrong(
        "plants: [flowers]", "plants: [7]", "plants: [7]", "must be text", "write, for example"
    ),
    "rows with a density": Wrong(
        "plants: [flowers]",
        "plants: [flowers], in_rows: true, density: 1",
        "in_rows",
        "exclude each other",
        "keep one",
    ),
    "a variant of nothing": Wrong(
        TOILET, "{obj: toilet, at: [8, 3], use: [[0, 0]], variant: cup}", "cup", "needs a stamp", "add `stamp"
    ),
    # placing
    "an unknown stamp": Wrong(
        "stamp: wardrobe", "stamp: wardrob", "wardrob,", "no stamp is called 'wardrob'", "'wardrobe'"
    ),
    "an unknown colour": Wrong(
        LAMP, "{stamp: mailbox, at: [15, 9], colour: rde}", "rde", "no colour is called 'rde'", "'red'"
    ),
    "an unknown plant": Wrong("plants: [flowers]", "plants: [flwers]", "flwers", "no stamp is called", "'flowers'"),
    "an unknown plant of a colour": Wrong(
        "plants: [flowers]", "plants: [{stamp: flwers, colour: red}]", "flwers", "no stamp is called", "'flowers'"
    ),
    "an unknown colour of a plant": Wrong(
        "plants: [flowers]",
        "plants: [{stamp: flowers, colour: rde}]",
        "rde",
        "no colour is called 'rde'",
        "'red'",
    ),
    "an unknown variant": Wrong(
        LAMP,
        "{stamp: shop sign, at: [15, 9], variant: cpu}",
        "cpu",
        "no variant of shop sign is called 'cpu'",
        "'cup'",
    ),
    "a variant of a stamp without variants": Wrong(
        LAMP, "{stamp: well, at: [15, 9], variant: cup}", "well", "no variant of well", "docs/towns.md lists"
    ),
    "a building outside the map": Wrong(
        "at: [3, 2]", "at: [12, 2]", "###########", "reaches 20,2, outside the map", "move it"
    ),
    "two places on one tile": Wrong("rect: [14, 4, 4, 4]", "rect: [13, 4, 4, 4]", "the Green", "both", "move"),
    "a house in the water": Wrong(
        PATH, f"{{kind: water, rect: [3, 3, 2, 2]}}\n  - {PATH}", "#AAAAA#BBB#", "impassable ground", "move it"
    ),
    "an object outside its arena": Wrong(
        TOILET, TOILET.replace("[7, 1]", "[2, 6]"), "[2, 6]", "outside every arena", "move"
    ),
    "an object in two arenas": Wrong(
        "{obj: bathroom sink, stamp: bathroom sink, at: [9, 1]}",
        "{obj: radio, at: [0, 0], use: [[4, 4], [8, 4]]}",
        "radio",
        "used from two arenas, bathroom and main room",
        "move it into one",
    ),
    "an object without use tiles": Wrong(
        LAMP, "{obj: lamp, stamp: street lamp, at: [15, 9]}", "lamp", "lamp has no use tiles", "use:"
    ),
    "a use tile in the wall": Wrong(
        TOILET, "{obj: toilet, at: [8, 1], use: [[0, 0]]}", "obj: toilet", "where a wall of Ann Lee's house", "move one"
    ),
    "a stamp on a use tile": Wrong(
        CLOSET,
        f"{CLOSET}\n      - {{stamp: barrels, at: [5, 3]}}",
        "obj: closet",
        "closet is used at 8,5, where barrels is in the way",
        "move one of the two",
    ),
    "a stamp in a doorway": Wrong(
        CLOSET, f"{CLOSET}\n      - {{stamp: barrels, at: [2, 6]}}", "barrels", "in the doorway 5,8", "move it"
    ),
    "a stamp outside the map": Wrong(LAMP, "{stamp: well, at: [19, 9]}", "well", "stands outside the map", "move it"),
    "a spawn on a solid tile": Wrong(
        BED, "{obj: bed, at: [1, 1], use: [[0, 0]], spawn: true}", "obj: bed", "wall of Ann Lee's house", "move one"
    ),
    "a spawn without an object": Wrong(
        LAMP, "{stamp: street lamp, at: [15, 9], spawn: true}", "street lamp", "`spawn` needs an object", "obj: bed"
    ),
    "a plot outside its area": Wrong(
        "rect: [15, 5, 2, 2]", "rect: [15, 5, 9, 2]", "flower bed", "reaches 18,5, outside green", "inside"
    ),
    # reaching
    "a room walled in": Wrong(
        "#AAAAA+BBB#", "#AAAAA#BBB#", "B: {arena", "house:bathroom cannot be reached on foot", "open a door"
    ),
    "an object walled in": Wrong(
        TOILET, TOILET + "\n      - {stamp: barrels, at: [7, 3]}", "obj: toilet", "cannot be reached on foot",
        "open a door"
    ),
    "a house without a door": Wrong(
        DOORS, "      ###########\n      ___________", "the Green", "the Green cannot be reached on foot", "open a door"
    ),
    # warnings
    "two objects on one tile": Wrong(
        CLOSET, f"{CLOSET}\n      - {{obj: mirror, at: [5, 3], use: [[0, 0]]}}", "mirror", "mirror and closet share",
        "move one", warning=True,
    ),
    "two solid stamps on one tile": Wrong(
        LAMP, f"{LAMP}\n  - {{stamp: mailbox, at: [15, 10]}}", "mailbox", "both stand on 15,10", "move one",
        warning=True,
    ),
    "a sealed pocket": Wrong(
        LAMP, f"{LAMP}\n  - {{stamp: hedge, at: [[15, 2], [15, 3], [16, 3], [17, 3]]}}", "",
        "2 walkable tiles around 16,2 are cut off", "open a way", warning=True,
    ),
    "an open border": Wrong("rect: [1, 11, 17, 2]", "rect: [0, 11, 17, 2]", "", "border", "close it", warning=True),
    "a bedroom without a spawn tile": Wrong(", spawn: true", "", "obj: bed", "no spawn tile", "spawn", warning=True),
    "an arena without objects": Wrong(
        f"{BED}\n      - {CLOSET}", LAMP.replace("[15, 9]", "[1, 1]"), "A: {arena", "has no object",
        "add one", warning=True,
    ),
    "a door far from the street": Wrong(
        f"{PATH}\n  - {{kind: path, rect: [5, 10, 2, 1]}}", "{kind: path, rect: [14, 12, 2, 1]}", "__++", "no door of",
        "lead a path", warning=True,
    ),
}  # fmt: skip


def test_the_cottage_has_no_problems(town):
    """The town that the other tests modify has no problem."""
    assert not town.problems()


@pytest.mark.parametrize("name", WRONG)
def test_each_problem_names_line_cause_and_fix(town, name):
    """The problem names line, cause and fix, and is an error unless it is only a warning."""
    wrong = WRONG[name]
    town.change(wrong.old, wrong.new)
    matching = [one for one in town.problems() if wrong.expected in one.message]
    assert matching, "\n".join(map(str, town.problems()))
    place = f"{town.path}:{town.line_of(wrong.line)}" if wrong.line else str(town.path)
    assert any(one.where.split(" at ")[0] == place for one in matching), matching[0]
    assert wrong.fix in matching[0].fix
    assert matching[0].warning == wrong.warning


def test_unclosed_brackets_are_reported(town):
    """A file that is nested too deeply to parse gives a problem like any other."""
    town.path.write_text("[" * 9000, encoding="utf-8")
    assert [problem.message for problem in town.problems()] == ["is nested too deeply"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: path.symlink_to("/dev/zero"), "is a device or a pipe"),
        (os.mkfifo, "is a device or a pipe"),
        (Path.mkdir, "cannot be read"),
        (lambda path: path.touch() or os.truncate(path, LARGEST + 1), "has more than 4,194,304 bytes"),
    ],
)
def test_what_is_no_file_is_not_read(town, make, says):
    """It might never end, or fill the memory."""
    town.path.unlink()
    make(town.path)
    assert [says in problem.message for problem in town.problems()] == [True]


@pytest.mark.parametrize("yes", ["true", "True", "yes", "on", "YES"])
def test_all_yaml_words_for_true_are_true(town, yes):
    """Every YAML spelling of true counts as true."""
    assert len(town.change("spawn: true", f"spawn: {yes}").compiled().grids.spawns) == 2


def test_all_problems_are_reported_at_once(town):
    """Reading continues after a problem: three wrong lines are three problems in file order."""
    town.change("kind: path, rect: [5, 10, 2, 1]", "kind: puth, rect: [5, 10, 2, 1]")
    town.change("at: [9, 1]", "at: 9").change("at: [15, 9]", "att: [15, 9]")
    lines = [int(problem.where.rpartition(":")[2]) for problem in town.problems()]
    assert lines == [town.line_of("puth"), town.line_of("at: 9}"), town.line_of("att:")]
