/** The tree that saved simulations form by what they were branched from. Pure. */

/**
 * @typedef {Object} Branch  what runs, or ran, in the background, as /branches/ tells it
 * @property {string} sim_code
 * @property {string} title
 * @property {string} from  what it begins with, as `name@step`
 * @property {"waiting"|"copying"|"recomputing"|"running"|"done"|"stopped"|"failed"} state
 * @property {number} first_step
 * @property {number} step
 * @property {number} until_step
 * @property {string} curr_time
 * @property {?{calls: number, dollars: ?number}} cost
 * @property {string} fault
 */

/**
 * @typedef {{sim_code: string, title: string, from: ?string, begins: number, moment: ?string, steps: number, seed: ?number,
 *   interventions: unknown[]}} SavedSimulation  as /tree/ tells it
 * @typedef {{name: string, title: string, origin: ?string, step: ?number, moment: ?string, steps: number, seed: ?number,
 *   untouched: boolean, progress: ?Branch, branches: BranchNode[]}} BranchNode  `origin` and `step` are null for those that
 *   are no branches; `seed` is null if it is that of the origin; `untouched` says that nothing from outside makes a branch
 *   differ from it
 */

const OVER = ["done", "stopped", "failed"];

/** @param {{state: string}} branch */
export function isOver({ state }) {
  return OVER.includes(state);
}

/**
 * Saved simulations as nodes of the tree.
 * @param {SavedSimulation[]} simulations  @returns {BranchNode[]}
 */
export function nodesOf(simulations) {
  const seeds = new Map(simulations.map(({ sim_code: name, seed }) => [name, seed]));
  return simulations.map(/** @returns {BranchNode} */ ({ sim_code: name, title, from, begins, moment, steps, seed, interventions }) => {
    const origin = begins ? from : null; // a town that begins with its base is no branch of it
    const other = origin !== null && seeds.get(origin) !== seed;
    const untouched = origin !== null && !other && !interventions.length;
    return { name, title, origin, step: origin && begins, moment, steps, seed: other ? seed : null, untouched, progress: null, branches: [] };
  });
}

/**
 * Roots of the tree. Simulations without branches that are none themselves are left out.
 * @param {BranchNode[]} nodes  of nodesOf  @param {Branch[]} branches  @returns {BranchNode[]}
 */
export function forest(nodes, branches) {
  /** @type {Map<string, BranchNode>} */
  const known = new Map(nodes.map((node) => [node.name, { ...node, branches: /** @type {BranchNode[]} */ ([]) }]));
  for (const progress of branches) {
    const node = known.get(progress.sim_code);
    if (node) node.progress = progress;
    else known.set(progress.sim_code, beginning(progress));
  }
  /** @type {BranchNode[]} */
  const roots = [];
  for (const node of known.values()) ((node.origin && known.get(node.origin)?.branches) || roots).push(node);
  return roots.filter(({ branches: own, origin, progress }) => own.length || origin || progress);
}

/**
 * What a branch is to be compared with: an untouched branch of the same moment, else its origin. An untouched one is
 * computed by the rules of today, which may have changed since a recording was made.
 * @param {BranchNode} node  @param {BranchNode[]} nodes  everything that is saved
 * @returns {?string} the name; null if there is nothing to compare yet
 */
export function counterpart({ name, origin, step, steps }, nodes) {
  if (!origin || steps <= step) return null;
  const isTwin = (/** @type {BranchNode} */ one) => one.untouched && one.name !== name && one.origin === origin && one.step === step && one.steps > step;
  return nodes.find(isTwin)?.name ?? origin;
}

/**
 * Whether a branch was ended before it had come to its end, and can run on from what was saved.
 * @param {BranchNode} node
 */
export function canRunOn({ progress, steps, step }) {
  return Boolean(progress) && ["stopped", "failed"].includes(progress.state) && steps >= (step ?? 0) && steps > 0 && steps < progress.until_step;
}

/** One that is not saved yet. @param {Branch} progress  @returns {BranchNode} */
function beginning(progress) {
  const [origin, at = ""] = progress.from.split("@");
  const from = origin === progress.sim_code ? null : origin;
  const step = from && (parseInt(at, 10) || 0);
  return { name: progress.sim_code, title: progress.title, origin: from, step, moment: null, seed: null, steps: 0, untouched: false, progress, branches: [] };
}
