import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { LiveObject } from './kube.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { objectsOf } from './objects-of.ts';
import { program } from './programs.ts';

/** The objects that the bundle of a cluster applies, in the order of its waves, as kustomize builds it. */
export function bundleOf(fleet: LiqoFleet, cluster: string): readonly LiveObject[] {
  const folder = join(fleet.out, cluster);
  const text = execFileSync(program('kubectl'), ['kustomize', folder], { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return [...objectsOf(text)].sort((a, b) => waveOf(a) - waveOf(b));
}

function waveOf({ metadata }: LiveObject): number {
  return Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);
}
