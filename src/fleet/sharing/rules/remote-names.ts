import { groupBy } from '../../../base/core/collections.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/labels.ts';
import { type AddressedCluster, tenantNamespacesIn } from '../../ipam/addressed-model.ts';
import type { OffloadedNamespace, SharedModel } from '../shared-model.ts';
import { systemOf } from './namespaces.ts';
import type { SharingRule } from './sharing-rule.ts';

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
      const why = ownerOf(remoteName, provider, own);
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
