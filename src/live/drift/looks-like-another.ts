import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../base/net/text.ts';
import { REMOTE_CLUSTER_LABEL } from '../../base/releases/labels.ts';
import { startOf } from '../../base/source/source.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { textAt } from '../dumps/json.ts';
import type { LiveCluster } from '../dumps/live-cluster.ts';

/**
 * Whether a dump without the ID of its cluster is that of another one, by its peers and its own networks. Nothing short of a
 * clear case counts: a cluster may differ from git in any of these.
 *
 * @param path of the dump
 */
export function looksLikeAnother(model: AddressedModel, live: LiveCluster, path: string): Diagnostic | undefined {
  const cluster = model.clusters.get(live.cluster);
  if (cluster === undefined || live.isCertain === true) return undefined;
  const remotes = remotesIn(live);
  if (remotes.size === 0) return undefined;
  const scores = new Map<string, number>();
  for (const remote of remotes)
    for (const name of model.clusters.get(remote)?.peers.keys() ?? []) scores.set(name, (scores.get(name) ?? 0) + 1);
  const own = ownNetworks(live);
  const isOwn = (it: AddressedCluster): boolean => own.has(printPrefix(it.externalCIDR)) && hasPods(it, own);
  const ours = scores.get(live.cluster) ?? 0;
  const [best] = [...scores]
    .filter(([name]) => name !== live.cluster && !remotes.has(name))
    .map(([name, score]) => ({ it: model.clusters.get(name), score }))
    .sort((a, b) => b.score - a.score || (a.it && isOwn(a.it) ? -1 : 1));
  if (best?.it === undefined) return undefined;
  // A cluster is never its own peer.
  const isForeign = remotes.has(live.cluster) || ours * 2 < remotes.size;
  const fits = best.score * 2 > remotes.size;
  const isSwapped = ours === best.score && !isOwn(cluster) && isOwn(best.it) && best.score === remotes.size;
  if (!(isForeign && fits) && !isSwapped) return undefined;
  return diagnostic(
    'live/looks-like-another',
    startOf({ path, text: '' }),
    `the dump for "${live.cluster}" looks like that of "${best.it.name}": ${best.score} of the ${remotes.size} clusters that it has objects about are peers of "${best.it.name}", and ${ours} of "${live.cluster}"`,
    { hint: `write ${best.it.name}=FILE, or dump the ConfigMap with the cluster ID as well, which settles it` },
  );
}

const remotesIn = ({ objects }: LiveCluster): ReadonlySet<string> =>
  new Set(
    [...objects.values()].flatMap((it) =>
      it.kind === 'Configuration' || it.kind === 'Namespace'
        ? (textAt(it.metadata.labels, REMOTE_CLUSTER_LABEL) ?? [])
        : [],
    ),
  );

const ownNetworks = ({ objects }: LiveCluster): ReadonlySet<string> =>
  new Set(
    [...objects.values()].flatMap((it) =>
      it.kind === 'Network' && it.metadata.labels?.[REMOTE_CLUSTER_LABEL] === undefined
        ? (textAt(it['status'], 'cidr') ?? [])
        : [],
    ),
  );

const hasPods = ({ podCIDRs }: AddressedCluster, own: ReadonlySet<string>): boolean =>
  podCIDRs.every((it) => own.has(printPrefix(it.value)));
