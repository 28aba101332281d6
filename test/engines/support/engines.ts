import { join } from 'node:path';
import { startArgoCd } from './argo-cd.ts';
import type { Engine } from './engine.ts';
import { startFlux } from './flux.ts';
import type { LiqoFleet } from './liqo-fleet.ts';
import { ARGO_CD, FLUX, missingPrograms } from './programs.ts';

/** A GitOps tool that runs in one cluster of a fleet and serves all of them. */
export interface FleetEngine {
  readonly name: string;
  /** The programs that it lacks; null: none. */
  readonly missing: string | null;
  /** The value of `gitops` but for the repository. */
  readonly gitops: string;
  /** Keys that a cluster needs for it: `gitops: { ... }`. */
  readonly keysOf: (cluster: string, home: string) => string;
  /** Starts it in `home`, with access to all other clusters, and applies the entry points. */
  readonly start: (fleet: LiqoFleet, home: string) => Promise<Engine>;
}

/** The default of 30 seconds would only make the tests wait. */
const FLAGS = ['--requeue-dependency=5s'];

export const ENGINES: readonly FleetEngine[] = [
  {
    name: 'Flux',
    missing: missingPrograms(FLUX),
    gitops: 'flux: {}',
    keysOf: (cluster, home) => (cluster === home ? '' : `gitops: { kubeConfigSecret: ${cluster}-kubeconfig }`),
    start: async (fleet, home) => {
      const flux = await startFlux({ plane: fleet.plane(home), folder: join(fleet.folder, 'flux'), flags: FLAGS });
      for (const it of othersOf(fleet, home)) await flux.addCluster(it);
      await flux.bootstrapAll(fleet.out);
      return flux;
    },
  },
  {
    name: 'Argo CD',
    missing: missingPrograms([...ARGO_CD, 'kustomize']),
    gitops: 'argo: {}',
    keysOf: (cluster, home) => (cluster === home ? 'gitops: { name: in-cluster }' : ''),
    start: async (fleet, home) => {
      const argoCd = await startArgoCd({ plane: fleet.plane(home), folder: join(fleet.folder, 'argo-cd') });
      for (const it of othersOf(fleet, home)) await argoCd.addCluster(it);
      await argoCd.bootstrap(fleet.out);
      return argoCd;
    },
  },
];

function othersOf(fleet: LiqoFleet, home: string) {
  return [...fleet.clusters.values()].filter((it) => it.name !== home).map((it) => it.plane);
}

/** With names as tests print them: `$name` would be in quotes, and `-t 'with Flux'` match nothing. */
export const NAMED_ENGINES = ENGINES.map((it) => [it.name, it] as const);
