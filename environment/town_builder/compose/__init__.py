"""Compose the picture layers of the classic map from a plan.

`compose(plan, placement)` is the entry point. It adds grass first and what covers people last; each module of this
package adds its part to the same `Canvases`.
"""

from town_builder.compose.canvases import Canvases
from town_builder.compose.ground import cast_shadows, lay_grass, lay_terrain, terrain_cells
from town_builder.compose.rooms import lay_floor_joints, lay_floors, lay_sunlight, shade_rooms
from town_builder.compose.things import footprints, place_things, windows
from town_builder.compose.wall_layout import WallLayout
from town_builder.compose.walls import build_walls, cover_joints, hang_doors, set_windows
from town_builder.plan.placement import Placement
from town_builder.plan.town_plan import Plan
from town_builder.tiled.layers import Pictures


def compose(plan: Plan, placement: Placement) -> Pictures:
    """Return the pictures of every picture layer; the lowest layer covers every tile."""
    canvases, layout = Canvases(plan.width, plan.height), WallLayout(plan)
    lay_grass(canvases)
    lay_terrain(canvases, layout, terrain_cells(plan, placement.forest))
    cast_shadows(canvases, layout)
    lay_floors(canvases, layout)
    lay_floor_joints(canvases, layout)
    shade_rooms(canvases, layout)
    lay_sunlight(canvases, layout, windows(placement.stamps))
    build_walls(canvases, layout)
    cover_joints(canvases, layout)
    set_windows(canvases, layout, footprints(placement.stamps))
    hang_doors(canvases, layout)
    place_things(canvases, layout, placement.stamps)
    return canvases.cells
