/** The speech bubble above a person: an emoji and a name, the same size on screen at every zoom. */

export const FONT = 'EmojiFirst, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
const HEIGHT = 26; // of the bubble; all sizes are screen pixels
const CORNER = 8; // of the picture: corners keep their size, the rest is stretched
const PADDING = 7;
const TAIL = { width: 10, height: 9, overlap: 3 };
const MAX_WIDTH = 190;
const CHOSEN = "#ffe9a8";

export class SpeechBubble {
  /** @param scene Phaser scene that has loaded `bubble` and `bubble tail`  @param {string} key name of the texture */
  constructor(scene, key, density) {
    this.density = density;
    this.texture = scene.textures.createCanvas(key, MAX_WIDTH * density, (HEIGHT + TAIL.height) * density);
    this.image = scene.add.image(0, 0, key).setOrigin(0.5, 1);
    this.bubble = scene.textures.get("bubble").getSourceImage();
    this.tail = scene.textures.get("bubble tail").getSourceImage();
    this.width = 0;
    this.written = "";
  }

  /** @param {string} emoji  @param {string} name  @param {boolean} chosen whether to highlight it */
  write(emoji, name, chosen) {
    const wanted = JSON.stringify([emoji, name, chosen]);
    if (wanted === this.written) return;
    this.written = wanted;
    const context = this.texture.getContext();
    context.setTransform(this.density, 0, 0, this.density, 0, 0);
    context.clearRect(0, 0, MAX_WIDTH, HEIGHT + TAIL.height);
    context.textBaseline = "middle";
    const emojiWidth = this.#measure(context, `16px ${FONT}`, emoji);
    const nameWidth = this.#measure(context, `600 12px ${FONT}`, name);
    const gap = emoji && name ? 5 : 0;
    this.width = Math.min(MAX_WIDTH, Math.ceil(emojiWidth + gap + nameWidth + 2 * PADDING));
    this.#drawBubble(context, chosen);
    const left = (MAX_WIDTH - this.width) / 2 + PADDING;
    context.fillStyle = "#2b2333";
    context.font = `16px ${FONT}`;
    context.fillText(emoji, left, HEIGHT / 2 + 1);
    context.font = `600 12px ${FONT}`;
    context.fillText(name, left + emojiWidth + gap, HEIGHT / 2 + 0.5, MAX_WIDTH - 2 * PADDING - emojiWidth - gap);
    this.texture.refresh();
  }

  get height() {
    return HEIGHT;
  }

  /** Height of the tail below the bubble. */
  get tailHeight() {
    return TAIL.height;
  }

  #measure(context, font, text) {
    context.font = font;
    return context.measureText(text).width;
  }

  #drawBubble(context, chosen) {
    const left = (MAX_WIDTH - this.width) / 2;
    context.imageSmoothingEnabled = false;
    context.globalCompositeOperation = "source-over";
    const size = this.bubble.width;
    const middle = size - 2 * CORNER;
    const across = thirds(left, this.width);
    const down = thirds(0, HEIGHT);
    const from = [
      [0, CORNER],
      [CORNER, middle],
      [size - CORNER, CORNER],
    ];
    for (let row = 0; row < 3; row += 1) {
      for (let column = 0; column < 3; column += 1) {
        const [x, width] = across[column];
        const [y, height] = down[row];
        const [[fromX, fromWidth], [fromY, fromHeight]] = [from[column], from[row]];
        context.drawImage(this.bubble, fromX, fromY, fromWidth, fromHeight, x, y, width, height);
      }
    }
    context.drawImage(this.tail, (MAX_WIDTH - TAIL.width) / 2, HEIGHT - TAIL.overlap, TAIL.width, TAIL.height);
    if (!chosen) return;
    context.globalCompositeOperation = "multiply";
    context.fillStyle = CHOSEN;
    context.fillRect(left + 2, 2, this.width - 4, HEIGHT - 4);
    context.globalCompositeOperation = "source-over";
  }
}

/** Splits a side of the bubble into corner, middle and corner: [start, length] each. */
function thirds(start, length) {
  return [
    [start, CORNER],
    [start + CORNER, length - 2 * CORNER],
    [start + length - CORNER, CORNER],
  ];
}
