/** The ties of a moment, from all ties of a run. Pure. */

/**
 * @typedef {[kind: string, who: number, other: number, since: number, until: ?number]} TieRow  people are numbers
 * @typedef {{kind: string, ties: number, density: ?number, reciprocity: ?number, communities: number[][], degree: number[],
 *   betweenness: number[]}} KindMeasures
 * @typedef {{people: string[], first: number, steps: number, places: Array<[number, number]>, ties: TieRow[],
 *   talks: Array<[number, number, number]>, moments: Array<{step: number, measures: KindMeasures[]}>}} Graph
 *   as /ties_data/ tells it; talks are two people and a step
 * @typedef {{kind: string, who: number, other: number, since: number, mutual: boolean, talks: number}} Tie  of two people, at a moment
 */

/**
 * The ties of some kinds in a step, those of two in both directions as one.
 * @param {Graph} graph  @param {string[]} kinds  @param {number} step  @returns {Tie[]}
 */
export function tiesAt(graph, kinds, step) {
  /** @type {Map<string, Tie>} */
  const found = new Map();
  const talks = talksAt(graph, step);
  for (const [kind, who, other, since, until] of graph.ties) {
    if (!kinds.includes(kind) || since > step || (until !== null && until <= step)) continue;
    const returned = found.get(`${kind} ${other} ${who}`);
    if (returned) Object.assign(returned, { mutual: true, since: Math.max(since, returned.since) });
    else found.set(`${kind} ${who} ${other}`, { kind, who, other, since, mutual: false, talks: talks.get(pairOf(who, other)) ?? 0 });
  }
  return [...found.values()];
}

/** How often two have talked, up to a step. @param {Graph} graph  @param {number} step */
function talksAt(graph, step) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const [one, other, when] of graph.talks) if (when <= step) found.set(pairOf(one, other), (found.get(pairOf(one, other)) ?? 0) + 1);
  return found;
}

/** @param {number} one  @param {number} other */
function pairOf(one, other) {
  return `${Math.min(one, other)} ${Math.max(one, other)}`;
}

/** The people with the highest values, at most `most`, none with 0. @param {number[]} values  @param {number} most */
export function highest(values, most) {
  const order = values.map((_, number) => number).filter((number) => values[number] > 0);
  return order.sort((one, other) => values[other] - values[one] || one - other).slice(0, most);
}
