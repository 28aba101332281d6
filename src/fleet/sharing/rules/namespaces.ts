import { groupBy } from '../../../base/core/collections.ts';
import { firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import { type AddressedCluster, tenantNamespacesIn } from '../../ipam/addressed-model.ts';
import { PROBER_NAMESPACE } from '../../model/network-model.ts';
import type { GitOps } from '../../topology/declaration.ts';
import { helmValueAt } from '../../topology/helm-values.ts';
import type { OffloadedNamespace, SharedModel } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** An offloaded namespace has a provider that accepts its pods. A drained provider accepts none, and a slice without a node. */
export const namespacesHaveAProvider: SharingRule = function* ({ model }) {
  const loans = model.shares.filter(
    (it) => it.condition !== 'Drained' && it.slices.some(({ virtualNode }) => virtualNode?.createNode !== false),
  );
  const lenders = new Map(
    [...groupBy(loans, (it) => [it.consumer.name])].map(([name, shares]) => [
      name,
      new Set(shares.map((it) => it.provider)),
    ]),
  );
  for (const { at, cluster, namespace, providers, pods } of model.offloadings) {
    const active = lenders.get(cluster.name);
    if (active && providers.some((it) => active.has(it))) continue;
    const names = new Set(providers.map((it) => it.name));
    const left = model.shares.filter((it) => it.consumer === cluster && names.has(it.provider.name));
    const isDrained = left.some((it) => it.condition === 'Drained');
    const why =
      providers.length === 0
        ? 'has no provider'
        : `has only ${isDrained ? 'drained providers' : 'providers without a node'}`;
    const so = pods === 'Remote' ? 'its pods stay pending' : `its pods run in ${quoted(cluster.name)} alone`;
    yield diagnostic(
      'sharing/no-provider',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} ${why}, so ${so}`,
      {
        about: [[cluster.name]],
        hint:
          providers.length === 0
            ? providerHint(cluster.name, active !== undefined)
            : `remove \`${isDrained ? 'condition' : 'createNode'}\` from a loan of these providers, or remove the entry`,
      },
    );
  }
};

const providerHint = (cluster: string, borrows: boolean): string =>
  borrows
    ? `select a cluster in \`to\` that lends to ${quoted(cluster)}, or remove the entry`
    : `add a loan with \`consumer: ${cluster}\` to \`sharing\`, or remove the entry`;

/**
 * A cluster copies to its providers what its offloaded namespaces need: their pods, and for direct connections the
 * Services with the addresses of pods. Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/reflection/manager.
 */
export const namespacesAreReflected: SharingRule = function* ({ model }) {
  for (const { at, cluster, namespace, providers, pods, directConnections } of model.offloadings) {
    const isOff = (kind: string): boolean => helmValueAt(cluster.helmValues, workersOf(kind)) === 0;
    const of = `of namespace ${quoted(namespace)} of ${quoted(cluster.name)}`;
    if (pods !== 'Local' && isOff('pod')) {
      const message = `no pod ${of} can run in a provider, because \`${workersOf('pod')}\` is 0`;
      const hint = 'remove `workers` from `helmValues`, or offload the namespace with `pods: Local`';
      yield diagnostic('topology/wrong-value', at, message, { hint });
    }
    if (!directConnections) continue;
    const off = ['service', 'endpointslice'].filter(isOff).map((it) => `\`${workersOf(it)}\` is 0`);
    const keepsAddresses = helmValueAt(cluster.helmValues, 'networking.reflectIPs') === false;
    const denying = providers.filter((it) => helmValueAt(it.helmValues, 'networking.denyDirectConnections') === true);
    const why = [
      ...off,
      ...(keepsAddresses ? ['`networking.reflectIPs` is false'] : []),
      ...(denying.length > 0
        ? [
            `\`networking.denyDirectConnections\` of ${firstOf(
              denying.map((it) => quoted(it.name)),
              SHOWN_CLUSTERS,
            )} is true`,
          ]
        : []),
    ];
    if (why.length > 0) {
      const message = `no Service ${of} can use direct connections, because ${listOf(why)}`;
      yield diagnostic('topology/wrong-value', at, message, {
        hint: 'remove that from `helmValues`, or `directConnections` from the entry',
      });
    } else if (pods === 'Local') {
      const message = `\`directConnections\` ${of} has no effect: with \`pods: Local\` no pod runs in a provider`;
      const hint = 'remove `directConnections`, or `pods: Local`';
      yield diagnostic('topology/unused-setting', at, message, { about: [[cluster.name]], hint });
    }
  }
};

const workersOf = (kind: string): string => `offloading.reflection.${kind}.workers`;

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
export const systemNamespacesStay: SharingRule = function* ({ model, inputs }) {
  const { gitops } = inputs.declaration;
  for (const it of model.offloadings) {
    const why = systemOf(it) ?? toolOf(it, gitops);
    if (why === undefined) continue;
    yield diagnostic(
      'sharing/system-namespace',
      it.at,
      `namespace ${quoted(it.namespace)} of ${quoted(it.cluster.name)} ${why}, and offloading it copies its Secrets to every provider`,
      { hint: 'remove the entry, and offload namespaces of applications only' },
    );
  }
};

/** The GitOps tool that runs in a namespace, with the credentials of repositories and clusters. */
function toolOf({ namespace }: OffloadedNamespace, gitops: GitOps | null): string | undefined {
  if (namespace === gitops?.argo?.namespace) return 'is the one of Argo CD';
  return namespace === gitops?.flux?.namespace ? 'is the one of Flux' : undefined;
}

/** The system that uses a namespace, as the end of a sentence; `undefined` for a namespace of an application. */
function systemOf({ namespace, cluster }: OffloadedNamespace): string | undefined {
  if (namespace.startsWith('kube-')) return 'belongs to Kubernetes';
  if (namespace === cluster.liqoNamespace) return 'is the one of Liqo, with the private authentication key';
  if (namespace.startsWith(TENANT_NAMESPACE_PREFIX) || tenantNamespacesIn(cluster).has(namespace))
    return 'is a tenant namespace, with kubeconfigs and private keys';
  return undefined;
}

/**
 * The prober stays in its cluster: its namespace is offloaded for its Service alone, and it comes and goes with the prober.
 */
export const probersStay: SharingRule = function* ({ model }) {
  if (!model.fleet.conformance) return;
  for (const { at, cluster, namespace, pods, createNamespace } of model.offloadings) {
    if (namespace !== PROBER_NAMESPACE || (pods === 'Local' && !createNamespace)) continue;
    const why = pods === 'Local' ? 'is created with the prober' : 'contains the prober, which must stay in its cluster';
    yield diagnostic(
      'sharing/prober-namespace',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} ${why}`,
      { hint: 'write `pods: Local` and `createNamespace: false` in the entry' },
    );
  }
};

/** Source: kubernetes/apimachinery@v0.35.0 pkg/util/validation/validation.go (DNS1123LabelMaxLength). */
const LONGEST_NAMESPACE = 63;

/**
 * The name that Liqo forms from a namespace and its cluster is a valid namespace name. A name in the topology is
 * checked as a text.
 */
export const remoteNamesFit: SharingRule = function* ({ model }) {
  for (const { at, cluster, namespace, remoteName } of model.offloadings) {
    if (remoteName.length <= LONGEST_NAMESPACE) continue;
    yield diagnostic(
      'sharing/remote-name-too-long',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} would be called ${quoted(remoteName)} in its providers, which has ${remoteName.length} characters`,
      { hint: `set \`remoteName\` to a name of at most ${LONGEST_NAMESPACE} characters` },
    );
  }
};

/** Largest number of providers in a message. */
const SHOWN_ALIKE = 3;

/**
 * No two namespaces have the same name in a provider: Liqo creates the first one, and reports permanently that the
 * other cannot be created. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go.
 */
export const remoteNamesDiffer: SharingRule = function* ({ model }) {
  const first = new Map<string, OffloadedNamespace>();
  for (const it of model.offloadings) {
    const meetings: Meeting[] = [];
    for (const { name: provider } of it.providers) {
      const id = `${provider}/${it.remoteName}`;
      const other = first.get(id);
      if (other === undefined) first.set(id, it);
      else meetings.push({ other, provider });
    }
    for (const those of groupBy(meetings, ({ other }) => [namespaceText(other)]).values())
      yield* reportMeetings(it, those);
  }
};

interface Meeting {
  readonly other: OffloadedNamespace;
  readonly provider: string;
}

function* reportMeetings(it: OffloadedNamespace, meetings: readonly Meeting[]): Iterable<Diagnostic> {
  const [first] = meetings;
  if (first === undefined) return;
  const providers = firstOf(
    meetings.map(({ provider }) => quoted(provider)),
    SHOWN_ALIKE,
  );
  yield diagnostic(
    'sharing/remote-names-meet',
    it.at,
    `${namespaceText(it)} and ${namespaceText(first.other)} would both be called ${quoted(it.remoteName)} in ${providers}`,
    {
      hint: 'give one of them a `remoteName` that no other namespace has there',
      related: [{ span: first.other.at, message: 'the other namespace' }],
    },
  );
}

const namespaceText = ({ namespace, cluster }: OffloadedNamespace): string =>
  `namespace ${quoted(namespace)} of ${quoted(cluster.name)}`;

/** Source: kubernetes/kubernetes@v1.32.0 pkg/controlplane/controller/systemnamespaces/system_namespaces_controller.go. */
const EVERYWHERE: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** Largest number of providers in a message. */
const SHOWN_TAKEN = 3;

/**
 * A provider has no other namespace with the remote name: Liqo does not adopt a namespace that it has not created
 * itself. Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go.
 */
export const remoteNamesAreFree: SharingRule = function* ({ model }) {
  const own = ownNamespaces(model);
  for (const it of model.offloadings) {
    const { at, cluster, namespace, remoteName, providers } = it;
    // Such a namespace is rejected regardless of its remote name.
    if (systemOf(it) !== undefined) continue;
    const taken = providers.flatMap((provider) => {
      const isOfProber = model.fleet.conformance && remoteName === PROBER_NAMESPACE;
      const why = isOfProber ? 'its prober is in a namespace of that name' : ownerOf(remoteName, provider, own);
      return why === undefined ? [] : [{ provider: provider.name, why }];
    });
    for (const [why, where] of groupBy(taken, (it) => [it.why])) {
      const names = where.map((it) => quoted(it.provider));
      yield diagnostic(
        'sharing/remote-name-taken',
        at,
        `namespace ${quoted(namespace)} of ${quoted(cluster.name)} would be called ${quoted(remoteName)} in ${firstOf(names, SHOWN_TAKEN)}, but ${why}`,
        { hint: remoteNameHint(remoteName, `${namespace}-${cluster.name}`) },
      );
    }
  }
};

/** The hint about `remoteName`. Without it the name is the default one, which cannot be left out. */
const remoteNameHint = (remoteName: string, defaultName: string): string =>
  remoteName === defaultName
    ? 'set a `remoteName` that begins with another word, if pods of this namespace are to run elsewhere at all'
    : 'set another `remoteName`, or leave it out: the name then ends with that of the cluster';

/** The namespaces that exist before any namespace is offloaded to a cluster, as `cluster/namespace`. */
function ownNamespaces(model: SharedModel): ReadonlySet<string> {
  // A namespace that weft does not create may be the remote namespace itself, offloaded again.
  return new Set(
    model.offloadings.filter((it) => it.createNamespace).map((it) => `${it.cluster.name}/${it.namespace}`),
  );
}

function ownerOf(name: string, provider: AddressedCluster, own: ReadonlySet<string>): string | undefined {
  if (EVERYWHERE.has(name)) return 'every cluster has a namespace of that name';
  if (name.startsWith('kube-')) return 'names that begin with kube- are for Kubernetes itself';
  if (name === provider.liqoNamespace) return 'Liqo runs in a namespace of that name';
  if (name.startsWith(TENANT_NAMESPACE_PREFIX)) return 'such names are those of tenant namespaces';
  if (tenantNamespacesIn(provider).has(name)) return 'it has a tenant namespace of that name';
  if (own.has(`${provider.name}/${name}`)) return 'a namespace of that name is offloaded from there';
  return undefined;
}
