import { join } from 'node:path';
import { startArgoCd } from './support/argo-cd.ts';
import { startFlux } from './support/flux.ts';
import type { LiqoFleet } from './support/liqo-fleet.ts';
import { liqoLoop } from './support/liqo-loop.ts';
import { ARGO_CD, FLUX, LIQO_RELEASES, type LiqoMinor, missingLiqo, missingPrograms } from './support/programs.ts';

const HUB = 'europe';

/** The default of 30 seconds would only make the tests wait. */
const FLAGS = ['--requeue-dependency=5s'];

const others = (fleet: LiqoFleet) => [...fleet.clusters.values()].filter((it) => it.name !== HUB);

for (const release of Object.keys(LIQO_RELEASES) as LiqoMinor[]) {
  liqoLoop({
    release,
    engine: 'Flux',
    missing: missingLiqo(release) ?? missingPrograms(FLUX),
    gitops: 'flux: {}',
    keysOf: (cluster) => (cluster === HUB ? '' : `gitops: { kubeConfigSecret: ${cluster}-kubeconfig }`),
    start: async (fleet) => {
      const flux = await startFlux({ plane: fleet.plane(HUB), folder: join(fleet.folder, 'flux'), flags: FLAGS });
      for (const { plane } of others(fleet)) await flux.addCluster(plane);
      await flux.bootstrapAll(fleet.out);
      return flux;
    },
  });

  liqoLoop({
    release,
    engine: 'Argo CD',
    missing: missingLiqo(release) ?? missingPrograms(ARGO_CD),
    gitops: 'argo: {}',
    keysOf: (cluster) => (cluster === HUB ? 'gitops: { name: in-cluster }' : ''),
    start: async (fleet) => {
      const argo = await startArgoCd({ plane: fleet.plane(HUB), folder: join(fleet.folder, 'argo-cd') });
      for (const { plane } of others(fleet)) await argo.addCluster(plane);
      await argo.bootstrap(fleet.out);
      return argo;
    },
  });
}
