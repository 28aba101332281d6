import { by, byCodeUnit } from '../core/order.ts';
import { quoted } from '../core/words.ts';
import { bug } from '../diagnostics/bug.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { AddressedCluster, AddressedModel } from '../ipam/addressed-model.ts';
import { selectClusters } from '../model/select-clusters.ts';
import type { OffloadingDeclaration } from '../topology/declaration.ts';
import type { OffloadedNamespace, Share } from './shared-model.ts';

interface Resolved {
  /** By cluster, then by namespace; each once. */
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
  for (const entry of entries) {
    const cluster = clusters.get(entry.cluster.value) ?? bug(`no cluster is called "${entry.cluster.value}"`);
    if (cluster.retired) continue;
    const { providers, others } = providersOf(clusters, entry, { cluster, shares });
    for (const it of others) found.push(borrowsNothing(entry, cluster, it));
    const id = `${cluster.name}/${entry.namespace.value}`;
    const first = namespaces.get(id);
    if (first === undefined) namespaces.set(id, resolve(entry, cluster, providers));
    else found.push(declaredTwice(entry, first));
  }
  const inOrder = [...namespaces.values()].sort(
    (a, b) => byCodeUnit(a.cluster.name, b.cluster.name) || byCodeUnit(a.namespace, b.namespace),
  );
  return { namespaces: inOrder, found };
}

/** The providers that an entry selects, and clusters that it names although they lend nothing to its cluster. */
function providersOf(
  clusters: ReadonlyMap<string, AddressedCluster>,
  { to }: OffloadingDeclaration,
  { cluster, shares }: { readonly cluster: AddressedCluster; readonly shares: readonly Share[] },
) {
  const lenders = new Set(shares.filter((it) => it.consumer === cluster).map((it) => it.provider));
  if (to === null) return { providers: [...lenders], others: [] };
  const named = to.filter((it) => it.kind === 'cluster').flatMap((it) => selectClusters(clusters, it));
  const labelled = to.filter((it) => it.kind === 'labels').flatMap((it) => selectClusters(clusters, it));
  const providers = new Set([...named, ...labelled].filter((it) => lenders.has(it)));
  return { providers: [...providers].sort(by((it) => it.name)), others: named.filter((it) => !lenders.has(it)) };
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
  };
}

const borrowsNothing = (
  { at }: OffloadingDeclaration,
  cluster: AddressedCluster,
  other: AddressedCluster,
): Diagnostic =>
  diagnostic('sharing/not-a-provider', at, `${quoted(cluster.name)} borrows nothing from ${quoted(other.name)}`, {
    hint: `add \`- { consumer: ${cluster.name}, provider: ${other.name} }\` to \`sharing\`, or remove it from \`to\``,
  });

const declaredTwice = (entry: OffloadingDeclaration, first: OffloadedNamespace): Diagnostic =>
  diagnostic(
    'sharing/offloaded-twice',
    entry.namespace.at,
    `namespace ${quoted(entry.namespace.value)} of ${quoted(entry.cluster.value)} is offloaded by another entry already`,
    {
      hint: 'a namespace has one NamespaceOffloading: list every provider in one entry',
      related: [{ span: first.at, message: 'the other entry' }],
    },
  );
