import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { meantHints } from '../../../base/diagnostics/did-you-mean.ts';
import type { Located } from '../../../base/source/located.ts';
import type { ModelRule } from '../resolved-links.ts';

/** The keys file names only clusters that the topology declares. */
export const keysNameKnownClusters: ModelRule = function* ({ keysDocument, model: { clusters } }) {
  const meant = meantHints([...clusters.keys()]);
  for (const { name: cluster, value: peers } of keysDocument?.reading.at('keys').entries() ?? []) {
    if (!clusters.has(cluster.value)) yield unknown(cluster, meant);
    for (const { name: peer } of peers.scalars()) if (!clusters.has(peer.value)) yield unknown(peer, meant);
  }
  // What was signed for a former name is of no use under the new one, so it is not renamed.
  const former = new Set([...clusters.values()].map((it) => it.renamedFrom?.value));
  for (const { name: cluster, value } of keysDocument?.reading.at('authentication').entries() ?? []) {
    const providers = value.at('providers').entries();
    for (const it of [cluster, ...providers.map(({ name }) => name)])
      if (!clusters.has(it.value) && !former.has(it.value)) yield unknown(it, meant);
  }
};

const unknown = ({ value, at }: Located<string>, meant: ReturnType<typeof meantHints>): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint: meant(value) ?? 'remove the entry if the cluster no longer exists',
  });
