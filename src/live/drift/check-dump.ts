import { sortedUnique } from '../../base/core/collections.ts';
import { listOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../base/net/text.ts';
import { startOf } from '../../base/source/source.ts';
import type { AddressedCluster, AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { type KubernetesObject, kindKeyOf, type LiveCluster } from '../dumps/kubernetes-object.ts';
import { type ObservedCluster, observeCluster } from '../facts/cluster.ts';
import { COMPARED_KINDS } from './compare-objects.ts';
import type { ClusterDrift } from './drift.ts';
import type { PromisedObjects } from './promised-objects.ts';

/** The kinds without which the links of a cluster are unknown. */
const NEEDED = [
  'Configuration.networking.liqo.io',
  'GatewayServer.networking.liqo.io',
  'GatewayClient.networking.liqo.io',
  'Network.ipam.liqo.io',
];

/**
 * Reports a dump without a needed kind of which the bundle promises objects. They may be missing in the cluster, or
 * only in the dump. If their namespaces are known to be missing, the objects are, too.
 * @param promised the cluster's promised objects; computed only if a kind is absent
 */
export function incompleteDump(live: LiveCluster, promised: () => PromisedObjects): Diagnostic | undefined {
  if (NEEDED.every((it) => live.listed.has(it))) return undefined;
  const objects = [...promised().values()].map((it) => it.object);
  const unknown = objects.filter((it) => !live.listed.has(kindKeyOf(it)));
  const isNothing = objects.length > 0 && unknown.length === objects.length;
  const absent = unknown.filter((it) => isNothing || (NEEDED.includes(kindKeyOf(it)) && !lacksItsNamespace(it, live)));
  if (absent.length === 0) return undefined;
  const keys = new Set(absent.map(kindKeyOf));
  return incomplete({
    cluster: live.cluster,
    keys,
    path: live.from,
    isForbidden: [...keys].every((it) => live.forbidden.has(it)),
  });
}

/** Reports kinds that the bundle promises, of which a dump has no object and does not say that it was asked for them. */
export function unknownKinds({ cluster, uncompared }: ClusterDrift, path: string): Diagnostic | undefined {
  const keys = new Set(uncompared.flatMap((it) => (it.why === 'not-in-dump' ? [it.key] : [])));
  return keys.size === 0 ? undefined : incomplete({ cluster, keys, path, isForbidden: false });
}

interface Incomplete {
  readonly cluster: string;
  /** Printed by `kindKey`. */
  readonly keys: ReadonlySet<string>;
  readonly path: string;
  readonly isForbidden: boolean;
}

function incomplete({ cluster, keys, path, isForbidden }: Incomplete): Diagnostic {
  const kinds = sortedUnique(COMPARED_KINDS.filter((it) => keys.has(it.key)).map((it) => it.resource));
  const what = `${listOf(kinds)} of "${cluster}"`;
  const promise = 'its bundle promises some, so it is not known whether they are there';
  return diagnostic(
    'live/incomplete',
    startOf({ path, text: '' }),
    isForbidden ? `the user of the context may not list ${what}; ${promise}` : `the dump has no ${what}; ${promise}`,
    {
      hint: isForbidden
        ? 'let the user list them: "weft import --print-commands" prints the role'
        : `dump these kinds, in all namespaces: kubectl get ${kinds.join(',')} -A -o json; a dump by the script of "weft import --print-commands" also says that there are none`,
    },
  );
}

const lacksItsNamespace = ({ metadata }: KubernetesObject, { listed, objects }: LiveCluster): boolean =>
  metadata.namespace !== undefined && listed.has('Namespace') && !objects.has(`Namespace /${metadata.namespace}`);

/**
 * Reports a dump without its cluster ID that is of another cluster, judged by its peers and own networks. Only a clear
 * case is reported, because a cluster may differ from git in any of these.
 */
export function looksLikeAnother(model: AddressedModel, live: LiveCluster): Diagnostic | undefined {
  const cluster = model.clusters.get(live.cluster);
  if (cluster === undefined || live.isCertain === true) return undefined;
  const facts = observeCluster(live);
  const { remotes } = facts;
  if (remotes.size === 0) return undefined;
  const scores = new Map<string, number>();
  for (const remote of remotes)
    for (const name of model.clusters.get(remote)?.peers.keys() ?? []) scores.set(name, (scores.get(name) ?? 0) + 1);
  const own = givenNetworks(facts);
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
    startOf({ path: live.from, text: '' }),
    `the dump for "${live.cluster}" looks like that of "${best.it.name}": ${best.score} of the ${remotes.size} clusters that it has objects about are peers of "${best.it.name}", and ${ours} of "${live.cluster}"`,
    { hint: `write ${best.it.name}=FILE, or dump the ConfigMap with the cluster ID as well, which settles it` },
  );
}

const givenNetworks = ({ own, otherNetworks }: ObservedCluster): ReadonlySet<string> =>
  new Set([...Object.values(own).flat(), ...otherNetworks].flatMap((it) => it.given ?? []));

const hasPods = ({ podCIDRs }: AddressedCluster, own: ReadonlySet<string>): boolean =>
  podCIDRs.every((it) => own.has(printPrefix(it.value)));
