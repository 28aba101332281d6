import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { differences } from '../../live/dumps/differences.ts';
import { bundleOf } from './bundle-of.ts';
import type { LiveObject } from './kube.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { objectsOf } from './objects-of.ts';

export interface Comparison {
  /** Objects of bundles, and those that Liqo is expected to answer with. */
  readonly compared: number;
  /** Each as `cluster kind namespace/name path: expected ..., live ...`. */
  readonly different: readonly string[];
}

/** Every field that a bundle applies, and every field that `expected/` promises, against the clusters as they are. */
export async function compareFleet(fleet: LiqoFleet): Promise<Comparison> {
  const all = await Promise.all([...fleet.clusters.keys()].map((it) => compareCluster(fleet, it)));
  return {
    compared: all.reduce((sum, it) => sum + it.compared, 0),
    different: all.flatMap((it) => it.different),
  };
}

async function compareCluster(fleet: LiqoFleet, cluster: string): Promise<Comparison> {
  const wanted = [...bundleOf(fleet, cluster), ...expectedOf(fleet, cluster)];
  const found = await Promise.all(wanted.map((it) => differencesOf(fleet, cluster, it)));
  return { compared: wanted.length, different: found.flat() };
}

function expectedOf(fleet: LiqoFleet, cluster: string): readonly LiveObject[] {
  const folder = join(fleet.out, cluster, 'expected');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .flatMap((it) => objectsOf(readFileSync(join(folder, it), 'utf8')));
}

async function differencesOf(fleet: LiqoFleet, cluster: string, wanted: LiveObject): Promise<readonly string[]> {
  const { apiVersion, kind, metadata } = wanted;
  const where = `${cluster} ${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
  const live = await fleet.cluster(cluster).plane.kube.get(apiVersion, kind, metadata.name, metadata.namespace);
  if (live === null) return [`${where}: missing`];
  const comparing = { open: [where], sets: [`${where}.spec.local.cidr.pod`] };
  return differences(where, wanted, withWantedConditions(wanted, live), comparing);
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Conditions are a set: others beside the expected ones are right, and Liqo writes some of them twice. */
function withWantedConditions(wanted: unknown, live: unknown, key = ''): unknown {
  if (Array.isArray(wanted) && Array.isArray(live) && key === 'conditions')
    return (wanted as readonly Condition[]).map((it) => {
      const found = (live as readonly Condition[]).find(({ type, status }) => type === it.type && status === it.status);
      return found === undefined ? null : { type: found.type, status: found.status };
    });
  if (!isMap(wanted) || !isMap(live)) return live;
  return Object.fromEntries(
    Object.entries(live).map(([name, it]) => [name, withWantedConditions(wanted[name], it, name)]),
  );
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
