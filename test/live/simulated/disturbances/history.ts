import { chartObjects } from '../chart/chart-objects.ts';
import { keyOfObject, REMOTE, type ReleaseLine, type SimulatedObject } from '../objects.ts';
import { asApplied, type Disturbance, endOf } from './disturbance.ts';

/** The history of a cluster. */

/** The Configuration of a peer is deleted and made again, so its views are asked for again. */
export const deleteAndRecreate: Disturbance = (fleet, target) => {
  const { cluster, server, configuration } = endOf(fleet, target);
  server.remove(configuration);
  cluster.rest();
  cluster.apply(asApplied(configuration));
  cluster.rest();
  return [keyOfObject(configuration)];
};

/** The controllers and the IPAM begin again. Nothing moves. */
export const restart: Disturbance = (fleet, target) => {
  endOf(fleet, target).cluster.restart();
  return [];
};

const APPLIED = ['Configuration', 'GatewayClient', 'GatewayServer', 'PublicKey', 'Secret'];

/** Everything of a peer in a namespace of another name. */
export const renameNamespace: Disturbance = (fleet, target) => {
  const { cluster, server, namespace, peer } = endOf(fleet, target);
  const renamed = `peering-with-${peer}`;
  const before = APPLIED.flatMap((kind) => server.list(kind)).filter((it) => it.metadata.namespace === namespace);
  const old = server.get('Namespace', namespace);
  if (old === undefined) throw new Error(`there is no namespace ${namespace}`);
  server.remove(old);
  cluster.rest();
  cluster.apply({ ...asApplied(old), metadata: { ...asApplied(old).metadata, name: renamed } });
  for (const it of before) {
    const { metadata, ...rest } = asApplied(it);
    cluster.apply({ ...rest, metadata: { ...metadata, namespace: renamed } });
  }
  cluster.rest();
  const after = APPLIED.flatMap((kind) => server.list(kind)).filter((it) => it.metadata.namespace === renamed);
  return ['Namespace', ...new Set([...before, ...after].map((it) => it.kind))].flatMap((kind) =>
    [...before, ...after, old].filter((it) => it.kind === kind).map(keyOfObject),
  );
};

const NEXT: Readonly<Record<ReleaseLine, ReleaseLine>> = { '1.0': '1.1', '1.1': '1.2', '1.2': '1.2' };

/**
 * The chart of the next release, of which only the controllers and the templates arrived: the own Networks are those of
 * before. From 1.1 to 1.2 every view is asked for again under its new name.
 */
export const upgradeHalf: Disturbance = (fleet, target) => {
  const { cluster } = endOf(fleet, target);
  const release = NEXT[cluster.release];
  if (release === cluster.release) throw new Error(`${cluster.id} has the latest release`);
  cluster.release = release;
  const arrived = chartObjects({ ...cluster, release, values: cluster.values, namespace: cluster.namespace }).filter(
    (it) => it.kind === 'Deployment' || it.kind.endsWith('Template'),
  );
  for (const it of arrived) cluster.apply(it);
  cluster.restart();
  return arrived.map((it: SimulatedObject) => keyOfObject(it));
};

/** All that a cluster has for a peer, as if it had never been. */
export const removePeer: Disturbance = (fleet, target) => {
  const { cluster, server, namespace, peer } = endOf(fleet, target);
  const gone = APPLIED.flatMap((kind) => server.list(kind, { [REMOTE]: peer }));
  const old = server.get('Namespace', namespace);
  if (old !== undefined) server.remove(old);
  cluster.rest();
  return [...gone.map(keyOfObject), `Namespace /${namespace}`];
};
