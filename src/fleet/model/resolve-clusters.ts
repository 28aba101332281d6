import { by } from '../../base/core/order.ts';
import type { Declaration } from '../topology/declaration.ts';
import { hubsOf } from '../topology/hubs-of.ts';
import type { Cluster } from './network-model.ts';

/** The clusters by name, in order of name, each with the hubs that it is a spoke of. */
export function resolveClusters(declaration: Declaration): ReadonlyMap<string, Cluster> {
  const declared = [...declaration.clusters].sort(by((it) => it.name));
  const hubs = hubsOf(declared, declaration.hubs);
  return new Map(declared.map((it) => [it.name, { ...it, hubs: hubs(it) }]));
}
