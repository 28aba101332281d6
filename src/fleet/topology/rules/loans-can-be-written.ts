import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Declaration } from '../declaration.ts';
import type { Selector } from '../selector.ts';
import type { TopologyRule } from './topology-rule.ts';

/** The most loans of one topology: `consumer: {}` with `provider: {}` is the square of the clusters. */
const MAX_LOANS = 50_000;

/** Says how many there would be before they exist. */
export const loansCanBeWritten: TopologyRule = function* (declaration) {
  let loans = 0;
  for (const { at, consumer, provider } of declaration.sharing) {
    loans += countSelected(declaration, consumer) * countSelected(declaration, provider);
    if (loans <= MAX_LOANS) continue;
    yield diagnostic(
      'topology/too-many-loans',
      at,
      `\`sharing\` up to here selects ${countOf(loans, 'pair')} of clusters`,
      {
        hint: `select fewer, or describe parts of the fleet in topologies of their own: weft compiles up to ${MAX_LOANS} loans`,
      },
    );
    return;
  }
};

/** An upper limit: retired clusters are counted, and pairs of one cluster. */
function countSelected({ clusters }: Declaration, selector: Selector): number {
  if (selector.kind === 'cluster') return 1;
  const wanted = Object.entries(selector.labels);
  return clusters.filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value)).length;
}
