/** The places of a map: names and boxes in tiles, as /places/ describes them. */

import { named } from "../by_name.js";
import { findObjects } from "../panel/object_search.js";
import { get } from "../server.js";
/** @import { Box, PlaceList, Tile } from "../acting/places.js" */

const SQUARE = 16; // tiles

export class Gazetteer {
  /** Loads the places of a map; of one that has none, an empty gazetteer. @param {string} maze */
  static async fetch(maze) {
    try {
      return new Gazetteer(await get(`/places/${encodeURIComponent(maze)}/`));
    } catch (fault) {
      if (!(fault instanceof Error)) throw fault;
      console.warn(`No names of places: ${fault.message}`);
      return new Gazetteer();
    }
  }

  /**
   * @param {Partial<PlaceList>} places
   */
  constructor({ sectors = [], arenas = [], beds = [], objects = [], words = {} } = {}) {
    this.objects = objects;
    this.words = named(words);
    this.sectors = sectors;
    this.homes = new Set(beds.map(({ home }) => home.split(":")[1])); // names of sectors
    this.arenas = arenas.toSorted((one, other) => area(one.box) - area(other.box));
    this.bySize = sectors.toSorted((one, other) => area(one.box) - area(other.box));
    this.squares = { arenas: inSquares(this.arenas), sectors: inSquares(this.bySize) };
  }

  /** Objects that a text means; those of a place that it names are not all meant. @param {string} text */
  find(text) {
    return findObjects(this.objects, text, this.words).filter(({ isMeant }) => isMeant);
  }

  /**
   * Name of the sector at a tile; "" outdoors. Boxes may overlap: the smallest one counts, of rooms before sectors.
   * @param {Tile} tile
   */
  sectorAt(tile) {
    const { arenas, sectors } = this.squares;
    const room = arenas.get(squareOf(tile))?.find(({ box }) => contains(box, tile));
    return room?.sector ?? sectors.get(squareOf(tile))?.find(({ box }) => contains(box, tile))?.name ?? "";
  }
}

/** @param {Tile} tile */
function squareOf([x, y]) {
  return `${Math.floor(x / SQUARE)} ${Math.floor(y / SQUARE)}`;
}

/**
 * Places by the squares that they touch, in the same order.
 * @template {{box: Box}} T
 * @param {T[]} places  @returns {Map<string, T[]>}
 */
function inSquares(places) {
  /** @type {Map<string, T[]>} */
  const squares = new Map();
  for (const place of places) {
    const [left, top, width, height] = place.box;
    for (let y = Math.floor(top / SQUARE) * SQUARE; y < top + height; y += SQUARE)
      for (let x = Math.floor(left / SQUARE) * SQUARE; x < left + width; x += SQUARE) {
        const key = squareOf([x, y]);
        if (squares.has(key)) squares.get(key).push(place);
        else squares.set(key, [place]);
      }
  }
  return squares;
}

/** @param {Box} box */
function area([, , width, height]) {
  return width * height;
}

/** @param {Box} box  @param {Tile} tile */
function contains([left, top, width, height], [x, y]) {
  return x >= left && x < left + width && y >= top && y < top + height;
}
