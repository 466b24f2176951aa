/** The places of a map: what is where, as /places/ tells it. Addresses are `world:sector:arena:object`. */

import { named } from "../by_name.js";
import { get } from "../server.js";
import { placeText } from "../panel/descriptions.js";
import { parseAddress } from "../playback/frames.js";

const VISION = 8; // tiles, in each direction, at which people see each other
const BESIDE = [
  [0, 0],
  [0, 1],
  [0, -1],
  [0, 2],
  [-1, 0],
  [1, 0],
]; // where the user of a piece of furniture stands, by likelihood
const CLOSE = 2; // tiles at which people hear each other across the border of a room

/**
 * @typedef {[number, number]} Tile  column and row
 * @typedef {[number, number, number, number]} Box  left, top, width and height in tiles
 * @typedef {{name: string, box: Box}} Sector
 * @typedef {{name: string, sector: string, box: Box}} Arena
 * @typedef {{address: string, name: string, tiles: Tile[]}} TownObject
 * @typedef {{world: string, sectors: Sector[], arenas: Arena[], objects: TownObject[], beds?: Array<{home: string,
 *   beds: number}>, walls?: string[], words?: Record<string, string[]>}} PlaceList  response of /places/; `beds` are by
 *   address of a home, `words` are other words by name
 */

export class Places {
  /** @param {string} maze name of the map */
  static async fetch(maze) {
    return new Places(await get(`/places/${encodeURIComponent(maze)}/`));
  }

  /** @param {PlaceList} places */
  constructor({ world, sectors, arenas, objects, beds = [], walls = [], words = {} }) {
    this.sectors = sectors;
    this.arenas = arenas;
    this.objects = objects;
    this.beds = beds;
    this.walls = walls; // a text per row, with "1" where no one can stand
    this.world = world;
    this.words = named(words); // other words for the names of places and objects
    this.areas = null; // parts of the map that are cut off from each other, once they are asked for
    this.byTile = new Map(objects.flatMap((object) => object.tiles.map((tile) => /** @type {[string, TownObject]} */ ([tile.join(), object]))));
    this.byAddress = new Map(objects.map((object) => [object.address, object]));
  }

  /**
   * The object on a tile. Its tiles are those from which it is used; furniture beside them belongs to it, too.
   * @param {Tile} tile  @returns {?TownObject}
   */
  objectAt([x, y]) {
    const around = this.isFree([x, y]) ? [[0, 0]] : BESIDE;
    const spot = around.find(([across, down]) => this.byTile.has(`${x + across},${y + down}`));
    return spot ? this.byTile.get(`${x + spot[0]},${y + spot[1]}`) : null;
  }

  /**
   * Where the picture of an object is, in tiles: between the tiles from which it is used and its furniture.
   * @param {TownObject} object  @returns {Tile[]}
   */
  spotsOf({ tiles }) {
    return tiles.map(([x, y]) => {
      const toFurniture = !this.isFree([x, y - 1]) ? -0.5 : !this.isFree([x, y + 1]) ? 0.5 : 0;
      return [x + 0.5, y + 0.5 + toFurniture];
    });
  }

  /** The smallest room around a tile. @param {Tile} tile  @returns {?Arena} */
  arenaAt(tile) {
    return smallestAround(this.arenas, tile);
  }

  /** @param {Tile} tile  @returns {?Sector} */
  sectorAt(tile) {
    const arena = this.arenaAt(tile);
    return arena
      ? (this.sectors.find(({ name }) => name === arena.sector) ?? null)
      : smallestAround(this.sectors, tile);
  }

  /** Address of a room, of a building if `arena` is empty, of the whole town if both are. */
  address(sector = "", arena = "") {
    return [this.world, sector, arena].filter(Boolean).join(":");
  }

  /** Whether one can stand on a tile. Every tile of the map is free if the walls are not known. @param {Tile} tile */
  isFree([x, y]) {
    if (!this.walls.length) return x >= 0 && y >= 0;
    return this.walls[y]?.[x] === "0";
  }

  /**
   * How many tiles one can walk from a tile in a direction, at most `most`.
   * @param {Tile} tile  @param {Tile} direction such as [0, 1]  @param {number} most
   */
  reach([x, y], [across, down], most) {
    let free = 0;
    while (free < most && this.isFree([x + across * (free + 1), y + down * (free + 1)])) free += 1;
    return free;
  }

  /**
   * The tile nearest to a point on which one can arrive: outside of buildings, with a way to most others.
   * @param {Tile} point  @returns {?Tile}
   */
  arrivalNear([x, y], most = 40) {
    const fits = (/** @type {Tile} */ tile) => this.isFree(tile) && !this.sectorAt(tile) && this.#isConnected(tile);
    for (let radius = 0; radius <= most; radius += 1) {
      const found = ring([x, y], radius).find(fits);
      if (found) return found;
    }
    return null;
  }

  /**
   * The free tile beside a tile that is nearest to another one; null if there is none.
   * @param {Tile} tile  @param {Tile} near  @returns {?Tile}
   */
  besides(tile, near, most = 1) {
    for (let radius = 1; radius <= most; radius += 1) {
      const free = ring(tile, radius).filter((spot) => this.isFree(spot));
      if (free.length) return free.sort((one, other) => distance(one, near) - distance(other, near))[0];
    }
    return null;
  }

  /** Whether a tile is in the largest part of the map that can be walked through. @param {Tile} tile */
  #isConnected([x, y]) {
    if (!this.walls.length) return true;
    this.areas ??= labelAreas(this.walls);
    return this.areas.labels[y * this.areas.width + x] === this.areas.largest;
  }

  /**
   * Whether people on two tiles hear each other: very close, or in sight in the same room.
   * @param {Tile} one  @param {Tile} other
   */
  withinEarshot(one, other) {
    const away = distance(one, other);
    return away <= CLOSE || (away <= VISION && this.arenaAt(one) === this.arenaAt(other));
  }
}

/** Tiles between two tiles, where diagonals count as one. @param {Tile} one  @param {Tile} other */
export function distance([x, y], [toX, toY]) {
  return Math.max(Math.abs(x - toX), Math.abs(y - toY));
}

/** Where an object is, in words, without its own name: `Hobbs Cafe · cafe`. @param {string} address */
export function whereabouts(address) {
  return placeText({ ...parseAddress(address), object: "" });
}

/** Name of what an address names: the object, room, building, or the town. @param {string} address */
export function nameOf(address) {
  return address.split(":").at(-1);
}

/**
 * Groups of a list of places: building → [[address, text]], for `choiceField`.
 * @param {Places} places  @param {(arena: Arena) => string} textOf
 * @returns {Map<string, Array<[string, string]>>}
 */
export function placesByBuilding(places, textOf) {
  const groups = new Map();
  for (const arena of places.arenas) {
    if (!groups.has(arena.sector)) groups.set(arena.sector, []);
    groups.get(arena.sector).push([places.address(arena.sector, arena.name), textOf(arena)]);
  }
  return groups;
}

/** Numbers the parts of a map that are cut off from each other, row by row. Pure. @param {string[]} walls */
export function labelAreas(walls) {
  const width = Math.max(...walls.map((row) => row.length));
  const labels = new Uint32Array(width * walls.length);
  const sizes = [0];
  const isFree = (/** @type {number} */ spot) => walls[Math.floor(spot / width)]?.[spot % width] === "0" && !labels[spot];
  for (let start = 0; start < labels.length; start += 1) {
    if (!isFree(start)) continue;
    const label = sizes.push(0) - 1;
    const rest = [start];
    labels[start] = label;
    while (rest.length) {
      const spot = rest.pop();
      sizes[label] += 1;
      const beside = [spot - width, spot + width];
      if (spot % width) beside.push(spot - 1);
      if ((spot + 1) % width) beside.push(spot + 1);
      for (const next of beside.filter(isFree)) {
        labels[next] = label;
        rest.push(next);
      }
    }
  }
  return { width, labels, largest: sizes.indexOf(Math.max(...sizes.slice(1))) };
}

/**
 * @template {{box: Box}} T
 * @param {T[]} areas  @param {Tile} tile  @returns {?T}
 */
function smallestAround(areas, [x, y]) {
  const around = areas.filter(({ box }) => x >= box[0] && y >= box[1] && x < box[0] + box[2] && y < box[1] + box[3]);
  return around.reduce((least, area) => (least && size(least) <= size(area) ? least : area), null);
}

/** @param {{box: Box}} area */
function size({ box }) {
  return box[2] * box[3];
}

/**
 * The tiles around a tile at a distance, clockwise from the one below.
 * @param {Tile} tile  @param {number} radius  @returns {Tile[]}
 */
function ring([x, y], radius) {
  const side = Array.from({ length: 2 * radius + 1 }, (_, place) => place - radius);
  const around = side.flatMap((across) => side.map((down) => /** @type {Tile} */ ([across, down])));
  return around
    .filter((spot) => distance([0, 0], spot) === radius)
    .sort((one, other) => Math.hypot(...one) - Math.hypot(...other) || other[1] - one[1])
    .map(([across, down]) => [x + across, y + down]);
}
