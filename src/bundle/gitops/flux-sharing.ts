import type { AddressedCluster } from '../../fleet/ipam/addressed-model.ts';
import { sharingOf } from '../../fleet/sharing/shared-model.ts';
import { type EntryPointManifest, objectName } from './entry-point.ts';
import { type FluxSetting, fluxKustomization, givenDependencies, onceReady } from './flux-kustomization.ts';
import { OFFLOADING_HEALTH, SHARING_HEALTH } from './flux-sharing-health.ts';

/** Names of the Kustomizations that apply the links of a cluster. */
interface Links {
  /** Name of the Kustomization with every namespace, and every Configuration that needs no order. */
  readonly first: string;
  /** Names of the Kustomizations with one link each, by peer, in the order of applying. */
  readonly ordered: ReadonlyMap<string, string>;
}

/**
 * The Kustomizations of a cluster's loans and offloaded namespaces. They are separate from the links: Flux applies
 * nothing of a Kustomization when one of its objects is refused, and objects that wait for another cluster would keep a
 * Kustomization from being ready for days. No other Kustomization depends on them. Source: fluxcd/pkg
 * ssa/manager_apply.go (ApplyAllStaged).
 */
export function sharingKustomizations(
  setting: FluxSetting,
  cluster: AddressedCluster,
  links: Links,
): readonly EntryPointManifest[] {
  const { partners, offloads } = sharingOf(setting.model, cluster.name);
  return [
    ...(partners.length > 0 ? [sharing(setting, cluster, links)] : []),
    ...(offloads.length > 0 ? [offloading(setting, cluster)] : []),
  ];
}

/**
 * The name of a sharing Kustomization. It has four parts, so it is unique: a cluster may have the name `sharing`, and
 * the link to it has a name of three parts.
 */
const kustomizationName = ({ model }: FluxSetting, { name }: AddressedCluster, folder: string): string =>
  objectName([model.fleet.name, name, 'folder', folder]);

/** Timeout of health checks: while one waits, older versions of Flux apply no later commit. */
const TIMEOUT = '2m';

/**
 * The Kustomization of loans. It is applied after the Configurations of all partners, because a virtual kubelet reads
 * its network and the status of its Configuration once, when it starts. Namespaces of tenants are applied with the
 * links, too. Source: liqotech/liqo@v1.2.0 cmd/virtual-kubelet/root/root.go.
 */
function sharing(setting: FluxSetting, cluster: AddressedCluster, { first, ordered }: Links): EntryPointManifest {
  const partners = new Set(sharingOf(setting.model, cluster.name).partners.map((it) => it.cluster.name));
  const last = [...ordered].findLast(([peer]) => partners.has(peer))?.[1] ?? first;
  return fluxKustomization(setting, cluster, {
    name: kustomizationName(setting, cluster, 'sharing'),
    applies: { part: 'sharing', cluster: cluster.name, name: 'kustomization' },
    dependsOn: [onceReady(setting.flux, last)],
    spec: { timeout: TIMEOUT, wait: true, healthCheckExprs: SHARING_HEALTH },
  });
}

/**
 * The Kustomization of offloaded namespaces. It waits for no provider: Liqo offloads a namespace to each new provider,
 * and only pods that are created afterwards are sent to it.
 */
function offloading(setting: FluxSetting, cluster: AddressedCluster): EntryPointManifest {
  return fluxKustomization(setting, cluster, {
    name: kustomizationName(setting, cluster, 'offloading'),
    applies: { part: 'offloading', cluster: cluster.name, name: 'kustomization' },
    dependsOn: givenDependencies(setting.flux),
    spec: { timeout: TIMEOUT, wait: true, healthCheckExprs: OFFLOADING_HEALTH },
  });
}
