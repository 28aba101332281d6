import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { meantHint } from '../../diagnostics/did-you-mean.ts';
import type { Located } from '../../source/located.ts';
import type { ModelRule } from '../resolved-links.ts';

/** The keys file names only clusters that the topology declares. */
export const keysNameKnownClusters: ModelRule = function* ({ keysDocument, model: { clusters } }) {
  const names = [...clusters.keys()];
  for (const { name: cluster, value: peers } of keysDocument?.reading.at('keys').entries() ?? []) {
    if (!clusters.has(cluster.value)) yield unknown(cluster, names);
    for (const { name: peer } of peers.scalars()) if (!clusters.has(peer.value)) yield unknown(peer, names);
  }
};

const unknown = ({ value, at }: Located<string>, names: readonly string[]): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint: meantHint(value, names) ?? 'remove the entry if the cluster no longer exists',
  });
