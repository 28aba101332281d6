import { groupBy } from '../../../base/core/collections.ts';
import { firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import { tenantNamespacesIn } from '../../ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** An offloaded namespace has a provider that accepts its pods. A drained provider accepts none. */
export const namespacesHaveAProvider: SharingRule = function* ({ model }) {
  const loans = model.shares.filter((it) => it.condition !== 'Drained');
  const lenders = new Map(
    [...groupBy(loans, (it) => [it.consumer.name])].map(([name, shares]) => [
      name,
      new Set(shares.map((it) => it.provider)),
    ]),
  );
  for (const { at, cluster, namespace, providers, pods } of model.offloadings) {
    const active = lenders.get(cluster.name);
    if (active && providers.some((it) => active.has(it))) continue;
    const isDrained = providers.length > 0;
    const why = isDrained ? 'has only drained providers' : 'has no provider';
    const so = pods === 'Remote' ? 'its pods stay pending' : `its pods run in ${quoted(cluster.name)} alone`;
    yield diagnostic(
      'sharing/no-provider',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} ${why}, so ${so}`,
      {
        about: [[cluster.name]],
        hint: isDrained
          ? 'remove `condition` from a loan of these providers, or remove the entry'
          : providerHint(cluster.name, active !== undefined),
      },
    );
  }
};

const providerHint = (cluster: string, borrows: boolean): string =>
  borrows
    ? `select a cluster in \`to\` that lends to ${quoted(cluster)}, or remove the entry`
    : `add a loan with \`consumer: ${cluster}\` to \`sharing\`, or remove the entry`;

/** Largest number of clusters in a message. */
const SHOWN_CLUSTERS = 3;

/**
 * The remote namespace of an offloaded namespace is not offloaded again by its provider. Liqo allows it, but pods then
 * run two clusters away, invisible from their own cluster, or return to it on a virtual node. Only a namespace that
 * weft does not create can be a remote one; the name of any other is taken.
 */
export const namespacesAreOffloadedOnce: SharingRule = function* ({ model }) {
  const onwards = onwardOffloadings(model);
  if (onwards.size === 0) return;
  for (const [next, origins] of originsOf(model, onwards)) yield* sentOn(next, origins, clustersBehind(next, onwards));
};

/** Offloaded namespaces by cluster and name. */
type Onwards = ReadonlyMap<string, OffloadedNamespace>;

const onwardOffloadings = ({ offloadings }: SharedModel): Onwards =>
  new Map(
    offloadings
      .filter((it) => it.pods !== 'Local' && !it.createNamespace)
      .map((it) => [`${it.cluster.name}/${it.namespace}`, it]),
  );

/** The namespaces in which pods of a namespace arrive, if these are offloaded again. */
const arrivals = ({ providers, remoteName }: OffloadedNamespace, onwards: Onwards): readonly OffloadedNamespace[] =>
  providers.flatMap((it) => onwards.get(`${it.name}/${remoteName}`) ?? []);

function originsOf({ offloadings }: SharedModel, onwards: Onwards) {
  const origins = new Map<OffloadedNamespace, string[]>();
  for (const it of offloadings.filter(({ pods }) => pods !== 'Local')) {
    for (const next of arrivals(it, onwards)) {
      const names = origins.get(next) ?? [];
      names.push(it.cluster.name);
      origins.set(next, names);
    }
  }
  return origins;
}

function clustersBehind(start: OffloadedNamespace, onwards: Onwards): ReadonlySet<string> {
  const seen = new Set([start]);
  // Iterating over a set includes entries that are added during the iteration.
  for (const it of seen) for (const next of arrivals(it, onwards)) seen.add(next);
  return new Set([...seen].flatMap((it) => it.providers.map(({ name }) => name)));
}

function* sentOn(
  { at, cluster, namespace, providers }: OffloadedNamespace,
  origins: readonly string[],
  behind: ReadonlySet<string>,
): Iterable<Diagnostic> {
  if (providers.length === 0) return;
  const home = origins.filter((it) => behind.has(it));
  const to = firstOf(
    providers.map((it) => quoted(it.name)),
    SHOWN_CLUSTERS,
  );
  const back = home.length > 0 ? `, and so back to ${listOf(home.slice(0, SHOWN_CLUSTERS).map(quoted))}` : '';
  yield diagnostic(
    'sharing/offloaded-onwards',
    at,
    `namespace ${quoted(namespace)} of ${quoted(cluster.name)} contains pods of ${firstOf(origins.map(quoted), SHOWN_CLUSTERS)}, and is offloaded to ${to}${back}`,
    { about: [[cluster.name]], hint: 'remove the entry, and let the first cluster borrow from the last one itself' },
  );
}

/**
 * No namespace of Kubernetes or Liqo is offloaded: a virtual kubelet copies the Secrets of an offloaded namespace to
 * its providers, and in these namespaces they are private keys and kubeconfigs. Source: liqotech/liqo@v1.2.0
 * pkg/virtualKubelet/reflection/configuration/secret.go.
 */
export const systemNamespacesStay: SharingRule = function* ({ model }) {
  for (const it of model.offloadings) {
    const why = systemOf(it);
    if (why === undefined) continue;
    yield diagnostic(
      'sharing/system-namespace',
      it.at,
      `namespace ${quoted(it.namespace)} of ${quoted(it.cluster.name)} ${why}, and offloading it copies its Secrets to every provider`,
      { hint: 'remove the entry, and offload namespaces of applications only' },
    );
  }
};

/** The system that uses a namespace, as the end of a sentence; `undefined` for a namespace of an application. */
export function systemOf({ namespace, cluster }: OffloadedNamespace): string | undefined {
  if (namespace.startsWith('kube-')) return 'belongs to Kubernetes';
  if (namespace === cluster.liqoNamespace) return 'is the one of Liqo, with the private authentication key';
  if (namespace.startsWith(TENANT_NAMESPACE_PREFIX) || tenantNamespacesIn(cluster).has(namespace))
    return 'is a tenant namespace, with kubeconfigs and private keys';
  return undefined;
}
