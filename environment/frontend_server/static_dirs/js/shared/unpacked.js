/** What a shared file holds: data as compressed JSON, pictures as elements. */

/** @param {string} id of the element with the data */
export async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

/** @param {string} id of the element  @returns {Promise<HTMLImageElement>} */
export async function picture(id) {
  const image = /** @type {HTMLImageElement} */ (document.getElementById(id));
  await image.decode();
  return image;
}
