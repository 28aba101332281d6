import { andMore, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import { directConnection } from './direct-connection.ts';
import { providerPairs } from './provider-pairs.ts';

/** Providers so many of whose pairs are refused are counted; then the search ends. */
const MOST = 20;

/**
 * With the annotation for direct connections every two providers of a namespace can map each other's pods: a provider that
 * cannot map one endpoint gets none at all.
 */
export function* directConnectionsNeedLinks({ offloadings }: SharedModel): Iterable<Diagnostic> {
  for (const it of offloadings) if (it.directConnections) yield* checkNamespace(it);
}

function* checkNamespace(offloaded: OffloadedNamespace): Iterable<Diagnostic> {
  const { at, cluster, namespace } = offloaded;
  const refused: { readonly from: string; readonly why: string; readonly change: string }[] = [];
  for (const pair of providerPairs(offloaded)) {
    const connection = directConnection(pair);
    if (connection.kind === 'absent') {
      const message = `\`directConnections\` of namespace ${quoted(namespace)} has no effect: ${connection.why}`;
      yield diagnostic('topology/unused-setting', at, message, {
        about: [[cluster.name]],
        hint: 'upgrade, or remove it',
      });
      return;
    }
    if (connection.kind !== 'refused') continue;
    refused.push({ from: pair.from.name, ...connection });
    if (refused.length === MOST) break;
  }
  const [first] = refused;
  if (first === undefined) return;
  const others = andMore(new Set(refused.map((it) => it.from)).size - 1);
  const message = `Services of namespace ${quoted(namespace)} get no endpoints of other clusters in ${quoted(first.from)}${others}: with direct connections ${quoted(first.from)} must map every pod, and ${first.why}`;
  const hint = `${first.change.charAt(0).toLowerCase()}${first.change.slice(1).replace(/\.$/, '')}; or remove the annotation from the Services, and \`directConnections\``;
  yield diagnostic('sharing/direct-connections-without-links', at, message, { hint });
}
