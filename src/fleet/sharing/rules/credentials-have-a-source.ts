import { countOf } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { namespaceOfProvider } from '../tenant-namespaces.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/**
 * A reminder of kubeconfigs that weft does not write: one note for all of them.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/getters/k8sGetters.go (finds the Secret by its labels).
 */
export const credentialsHaveASource: SharingRule = function* ({ model }) {
  const byHand = model.shares.filter((it) => it.auth === 'credentials' && it.credentials === null);
  const [first] = byHand;
  if (first === undefined) return;
  const [wait, secret] = byHand.length === 1 ? ['waits', 'a Secret'] : ['wait', 'Secrets'];
  yield diagnostic(
    'sharing/kubeconfig-by-hand',
    first.at,
    `${countOf(byHand.length, 'loan')} by credentials ${wait} for ${secret} that you make: ${pairsInWords(byHand)}`,
    {
      about: subjectsOf(byHand),
      hint: `make the Secret kubeconfig-controlplane-${first.provider.name} in ${namespaceOfProvider(first)} of "${first.consumer.name}", or set \`credentials\` to a store; "weft explain sharing/kubeconfig-by-hand" shows how`,
    },
  );
};
