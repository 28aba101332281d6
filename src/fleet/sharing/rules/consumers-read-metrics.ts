import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** A consumer with credentials may read the metrics of its pods, which older providers allow only after a handshake. */
export const consumersReadMetrics: SharingRule = function* ({ model }) {
  const loans = model.shares.filter(
    (it) => it.auth === 'credentials' && !it.provider.traits.bindsMetricsWithoutHandshake,
  );
  const [first] = loans;
  if (first === undefined) return;
  yield diagnostic(
    'sharing/metrics-not-bound',
    first.at,
    `in ${countOf(loans.length, 'loan')} with credentials the consumer may not read the metrics of its pods: ${pairsInWords(loans)}`,
    {
      about: subjectsOf(loans),
      hint: `run Liqo ${firstLineWith('bindsMetricsWithoutHandshake')} in the providers, or bind the ClusterRole "liqo-virtual-kubelet-remote-clusterwide" to the group named like the consumer yourself`,
    },
  );
};
