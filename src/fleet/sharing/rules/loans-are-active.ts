import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * What the other conditions of a Tenant do, with the adjective of it.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/authentication/{tenant-controller,remoteresourceslice-controller}.
 */
const CONSEQUENCES = [
  ['Cordoned', 'cordoned', 'new pods and slices are refused, and what runs goes on'],
  ['Drained', 'drained', 'virtual nodes take no pods, and remote namespaces are deleted with all that is in them'],
] as const;

/** A reminder of loans that are not in use: one note for each condition. */
export const loansAreActive: SharingRule = function* ({ model }) {
  for (const [condition, adjective, consequence] of CONSEQUENCES) {
    const loans = model.shares.filter((it) => it.condition === condition);
    const [first] = loans;
    if (first === undefined) continue;
    const are = loans.length === 1 ? 'is' : 'are';
    yield diagnostic(
      'sharing/not-active',
      first.at,
      `${countOf(loans.length, 'loan')} ${are} ${adjective}, so ${consequence}: ${pairsInWords(loans)}`,
      {
        about: subjectsOf(loans),
        hint: 'remove `condition` to lend again, or the entry once nothing of the consumer is left there',
      },
    );
  }
};
