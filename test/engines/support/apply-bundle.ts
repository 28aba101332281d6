import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { LiveObject } from './kube.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { objectsOf } from './objects-of.ts';
import { until } from './processes.ts';
import { program } from './programs.ts';

/** The objects that the bundle of a cluster applies, in the order of its waves, as kustomize builds it. */
export function bundleOf(fleet: LiqoFleet, cluster: string): readonly LiveObject[] {
  const folder = join(fleet.out, cluster);
  const text = execFileSync(program('kubectl'), ['kustomize', folder], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return [...objectsOf(text)].sort((a, b) => waveOf(a) - waveOf(b));
}

/** Applies the bundle of a cluster as a careful person would: wave by wave, each Configuration answered before the next. */
export async function applyBundle(fleet: LiqoFleet, cluster: string): Promise<number> {
  const { kube } = fleet.cluster(cluster).plane;
  const objects = bundleOf(fleet, cluster);
  for (const object of objects) {
    await kube.apply(object);
    if (object.kind !== 'Configuration') continue;
    const { name, namespace = '' } = object.metadata;
    await until(`${cluster} answers Configuration ${namespace}/${name}`, async () => {
      const found = await kube.get(object.apiVersion, object.kind, name, namespace);
      return found?.['status']?.remote?.cidr?.pod?.length > 0;
    });
  }
  return objects.length;
}

function waveOf({ metadata }: LiveObject): number {
  return Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
}
