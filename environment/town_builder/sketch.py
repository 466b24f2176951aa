"""Show a town as text, as a quick preview while its file is being written."""

from town_builder.grid.compile import Compiled, is_wall
from town_builder.plan.shapes import Tile
from town_builder.plan.town_plan import DOORWAY, PLANTABLE, Plan
from town_builder.yaml_reader import Four

LEGEND = "# wall  % thing  t tree or forest  ~ other impassable ground  o use tile  s spawn  + doorway  - floor  ' area"
LEGEND += "  : street  . grass   (rulers count tiles)"
RULER = 10


def sketch(plan: Plan, compiled: Compiled, window: Four | None = None) -> str:
    """Return the town with one character per tile and rulers. `window` is x, y, width, height in tiles; default all."""
    left, top, width, height = window or (0, 0, plan.width, plan.height)
    columns = range(max(0, left), min(plan.width, left + width))
    rows = range(max(0, top), min(plan.height, top + height))
    marks = _marks(plan, compiled)
    tens = "".join(str(x // RULER % RULER) if x % RULER == 0 else " " for x in columns)
    ones = "".join(str(x % RULER) for x in columns)
    lines = [f"{y:>4} {''.join(marks.get((x, y), '.') for x in columns)} {y}" for y in rows]
    return "\n".join([LEGEND, f"     {tens}", f"     {ones}", *lines, f"     {ones}"])


def _marks(plan: Plan, compiled: Compiled) -> dict[Tile, str]:
    """Return the character of each tile except plain grass; later layers override earlier ones."""
    grids = compiled.grids
    marks = {tile: "~" if ground.solid else ":" for tile, ground in plan.ground.items() if ground.kind not in PLANTABLE}
    marks |= dict.fromkeys(grids.sectors, "-")
    marks |= {tile: "'" for area in plan.areas for tile in area.tiles}
    marks |= dict.fromkeys(compiled.placement.forest, "t")
    for building in plan.buildings:
        walls = {tile for tile in building.tiles if is_wall(building, tile)}
        marks |= dict.fromkeys(walls, "#")
        marks |= {tile: DOORWAY for tile, character in building.tiles.items() if character == DOORWAY}
    for one in compiled.placement.stamps:
        marks |= dict.fromkeys(one.solid, "%" if one.thing else "t")
    marks |= dict.fromkeys(grids.objects, "o")
    return marks | dict.fromkeys(grids.spawns, "s")
