import { by, byCodeUnit, groupBy } from '../../base/core/collections.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { selectClusters } from '../model/select-clusters.ts';
import type { Selector } from '../topology/selector.ts';
import type { OffloadingDeclaration } from '../topology/sharing-declaration.ts';
import type { OffloadedNamespace, Share } from './shared-model.ts';

interface Resolved {
  /** Namespaces by cluster, then by name, without duplicates. */
  readonly namespaces: readonly OffloadedNamespace[];
  readonly found: readonly Diagnostic[];
}

/** The namespaces with their providers. Those of retired clusters are left out. */
export function resolveOffloadings(
  { clusters }: AddressedModel,
  entries: readonly OffloadingDeclaration[],
  shares: readonly Share[],
): Resolved {
  const namespaces = new Map<string, OffloadedNamespace>();
  const found: Diagnostic[] = [];
  const lent = groupBy(shares, (it) => [it.consumer.name]);
  for (const entry of entries) {
    const cluster = clusters.get(entry.cluster.value) ?? bug(`no cluster is called "${entry.cluster.value}"`);
    if (cluster.retired) continue;
    const { providers, others } = providersOf(entry, { clusters, loans: lent.get(cluster.name) ?? [] });
    for (const it of others) found.push(borrowsNothing(it, cluster));
    const id = `${cluster.name}/${entry.namespace.value}`;
    const first = namespaces.get(id);
    if (first === undefined) namespaces.set(id, resolve(entry, cluster, providers));
    else found.push(offloadedTwice(entry, first));
  }
  const inOrder = [...namespaces.values()].sort(
    (a, b) => byCodeUnit(a.cluster.name, b.cluster.name) || byCodeUnit(a.namespace, b.namespace),
  );
  return { namespaces: inOrder, found };
}

interface OffloadingFleet {
  readonly clusters: AddressedModel['clusters'];
  /** The loans to the cluster of the namespace. */
  readonly loans: readonly Share[];
}

/** The providers that an entry selects, by name, and the named clusters that lend nothing to its cluster. */
function providersOf({ to }: OffloadingDeclaration, { clusters, loans }: OffloadingFleet) {
  const lenders = new Map(loans.map((it) => [it.provider.name, it.provider]));
  if (to === null) return { providers: [...lenders.values()], others: [] };
  const named = to.filter((it) => it.kind === 'cluster');
  const labelled = to.filter((it) => it.kind === 'labels').flatMap((it) => selectClusters(lenders, it));
  const providers = new Set([...named.flatMap((it) => lenders.get(it.name) ?? []), ...labelled]);
  // A named cluster that is retired is no mistake: one line retires a cluster.
  const others = named.filter((it) => !lenders.has(it.name) && clusters.get(it.name)?.retired === false);
  return { providers: [...providers].sort(by((it) => it.name)), others };
}

function resolve(
  entry: OffloadingDeclaration,
  cluster: AddressedCluster,
  providers: readonly AddressedCluster[],
): OffloadedNamespace {
  const namespace = entry.namespace.value;
  const chosen = entry.remoteName?.value;
  return {
    at: entry.at,
    cluster,
    namespace,
    providers,
    pods: entry.pods.value,
    mapping: chosen === undefined ? 'DefaultName' : chosen === namespace ? 'EnforceSameName' : 'SelectedName',
    remoteName: chosen ?? `${namespace}-${cluster.name}`,
    createNamespace: entry.createNamespace,
    directConnections: entry.directConnections,
  };
}

const borrowsNothing = ({ at, name }: Selector & { readonly kind: 'cluster' }, cluster: AddressedCluster): Diagnostic =>
  diagnostic('sharing/not-a-provider', at, `${quoted(cluster.name)} borrows nothing from ${quoted(name)}`, {
    hint: `add \`- { consumer: ${cluster.name}, provider: ${name} }\` to \`sharing\`, or remove it from \`to\``,
  });

const offloadedTwice = (entry: OffloadingDeclaration, first: OffloadedNamespace): Diagnostic =>
  diagnostic(
    'sharing/offloaded-twice',
    entry.namespace.at,
    `namespace ${quoted(entry.namespace.value)} of ${quoted(entry.cluster.value)} is offloaded by another entry already`,
    {
      hint: 'a namespace has one NamespaceOffloading: list every provider in one entry',
      related: [{ span: first.at, message: 'the other entry' }],
    },
  );
