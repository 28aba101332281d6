import { describe, expect, it } from 'vitest';
import { compareCluster, renewingPeers } from '../../../src/live/drift/compare-cluster.ts';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import type { Finding } from '../../../src/live/drift/drift.ts';
import { promisedObjects } from '../../../src/live/drift/promised-objects.ts';
import { type KubernetesObject, objectKey } from '../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';
import { largeFleet } from './large-fleet.ts';
import { appliedObjects, runLiqo } from './simulated/run-liqo.ts';
import { type Faults, type Simulated, SimulatedCluster } from './simulated/simulated-cluster.ts';

/** The controllers of the network are not simulated, so nothing is known of what they write. */
const isOfNetwork = (key: string): boolean => /\.(networking|ipam)\.liqo\.io$/.test(key);
const KNOWN = new Set(COMPARED_KINDS.map((it) => it.key).filter((it) => !isOfNetwork(it)));

const { bundle, model } = largeFleet();
const promised = new Map([...model.clusters.keys()].map((it) => [it, promisedObjects(it, { bundle, root: 'out' })]));

/** The keys of gateways are handed over beside git. */
const gatewayKeys = (objects: readonly Simulated[]): readonly Simulated[] =>
  objects.flatMap(({ spec, metadata: { namespace = '' } }) => {
    const { name } = (spec?.['secretRef'] ?? {}) as { readonly name?: string };
    return name === undefined ? [] : [{ apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace } }];
  });

const applied = new Map(
  [...appliedObjects(bundle, model.clusters.keys())].map(([id, it]) => [id, [...it, ...gatewayKeys(it)]]),
);

/** Drift of one cluster, through a dump of all its objects. */
function driftOf(cluster: SimulatedCluster) {
  const read = readDump({ path: `${cluster.id}.json`, text: JSON.stringify(cluster.all()) });
  const [wanted, declared] = [promised.get(cluster.id), model.clusters.get(cluster.id)];
  if (!read.ok || wanted === undefined || declared === undefined) throw new Error(`${cluster.id} cannot be compared`);
  return compareCluster(
    { promised: wanted, renewing: renewingPeers(declared, model), unknownKeys: new Set() },
    {
      from: `dumps/${cluster.id}.json`,
      cluster: cluster.id,
      objects: new Map(read.value.map(({ object }) => [objectKey(object), object])),
      listed: KNOWN,
      forbidden: new Set(),
    },
  );
}

const lineOf = (it: Finding): string => {
  const name = `${it.object.kind} ${it.object.namespace ?? ''}/${it.object.name}`;
  return it.kind === 'different' ? `${name} ${it.path.join('.')}` : `${it.kind} ${name}`;
};

/** The findings of drift in the clusters of a world; those without a finding are left out. */
const findingsIn = (world: ReadonlyMap<string, SimulatedCluster>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    [...world.values()]
      .map((it) => [it.id, driftOf(it).findings.map(lineOf)] as const)
      .filter(([, lines]) => lines.length > 0),
  );

/** The findings of drift after an edit of one cluster's objects, once Liqo is at rest. */
const foundWith = (cluster: string, edit: (objects: readonly Simulated[]) => readonly Simulated[], faults?: Faults) =>
  findingsIn(runLiqo(new Map([...applied].map(([id, it]) => [id, id === cluster ? edit(it) : it])), faults));

/** Changes the object with this name. */
const changed = (kind: string, name: string, change: (it: Simulated) => object) => (objects: readonly Simulated[]) => {
  expect(objects.filter((it) => it.kind === kind && it.metadata.name === name).length).toBe(1);
  return objects.map((it) => (it.kind === kind && it.metadata.name === name ? { ...it, ...change(it) } : it));
};

describe('a fleet of 20 clusters with 31 slices, as simulated controllers leave it', () => {
  const rest = runLiqo(applied);

  it('drifts to nothing', () => {
    expect(findingsIn(rest)).toEqual({});
    for (const it of rest.values()) {
      const { compared, uncompared } = driftOf(it);
      expect(compared).toBeGreaterThan(10);
      expect(uncompared.map((one) => one.key).filter((one) => !isOfNetwork(one))).toEqual([]);
    }
    const objects = [...rest.values()].flatMap((it) => it.all());
    expect(objects.filter((it) => it.kind === 'VirtualNode').length).toBe(31);
  });

  it('where one slice is denied, is that slice at both ends, and the node that it does not become', () => {
    expect(foundWith('hub', (it) => it, { denied: ['spoke-3/spoke-3-b'] })).toEqual({
      hub: [
        'missing ClusterRoleBinding /liqo-node-spoke-3-b',
        'missing Deployment liqo-tenant-spoke-3/vk-spoke-3-b',
        'ResourceSlice liqo-tenant-spoke-3/spoke-3-b status.conditions.Resources.status',
        'ResourceSlice liqo-tenant-spoke-3/spoke-3-b status.resources',
        'missing ServiceAccount liqo-tenant-spoke-3/spoke-3-b',
        'missing VirtualNode liqo-tenant-spoke-3/spoke-3-b',
      ],
      'spoke-3': [
        'missing Quota liqo-tenant-hub/spoke-3-b-08d33503ee27',
        'ResourceSlice liqo-tenant-hub/spoke-3-b status.conditions.Resources.status',
        'ResourceSlice liqo-tenant-hub/spoke-3-b status.resources',
      ],
    });
  });

  it('where a provider has a namespace of that name, is the map that cannot be kept, at both ends', () => {
    const own = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo-hub' } };
    expect(foundWith('spoke-4', (it) => [...it, own])).toEqual({
      hub: [
        'NamespaceOffloading demo/offloading status.offloadingPhase',
        'NamespaceOffloading demo/offloading status.remoteNamespacesConditions.spoke-4.Ready.reason',
        'NamespaceOffloading demo/offloading status.remoteNamespacesConditions.spoke-4.Ready.status',
        'NamespaceMap liqo-tenant-spoke-4/spoke-4 status.currentMapping.demo.phase',
      ],
      'spoke-4': [
        'Namespace /demo-hub metadata.annotations.liqo.io/managed-by-namespace-map',
        'Namespace /demo-hub metadata.annotations.liqo.io/original-name',
        'Namespace /demo-hub metadata.labels.liqo.io/remote-cluster-id',
        'missing RoleBinding demo-hub/liqo-tenant-hub',
        'NamespaceMap liqo-tenant-hub/spoke-4 status.currentMapping.demo.phase',
      ],
    });
  });

  it('where a slice has lost the label by which it is copied, is the label, and all that waits for the copy', () => {
    const edit = changed('ResourceSlice', 'spoke-1-a', ({ metadata }) => {
      const { 'liqo.io/replication': _, ...labels } = metadata.labels ?? {};
      return { metadata: { ...metadata, labels } };
    });
    expect(foundWith('hub', edit)).toEqual({
      hub: [
        'missing ClusterRoleBinding /liqo-node-spoke-1-a',
        'missing Deployment liqo-tenant-spoke-1/vk-spoke-1-a',
        'missing Identity liqo-tenant-spoke-1/resourceslice-spoke-1-a',
        'ResourceSlice liqo-tenant-spoke-1/spoke-1-a metadata.labels.liqo.io/replication',
        'ResourceSlice liqo-tenant-spoke-1/spoke-1-a status',
        'missing Secret liqo-tenant-spoke-1/kubeconfig-resourceslice-spoke-1-a',
        'missing ServiceAccount liqo-tenant-spoke-1/spoke-1-a',
        'missing VirtualNode liqo-tenant-spoke-1/spoke-1-a',
      ],
      'spoke-1': [
        'missing Quota liqo-tenant-hub/spoke-1-a-08d33503ee27',
        'missing ResourceSlice liqo-tenant-hub/spoke-1-a',
        'missing Secret liqo-tenant-hub/liqo-remote-certificate-spoke-1-a',
      ],
    });
  });

  it('where a consumer was cordoned by hand before it was answered, is the Tenant, and a provider it does not have', () => {
    const edit = changed('Tenant', 'hub', (it) => ({ spec: { ...it.spec, tenantCondition: 'Cordoned' } }));
    const found = foundWith('spoke-2', edit);
    expect(found['spoke-2']).toEqual([
      'missing Namespace /demo-hub',
      'missing Namespace /work',
      'missing RoleBinding demo-hub/liqo-tenant-hub',
      'missing NamespaceMap liqo-tenant-hub/spoke-2',
      'missing Quota liqo-tenant-hub/spoke-2-slice-08d33503ee27',
      'ResourceSlice liqo-tenant-hub/spoke-2-slice status.conditions.Resources.status',
      'ResourceSlice liqo-tenant-hub/spoke-2-slice status.resources',
      'Tenant liqo-tenant-hub/hub spec.tenantCondition',
      'missing RoleBinding work/liqo-tenant-hub',
    ]);
    expect(Object.keys(found)).toEqual(['hub', 'spoke-2']);
    expect(found['hub']).toContain('missing VirtualNode liqo-tenant-spoke-2/spoke-2-slice');
    // The loan of the hub to the spoke continues.
    expect(found['hub']?.filter((it) => it.includes('hub-slice'))).toEqual([]);
  });

  it('where a nonce is another one than was signed, is the nonce, and a consumer that was not let in', () => {
    const edit = changed('Secret', 'liqo-nonce', () => ({ data: { nonce: 'AAAA' } }));
    const found = foundWith('spoke-5', edit);
    expect(Object.keys(found)).toEqual(['hub', 'spoke-5']);
    expect(found['spoke-5']).toEqual(
      expect.arrayContaining([
        'missing RoleBinding liqo-tenant-hub/liqo-binding-liqo-remote-controlplane',
        'Secret liqo-tenant-hub/liqo-nonce data.nonce',
        'Tenant liqo-tenant-hub/hub status',
      ]),
    );
    // The kubeconfig is there: it was made of git's answer.
    expect(found['hub']).not.toContain('missing Secret liqo-tenant-spoke-5/kubeconfig-controlplane-spoke-5');
  });

  it.each(['spoke-1', 'spoke-7'])('is one object that somebody deletes at rest, and nothing else: %s', (id) => {
    const cluster = rest.get(id);
    const wanted = promised.get(id);
    if (cluster === undefined || wanted === undefined) throw new Error(`there is no ${id}`);
    const isShared = (it: Simulated) => !/^(networking|ipam)\.liqo\.io\//.test(it.apiVersion);
    const ofSharing = cluster.all().filter((it) => wanted.has(objectKey(it as KubernetesObject)) && isShared(it));
    expect(ofSharing.length).toBeGreaterThan(10);
    for (const it of ofSharing) {
      const others = cluster.all().filter((one) => one !== it);
      const found = driftOf(new SimulatedCluster(id, others, {})).findings.map(lineOf);
      expect(found).toEqual([`missing ${it.kind} ${it.metadata.namespace ?? ''}/${it.metadata.name}`]);
    }
  });
});
