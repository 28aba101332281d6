import type { ApiServer } from '../api-server.ts';
import { keyOfObject, REMOTE, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

export type RunningFleet = ReadonlyMap<string, SimulatedCluster>;

/** One end of a link. */
export interface Target {
  readonly cluster: string;
  readonly peer: string;
}

/**
 * Something that git does not know of, done to a running fleet. It returns the keys of the objects that it is about, in the
 * cluster of its target; what controllers make of it follows.
 */
export type Disturbance = (fleet: RunningFleet, target: Target) => readonly string[];

/** A manual change at one end of a link. */
export interface End {
  readonly cluster: SimulatedCluster;
  readonly server: ApiServer;
  readonly peer: string;
  readonly namespace: string;
  readonly configuration: SimulatedObject;
  readonly gateway: SimulatedObject;
}

export function endOf(fleet: RunningFleet, { cluster: name, peer }: Target): End {
  const cluster = fleet.get(name);
  if (cluster === undefined) throw new Error(`there is no cluster ${name}`);
  const { server } = cluster;
  const of = (...kinds: readonly string[]): SimulatedObject => {
    const [found] = kinds.flatMap((kind) => server.list(kind, { [REMOTE]: peer }));
    if (found === undefined) throw new Error(`${name} has no ${kinds[0]} for ${peer}`);
    return found;
  };
  const configuration = of('Configuration');
  const namespace = configuration.metadata.namespace ?? '';
  return { cluster, server, peer, namespace, configuration, gateway: of('GatewayServer', 'GatewayClient') };
}

/** An edit of one object, as a person makes it with kubectl. */
export function edit(
  { cluster, server }: End,
  object: SimulatedObject,
  change: (draft: SimulatedObject) => void,
): readonly string[] {
  const changed = server.update(object, change);
  if (changed === object) throw new Error(`${keyOfObject(object)} is as it was`);
  cluster.rest();
  return [keyOfObject(object)];
}

export function removed({ cluster, server }: End, object: SimulatedObject): readonly string[] {
  server.remove(object);
  cluster.rest();
  return [keyOfObject(object)];
}

/** An object as it was applied: without what an API server and controllers add. */
export function asApplied({ status: _, metadata, ...rest }: SimulatedObject): SimulatedObject {
  const { name, namespace, labels = {}, annotations } = metadata;
  const { 'configuration.liqo.io/configured': __, ...own } = labels;
  const spec = rest.kind === 'Configuration' ? { remote: rest.spec?.['remote'] } : rest.spec;
  return {
    ...rest,
    metadata: { name, labels: own, ...(namespace ? { namespace } : {}), ...(annotations ? { annotations } : {}) },
    ...(spec ? { spec } : {}),
  };
}
