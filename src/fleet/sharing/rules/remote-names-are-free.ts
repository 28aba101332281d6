import { groupBy } from '../../../base/core/group-by.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { TENANT_NAMESPACE_PREFIX } from '../../../base/releases/tenant-namespace.ts';
import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import { tenantNamespacesIn } from '../../ipam/namespace-in.ts';
import type { SharedModel } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';
import { systemOf } from './system-namespaces-stay.ts';

/** Source: kubernetes/kubernetes@v1.32.0 pkg/controlplane/controller/systemnamespaces/system_namespaces_controller.go. */
const EVERYWHERE: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public', 'kube-node-lease']);

/** How many providers a message names. */
const SHOWN = 3;

/**
 * A provider has no namespace yet that is called like the remote one: Liqo takes over none that it has not made itself.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go.
 */
export const remoteNamesAreFree: SharingRule = function* ({ model }) {
  const own = ownNamespaces(model);
  for (const it of model.offloadings) {
    const { at, cluster, namespace, remoteName, providers } = it;
    // Such a namespace is refused whatever its remote name is.
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
        `namespace ${quoted(namespace)} of ${quoted(cluster.name)} would be called ${quoted(remoteName)} in ${firstOf(names, SHOWN)}, but ${why}`,
        { hint: hintFor(remoteName, `${namespace}-${cluster.name}`) },
      );
    }
  }
};

/** Without a `remoteName` the name is the default one, which cannot be left out. */
const hintFor = (remoteName: string, defaultName: string): string =>
  remoteName === defaultName
    ? 'set a `remoteName` that begins with another word, if pods of this namespace are to run elsewhere at all'
    : 'set another `remoteName`, or leave it out: the name then ends with that of the cluster';

/** The namespaces that are there before anything is offloaded to a cluster, as `cluster/namespace`. */
function ownNamespaces(model: SharedModel): ReadonlySet<string> {
  // One that weft does not create may be the remote namespace itself, offloaded once more.
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
