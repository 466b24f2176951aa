/** The tree that saved simulations form by what they were branched from. Pure. */

const OVER = ["done", "stopped", "failed"];

export function isOver({ state }) {
  return OVER.includes(state);
}

/**
 * Roots of the tree. Simulations without branches that are none themselves are left out.
 * @param {{branches: Object[], tree: Object[]}} response of /branches/: what runs in the background, and what is saved
 * @returns {Array<{name: string, title: string, origin: ?string, step: ?number, moment: ?string, seed: ?number, steps: number, progress: ?Object, branches: Object[]}>}
 */
export function forest({ branches, tree }) {
  const nodes = new Map(tree.map((saved) => [saved.name, { ...saved, progress: null, branches: [] }]));
  for (const progress of branches) {
    const known = nodes.get(progress.sim_code);
    if (known) known.progress = progress;
    else nodes.set(progress.sim_code, beginning(progress));
  }
  const roots = [];
  for (const node of nodes.values()) (node.origin && nodes.get(node.origin)?.branches || roots).push(node);
  return roots.filter(({ branches: own, origin, progress }) => own.length || origin || progress);
}

/**
 * What a branch is to be compared with: an untouched branch of the same moment, else its origin. An untouched one is
 * computed by the rules of today, which may have changed since a recording was made.
 * @param {Object} node  @param {Object[]} tree  everything that is saved
 * @returns {?string} the name; null if there is nothing to compare yet
 */
export function counterpart({ name, origin, step, steps }, tree) {
  if (!origin || steps <= step) return null;
  const twin = tree.find((one) => one.untouched && one.name !== name && one.origin === origin && one.step === step && one.steps > step);
  return twin?.name ?? origin;
}

/** One that is not saved yet. */
function beginning(progress) {
  const [origin, at = ""] = progress.from.split("@");
  const step = parseInt(at, 10) || 0;
  const from = origin === progress.sim_code ? null : origin;
  return { name: progress.sim_code, title: progress.title, origin: from, step, moment: null, seed: null, steps: 0, progress, branches: [] };
}
