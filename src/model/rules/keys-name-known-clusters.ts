import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { meantHint } from '../../diagnostics/did-you-mean.ts';
import type { ModelRule } from '../resolved-links.ts';

/** The keys file has keys of clusters that the topology declares, towards such clusters. */
export const keysNameKnownClusters: ModelRule = function* ({ keysDocument, model: { clusters } }) {
  const names = [...clusters.keys()];
  const list = keysDocument?.root.kind === 'map' ? keysDocument.root.entries.get('keys')?.value : undefined;
  if (list?.kind !== 'map') return;
  for (const [cluster, { key, value }] of list.entries) {
    if (!clusters.has(cluster)) yield unknown(cluster, key, names);
    if (value.kind !== 'map') continue;
    for (const [peer, entry] of value.entries) if (!clusters.has(peer)) yield unknown(peer, entry.key, names);
  }
};

const unknown = (name: string, at: Diagnostic['span'], names: readonly string[]): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${name}"`, {
    hint: meantHint(name, names) ?? 'take the entry away when the cluster is gone',
  });
