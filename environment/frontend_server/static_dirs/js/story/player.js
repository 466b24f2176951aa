/** The playhead over a recording: where it is, how fast it moves, what is seen there. Knows no buttons and no town. */

/** Milliseconds a step lasts: so many frames as it takes to cross a tile of 32 pixels, and one to arrive. */
const PIXELS = [1, 2, 4, 8, 16, 32]; // a frame, at speeds 1 to 6
const HURRY = [2, 6]; // steps a frame, at speeds 7 and 8
export const STEP_TIMES = [
  ...PIXELS.map((pixels) => ((32 / pixels + 1) * 1000) / 60),
  ...HURRY.map((steps) => 1000 / 60 / steps),
];
export const SPEEDS = STEP_TIMES.length;

export class Player {
  /**
   * @param {{peek: function(number): ?Object, steps: number}} reel
   * @param {{step: number, speed: number}} start
   */
  constructor(reel, { step, speed }) {
    this.reel = reel;
    this.last = reel.steps - 1;
    this.place = this.#inside(step); // in steps; 7.5 is half-way from step 7 to step 8
    this.speed = speed;
    this.playing = false;
    this.scene = null; // what is seen now
  }

  get step() {
    return Math.ceil(this.place);
  }

  get ended() {
    return this.place >= this.last;
  }

  play() {
    if (this.ended) this.place = 0;
    this.playing = true;
  }

  pause() {
    this.playing = false;
    this.place = this.step;
  }

  seek(step) {
    this.place = this.#inside(step);
  }

  /** One step forward or back, and there it rests. */
  nudge(by) {
    this.playing = false;
    this.seek((by > 0 ? Math.floor(this.place) : this.step) + by);
  }

  /** Lets time pass. The playhead waits where the recording has not arrived yet. */
  tick(passed) {
    const next = this.playing ? Math.min(this.last, this.place + passed / STEP_TIMES[this.speed - 1]) : this.place;
    const scene = this.#sceneAt(next);
    if (scene) [this.place, this.scene] = [next, scene];
    if (this.ended) this.playing = false;
    return scene !== null;
  }

  /** The frames on both sides of a place and how far it is between them; null while they are on their way. */
  #sceneAt(place) {
    const after = this.reel.peek(Math.ceil(place));
    const before = this.reel.peek(Math.floor(place));
    if (!before || !after) return null;
    return { before, after, fraction: Number.isInteger(place) ? 1 : place % 1 };
  }

  #inside(step) {
    return Math.max(0, Math.min(this.last, step));
  }
}

/** The first conversation that begins after a step, else null. */
export function nextConversation(conversations, step) {
  return conversations.find((talk) => talk.first > step) ?? null;
}
