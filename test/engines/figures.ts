/*
 * The cost of a hub for Flux and Argo CD: `npm run bench:engines -- flux 50 free`. Only the hub has an API server; its spokes are
 * nothing but links in its bundle. Results are in FIGURES.md.
 */
import { join } from 'node:path';
import { startArgoCd } from './support/argo-cd.ts';
import type { Engine } from './support/engine.ts';
import { startFlux } from './support/flux.ts';
import { counted, type Write, writesIn } from './support/observe.ts';
import { PlayedFleet } from './support/played-fleet.ts';
import { pause } from './support/processes.ts';

const [tool = 'flux', size = '50', links = 'free', ...flags] = process.argv.slice(2);
const isFlux = tool === 'flux';

/** Spokes with networks of their own; ordered ones all have Liqo's default external CIDR. */
function topologyOf(repository: string, mtu: number): string {
  const spokes = Array.from({ length: Number(size) }, (_, i) => {
    const gateway = i === 1 ? `, gateway: { mtu: ${mtu} }` : '';
    return `  spoke-${String(i).padStart(3, '0')}: { podCIDR: 10.${100 + (i >> 4)}.${(i % 16) * 16}.0/20${gateway} }\n`;
  });
  const external = links === 'free' ? ', externalCIDR: auto' : '';
  return `version: 1
name: loop
hub: hub
gitops: { repository: "${repository}", flux: {}, argo: {} }
defaults: { serviceCIDR: 172.20.0.0/16, reserved: [192.168.0.0/24]${external} }
clusters:
  hub: { podCIDR: 10.32.0.0/16, gateway: 203.0.113.10, gitops: { name: in-cluster } }
${spokes.join('')}`;
}

const fleet = new PlayedFleet();

/** Time and writes until the engine is ready at what a piece of work publishes. */
async function measure(title: string, engine: Engine, work: () => Promise<string>): Promise<void> {
  const since = Date.now();
  const commit = await work();
  // The Application of the entry points waits for an ApplicationSet with clusters that Argo CD does not know.
  await engine.ready(commit, { seconds: 3_600 });
  const seconds = ((Date.now() - since) / 1_000).toFixed(1);
  const writes = writesIn(fleet.plane('hub').auditLog, { since }).filter((it) => engine.agents.test(it.agent));
  const toFleet = writes.filter((it) => /^liqo-tenant-/.test(it.namespace) || it.resource === 'namespaces');
  const keyOf = ({ verb, resource, subresource }: Write) => `${verb} ${resource} ${subresource}`.trim();
  console.log(title, { seconds, toFleet: toFleet.length, all: writes.length, ...counted(writes, keyOf) });
}

async function sizes(engine: Engine): Promise<void> {
  const { kube } = fleet.plane('hub');
  const kind = isFlux ? ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'] : ['argoproj.io/v1alpha1', 'Application'];
  const objects = await kube.list(kind[0] ?? '', kind[1] ?? '');
  const bytes = objects.map((it) => JSON.stringify(it).length).sort((a, b) => b - a);
  const since = Date.now();
  await pause(60_000);
  const atRest = writesIn(fleet.plane('hub').auditLog, { since }).filter((it) => engine.agents.test(it.agent));
  console.log({
    objects: objects.length,
    largestBytes: bytes[0],
    allBytes: bytes.reduce((a, b) => a + b, 0),
    writesAtRest: atRest.length,
  });
}

try {
  await fleet.start(['hub']);
  const plane = fleet.plane('hub');
  const { commit } = await fleet.publish(topologyOf(fleet.repository.url, 1_300));
  const options = { plane, folder: join(fleet.folder, tool), flags };
  if (isFlux) {
    const flux = await startFlux(options);
    await run(flux, () => flux.bootstrapOwn(fleet.out), commit);
  } else {
    const argoCd = await startArgoCd(options);
    await run(argoCd, () => argoCd.bootstrap(fleet.out), commit);
  }
} finally {
  await fleet.stop();
}

async function run(engine: Engine, bootstrap: () => Promise<void>, first: string): Promise<void> {
  try {
    await measure(`${tool}, ${size} ${links} links, first rollout`, engine, async () => {
      await bootstrap();
      return first;
    });
    await sizes(engine);
    await measure(`${tool}, ${size} ${links} links, one edit`, engine, async () => {
      const { commit } = await fleet.publish(topologyOf(fleet.repository.url, 1_280));
      await engine.fetchNow();
      return commit;
    });
  } finally {
    await engine.stop();
  }
}
