import { requestOf, type SimulatedObject } from '../objects.ts';
import type { SimulatedCluster } from '../simulated-cluster.ts';

/** A controller: what it watches, and what it does with one request. */
export interface Controller {
  readonly name: string;
  readonly watches: Readonly<Record<string, (object: SimulatedObject, cluster: SimulatedCluster) => readonly string[]>>;
  /** `false` if something is missing that may come later. */
  readonly reconcile: (cluster: SimulatedCluster, namespace: string, name: string) => boolean;
}

/** The object itself. */
export const itself = (object: SimulatedObject): readonly string[] => [requestOf(object)];

/** Those that own an object, of some kinds. */
export const ownersOf =
  (...kinds: readonly string[]) =>
  ({ metadata: { ownerReferences = [], namespace = '' } }: SimulatedObject): readonly string[] =>
    ownerReferences.filter((it) => kinds.includes(it.kind)).map((it) => `${namespace}/${it.name}`);
