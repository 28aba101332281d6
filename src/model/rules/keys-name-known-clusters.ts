import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { meantHint } from '../../diagnostics/did-you-mean.ts';
import type { Located } from '../../source/located.ts';
import type { ModelRule } from '../resolved-links.ts';

/** The keys file has keys of clusters that the topology declares, towards such clusters. */
export const keysNameKnownClusters: ModelRule = function* ({ keysDocument, model: { clusters } }) {
  const names = [...clusters.keys()];
  for (const { name: cluster, value: peers } of keysDocument?.reading.at('keys').entries() ?? []) {
    if (!clusters.has(cluster.value)) yield unknown(cluster, names);
    for (const { name: peer } of peers.scalars()) if (!clusters.has(peer.value)) yield unknown(peer, names);
  }
};

const unknown = ({ value, at }: Located<string>, names: readonly string[]): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint: meantHint(value, names) ?? 'take the entry away when the cluster is gone',
  });
