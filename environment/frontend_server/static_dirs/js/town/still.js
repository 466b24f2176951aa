/** A still: the town as it is on screen, with a line below that says when and who. */

/** @import { Town } from "./town.js" */










const FONT = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "Noto Serif", "DejaVu Serif", serif';
const STRIP = { height: 46, margin: 16, paper: "#fffaf0", ink: "#2b2333", soft: "#675a53" }; // screen pixels

/** @param {Town} town  @param {{when: string, who: string}} caption  @returns {Promise<Blob>} a PNG */
export async function takeStill(town, caption) {
  /** @type {HTMLImageElement} */
  const picture = await new Promise((done) => town.game.renderer.snapshot((shot) => done(/** @type {HTMLImageElement} */ (shot))));
  const canvas = document.createElement("canvas");
  const strip = STRIP.height * town.density;
  [canvas.width, canvas.height] = [picture.width, picture.height + strip];
  const context = canvas.getContext("2d");
  context.drawImage(picture, 0, 0);
  context.translate(0, picture.height);
  context.scale(town.density, town.density);
  writeCaption(context, caption, canvas.width / town.density);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

/** @param {CanvasRenderingContext2D} context  @param {{when: string, who: string}} caption  @param {number} width */
function writeCaption(context, { when, who }, width) {
  context.fillStyle = STRIP.paper;
  context.fillRect(0, 0, width, STRIP.height);
  context.textBaseline = "middle";
  const middle = STRIP.height / 2;
  context.fillStyle = STRIP.ink;
  context.font = `600 16px ${FONT}`;
  context.fillText(when, STRIP.margin, middle);
  const left = STRIP.margin + context.measureText(when).width + STRIP.margin;
  context.fillStyle = STRIP.soft;
  context.font = `15px ${FONT}`;
  context.fillText(who, left, middle, width - left - STRIP.margin);
}
