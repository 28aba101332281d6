import { firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Share, SharedModel } from '../shared-model.ts';
import { pairsInWords } from './pairs-in-words.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** How many namespaces the warning names. */
const SHOWN = 3;

/**
 * Consumer and provider have a tunnel. Without one Liqo regards the network as not its own concern: the virtual node is ready
 * and endpoints are passed on as they are, to addresses that the other cluster cannot reach.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/foreigncluster (IsNetworkingEstablishedOrDisabled).
 */
export const loansHaveALink: SharingRule = function* ({ model }) {
  const unlinked = model.shares.filter((it) => it.link === null);
  const [first] = unlinked;
  if (first === undefined) return;
  const affected = namespacesOver(unlinked, model);
  const names = firstOf(affected, SHOWN);
  yield diagnostic(
    'sharing/without-link',
    first.at,
    `${unlinked.length} of ${model.shares.length} loans ${unlinked.length === 1 ? 'has' : 'have'} no link, so no Service and no pod reaches the other cluster, though all looks ready: ${pairsInWords(unlinked)}${affected.length > 0 ? ` (offloaded there: ${names})` : ''}`,
    {
      about: subjectsOf(unlinked),
      hint: 'add the pairs to `peerings`, or lend only to pods that need no network between the two clusters',
    },
  );
};

/** The namespaces with a provider that has no link. */
function namespacesOver(unlinked: readonly Share[], { offloadings }: SharedModel): readonly string[] {
  const pairs = new Set(unlinked.map((it) => `${it.consumer.name}/${it.provider.name}`));
  return offloadings
    .filter(({ cluster, providers }) => providers.some((it) => pairs.has(`${cluster.name}/${it.name}`)))
    .map(({ cluster, namespace }) => `${quoted(namespace)} of ${cluster.name}`);
}
