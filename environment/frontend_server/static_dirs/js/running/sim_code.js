/** Names of simulations, which are folders and parts of addresses. Pure. */

const LONGEST = 60;
const RUSSIAN = "абвгдеёжзийклмнопрстуфхцчшщъыьэюя";
const LATIN = "a b v g d e yo zh z i y k l m n o p r s t u f kh ts ch sh shch _ y _ e yu ya".split(" ");

/** A name made of a title: `Вечер у Hobbs` → `vecher_u_hobbs`. Empty if nothing is left of it. @param {string} title */
export function codeOf(title) {
  const latin = [...title.toLowerCase().normalize("NFC")].map((letter) => {
    const place = RUSSIAN.indexOf(letter);
    return place < 0 ? letter : LATIN[place].replace("_", "");
  });
  const plain = latin.join("").normalize("NFD").replace(/[\u0300-\u036f]/g, "");
  return plain.replace(/[^a-z0-9-]+/g, "_").replace(/^_+|_+$/g, "").slice(0, LONGEST);
}

/** The first name that is free: `my_town`, `my_town_2`, …. @param {string[]} taken  @param {string} code */
export function freeCode(code, taken) {
  if (!taken.includes(code)) return code;
  for (let number = 2; ; number += 1) if (!taken.includes(`${code}_${number}`)) return `${code}_${number}`;
}
