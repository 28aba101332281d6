import { join } from 'node:path';
import { startFlux } from './support/flux.ts';
import { loop } from './support/loop.ts';
import { CONTROL_PLANE, FLUX, missingPrograms } from './support/programs.ts';

const missing = missingPrograms([...CONTROL_PLANE, ...FLUX]);
const isSkipped = missing !== null;
const skipped = isSkipped ? ` (skipped ${missing})` : '';

/** The default of 30 seconds would only make the tests wait. */
const flags = ['--requeue-dependency=5s'];

loop({
  title: `one Flux for all clusters${skipped}`,
  isSkipped,
  gitops: 'flux: {}',
  keysOf: (cluster) => (cluster === 'hub' ? '' : `gitops: { kubeConfigSecret: ${cluster}-kubeconfig }`),
  start: async (fleet) => {
    const flux = await startFlux({ plane: fleet.plane('hub'), folder: join(fleet.folder, 'flux'), flags });
    for (const it of ['milan', 'rome']) await flux.addCluster(fleet.plane(it));
    await flux.bootstrapAll(fleet.out);
    return flux;
  },
});

loop({
  title: `a Flux in each cluster${skipped}`,
  isSkipped,
  gitops: 'flux: {}',
  keysOf: () => '',
  start: async (fleet) => {
    const startIn = async (name: string) => {
      const plane = fleet.plane(name);
      const flux = await startFlux({ plane, folder: join(fleet.folder, `flux-${name}`), flags });
      await flux.bootstrapOwn(fleet.out);
      return [name, flux] as const;
    };
    const all = new Map(await Promise.all(['hub', 'milan', 'rome'].map(startIn)));
    const each = async (work: (flux: Awaited<ReturnType<typeof startFlux>>, name: string) => Promise<unknown>) =>
      void (await Promise.all([...all].map(([name, flux]) => work(flux, name))));
    return {
      agents: /^(source|kustomize)-controller$/,
      addCluster: async ({ name }) => void all.set(...(await startIn(name))),
      // A Flux whose cluster is down looks at git when it is back.
      fetchNow: () => each((it) => it.fetchNow().catch(() => undefined)),
      applyAgain: () => each((it) => it.applyAgain()),
      ready: (commit, { except, seconds = 300 } = {}) =>
        each((it, name) => (except === name ? Promise.resolve() : it.ready(commit, { seconds }))),
      pause: () => each((it) => it.pause()),
      resume: (commit) => each((it) => it.resume(commit)),
      beforeReinstall: (cluster, out) =>
        each((it, name) => (name === cluster ? it.beforeReinstall(name, out) : Promise.resolve())),
      afterReinstall: (cluster, out) =>
        each((it, name) => (name === cluster ? it.afterReinstall(name, out) : Promise.resolve())),
      stop: () => each((it) => it.stop()),
    };
  },
});
