"""A plan becomes pictures: for every layer of the classic map, what each tile shows.

`dress(plan, placement)` is the whole of it. Grass comes first and what people walk behind comes last; each module here
lays its part into the same `Canvases`.
"""

from town_builder.dress.canvases import Canvases
from town_builder.dress.ground import cast_shadows, lay_grass, lay_terrain, terrain_cells
from town_builder.dress.masonry import Masonry
from town_builder.dress.rooms import lay_floors, let_the_sun_in, shade_rooms, trim_floors
from town_builder.dress.things import footprints, place_things, windows
from town_builder.dress.walls import build_walls, cover_seams, hang_doors, set_windows
from town_builder.plan.scatter import Placement
from town_builder.plan.town_plan import Plan
from town_builder.tiled.layers import Pictures


def dress(plan: Plan, placement: Placement) -> Pictures:
    """What every picture layer shows; every tile of the lowest one is covered."""
    canvases, masonry = Canvases(plan.width, plan.height), Masonry(plan)
    lay_grass(canvases)
    lay_terrain(canvases, masonry, terrain_cells(plan, placement.forest))
    cast_shadows(canvases, masonry)
    lay_floors(canvases, masonry)
    trim_floors(canvases, masonry)
    shade_rooms(canvases, masonry)
    let_the_sun_in(canvases, masonry, windows(placement.stamps))
    build_walls(canvases, masonry)
    cover_seams(canvases, masonry)
    set_windows(canvases, masonry, footprints(placement.stamps))
    hang_doors(canvases, masonry)
    place_things(canvases, masonry, placement.stamps)
    return canvases.cells
