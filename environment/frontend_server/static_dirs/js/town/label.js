/** The speech bubble over somebody's head: an emoji and a name, the same size on the screen at every zoom. */

export const FONT = 'EmojiFirst, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const HEIGHT = 26; // of the bubble, in screen pixels as all that follows
const CORNER = 8; // of its picture: corners are kept, the rest is stretched
const PADDING = 7;
const TAIL = { width: 10, height: 9, overlap: 3 };
const WIDEST = 190;
const CHOSEN = "#ffe9a8";

export class Label {
  /** @param scene Phaser scene that has loaded `bubble` and `bubble tail`  @param {string} key name of its texture */
  constructor(scene, key, density) {
    this.density = density;
    this.texture = scene.textures.createCanvas(key, WIDEST * density, (HEIGHT + TAIL.height) * density);
    this.image = scene.add.image(0, 0, key).setOrigin(0.5, 1);
    this.bubble = scene.textures.get("bubble").getSourceImage();
    this.tail = scene.textures.get("bubble tail").getSourceImage();
    this.width = 0;
    this.written = "";
  }

  /** @param {string} emoji  @param {string} name  @param {boolean} chosen whether it stands out */
  write(emoji, name, chosen) {
    const wanted = JSON.stringify([emoji, name, chosen]);
    if (wanted === this.written) return;
    this.written = wanted;
    const brush = this.texture.getContext();
    brush.setTransform(this.density, 0, 0, this.density, 0, 0);
    brush.clearRect(0, 0, WIDEST, HEIGHT + TAIL.height);
    brush.textBaseline = "middle";
    const emojiWidth = this.#measure(brush, `16px ${FONT}`, emoji);
    const nameWidth = this.#measure(brush, `600 12px ${FONT}`, name);
    const gap = emoji && name ? 5 : 0;
    this.width = Math.min(WIDEST, Math.ceil(emojiWidth + gap + nameWidth + 2 * PADDING));
    this.#drawBubble(brush, chosen);
    const left = (WIDEST - this.width) / 2 + PADDING;
    brush.fillStyle = "#2b2333";
    brush.font = `16px ${FONT}`;
    brush.fillText(emoji, left, HEIGHT / 2 + 1);
    brush.font = `600 12px ${FONT}`;
    brush.fillText(name, left + emojiWidth + gap, HEIGHT / 2 + 0.5, WIDEST - 2 * PADDING - emojiWidth - gap);
    this.texture.refresh();
  }

  get height() {
    return HEIGHT;
  }

  /** How far its tail hangs below. */
  get tailHeight() {
    return TAIL.height;
  }

  #measure(brush, font, text) {
    brush.font = font;
    return brush.measureText(text).width;
  }

  #drawBubble(brush, chosen) {
    const left = (WIDEST - this.width) / 2;
    brush.imageSmoothingEnabled = false;
    brush.globalCompositeOperation = "source-over";
    const size = this.bubble.width;
    const middle = size - 2 * CORNER;
    const across = cuts(left, this.width);
    const down = cuts(0, HEIGHT);
    const from = [
      [0, CORNER],
      [CORNER, middle],
      [size - CORNER, CORNER],
    ];
    for (let row = 0; row < 3; row += 1) {
      for (let column = 0; column < 3; column += 1) {
        const [x, width] = across[column];
        const [y, height] = down[row];
        brush.drawImage(this.bubble, from[column][0], from[row][0], from[column][1], from[row][1], x, y, width, height);
      }
    }
    brush.drawImage(this.tail, (WIDEST - TAIL.width) / 2, HEIGHT - TAIL.overlap, TAIL.width, TAIL.height);
    if (!chosen) return;
    brush.globalCompositeOperation = "multiply";
    brush.fillStyle = CHOSEN;
    brush.fillRect(left + 2, 2, this.width - 4, HEIGHT - 4);
    brush.globalCompositeOperation = "source-over";
  }
}

/** A side of the bubble in three parts: [start, length] of corner, middle, corner. */
function cuts(start, length) {
  return [
    [start, CORNER],
    [start + CORNER, length - 2 * CORNER],
    [start + length - CORNER, CORNER],
  ];
}
