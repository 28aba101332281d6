import { dashed } from '../chart/own-networks.ts';
import {
  canonical,
  controlledBy,
  type Fields,
  field,
  IPAM_API,
  type OwnerReference,
  REMOTE,
  type SimulatedObject,
} from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';
import { type Controller, itself, ownersOf } from './controller.ts';

const TYPES = ['pod', 'external'] as const;

/**
 * Asks for one Network for each network of a peer, and writes what came of it into the status.
 * Source: liqotech/liqo@v1.2.0 and @v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export const configurations: Controller = {
  name: 'configuration',
  watches: { Configuration: itself, Network: ownersOf('Configuration') },
  reconcile(cluster, namespace, name) {
    const { server } = cluster;
    let configuration = server.get('Configuration', name, namespace);
    if (configuration === undefined || configuration.metadata.deletionTimestamp !== undefined) return true;
    if (configuration.metadata.labels?.[REMOTE] === undefined) return false;
    if (field(configuration, 'spec', 'local') === undefined) {
      const local = localOf(cluster);
      if (local === undefined) return false;
      configuration = server.update(configuration, (it) => {
        it.spec = { ...it.spec, local: { cidr: local } };
      });
    }
    const given = Object.fromEntries(TYPES.map((it) => [it, networksOf(cluster, configuration, it)]));
    const isWhole = Object.values(given).every((list) => list?.every((it) => it !== undefined));
    if (!isWhole) return true;
    server.update(configuration, (it) => writeStatus(cluster, it, given));
    return true;
  },
};

/** The networks of the cluster itself, which is read once in the life of the controller. */
function localOf(cluster: SimulatedCluster): SimulatedCluster['local'] {
  if (cluster.local !== undefined) return cluster.local;
  const statuses = (type: string): readonly (string | undefined)[] =>
    cluster.server
      .list('Network', { 'ipam.liqo.io/network-type': type })
      .map((it) => field<string>(it, 'status', 'cidr'));
  const isGiven = (it: string | undefined): it is string => it !== undefined;
  const [pod, external] = [statuses('pod-cidr'), statuses('external-cidr')];
  if (![pod, external].every((list) => list.length > 0 && list.every(isGiven))) return undefined;
  cluster.local = { pod: pod.filter(isGiven), external: external.filter(isGiven).slice(0, 1) };
  return cluster.local;
}

/** The CIDRs of the Networks of a type; `undefined` while earlier orphans are being deleted. */
function networksOf(
  cluster: SimulatedCluster,
  configuration: SimulatedObject,
  type: (typeof TYPES)[number],
): readonly (string | undefined)[] | undefined {
  const { server, release } = cluster;
  const { name, namespace } = configuration.metadata;
  const remote = configuration.metadata.labels?.[REMOTE] ?? '';
  const cidrs = field<readonly string[]>(configuration, 'spec', 'remote', 'cidr', type) ?? [];
  const labels = { [REMOTE]: remote, 'configuration.liqo.io/cidr-type': type };
  const own = server.list('Network', labels).filter((it) => it.metadata.namespace === namespace);
  const isOwn = (it: SimulatedObject): boolean =>
    (it.metadata.ownerReferences ?? []).some(({ uid }: OwnerReference) => uid === configuration.metadata.uid);
  if (release === '1.2') {
    const names = new Set(cidrs.map((it) => `${name}-${type}-${dashed(it)}`));
    const orphans = own.filter((it) => isOwn(it) && !names.has(it.metadata.name));
    for (const it of orphans) server.remove(it);
    if (orphans.length > 0) return undefined;
  }
  const wanted = release === '1.2' ? cidrs : cidrs.slice(0, 1);
  return wanted.map((cidr) => {
    const networkName = release === '1.2' ? `${name}-${type}-${dashed(cidr)}` : `${name}-${type}`;
    const found = server.get('Network', networkName, namespace);
    if (found !== undefined) return isOwn(found) ? field<string>(found, 'status', 'cidr') : undefined;
    server.create({
      apiVersion: IPAM_API,
      kind: 'Network',
      metadata: {
        name: networkName,
        ...(namespace === undefined ? {} : { namespace }),
        labels,
        ownerReferences: [controlledBy(configuration)],
      },
      spec: { cidr, preAllocated: 0 },
    });
    return undefined;
  });
}

const CONFIGURED: Fields = {
  type: 'NetworkCIDRsConfigured',
  status: 'True',
  reason: 'NetworkCIDRsConfigured',
  message: 'All network CIDRs are configured',
};

function writeStatus({ release, server }: SimulatedCluster, draft: SimulatedObject, given: Fields): void {
  const [condition] = field<readonly Fields[]>(draft, 'status', 'conditions') ?? [];
  const isNew = canonical(field(draft, 'status', 'remote', 'cidr')) !== canonical(given);
  draft.status = { ...draft.status, remote: { cidr: given } };
  if (release === '1.2') {
    // Liqo compares with a copy that shares its conditions, so what changes only the generation is never written.
    if (condition !== undefined && !isNew) return;
    const lastTransitionTime = condition?.['lastTransitionTime'] ?? server.now();
    const observedGeneration = draft.metadata.generation;
    draft.status['conditions'] = [{ ...CONFIGURED, lastTransitionTime, observedGeneration }];
  } else {
    draft.metadata.labels = { ...draft.metadata.labels, 'configuration.liqo.io/configured': 'true' };
  }
}
