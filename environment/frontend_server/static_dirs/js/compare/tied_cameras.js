/** Keeps two cameras at the same view: whichever was moved last leads. */

/** @import { Camera } from "../town/camera.js" */










export class TiedCameras {
  /** @param {Camera[]} cameras */
  constructor(cameras) {
    this.cameras = cameras;
    this.seen = ["", ""];
  }

  /** Takes over the view of the camera that has moved. While both follow a person, only the zoom is tied. */
  update() {
    const aims = this.cameras.map(aimOf);
    const moved = aims.findIndex((aim, place) => aim !== this.seen[place]);
    if (moved >= 0) this.#lead(this.cameras[moved], this.cameras[1 - moved]);
    this.seen = this.cameras.map(aimOf);
  }

  /** @param {Camera} leader  @param {Camera} other */
  #lead(leader, other) {
    other.targetZoom = leader.targetZoom;
    if (leader.followed && other.followed) return;
    leader.followed = other.followed = null;
    for (const part of /** @type {const} */ (["targetX", "targetY", "x", "y", "zoom"])) other[part] = leader[part];
  }
}

/** What a camera aims at, as a text. @param {Camera} camera */
function aimOf({ targetX, targetY, targetZoom, followed }) {
  return [followed ? "" : [targetX, targetY], targetZoom, Boolean(followed)].join();
}
