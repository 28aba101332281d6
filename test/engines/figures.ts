/*
 * The cost of a hub for Flux and Argo CD, and of all clusters for one engine in the hub. Results are in FIGURES.md.
 *
 *     npm run bench:engines -- flux 50 ordered hub --flag=--requeue-dependency=5s
 *     npm run bench:engines -- argo 300 free all --shards 2
 */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startArgoCd } from './support/argo-cd.ts';
import type { MeasuredEngine } from './support/engine.ts';
import { startFlux } from './support/flux.ts';
import { counted, type Write, writesIn, writesOf } from './support/observe.ts';
import { PlayedFleet } from './support/played-fleet.ts';
import { pause } from './support/processes.ts';
import { type SharedServer, spokeName, startSharedServer } from './support/shared-server.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    /** Controllers that divide the clusters. */
    shards: { type: 'string', default: '1' },
    /** The longest that the rollout and the edit may take; after it, what was done is printed. */
    seconds: { type: 'string', default: '900' },
    /** More flags of the controller that applies. */
    flag: { type: 'string', multiple: true, default: [] },
  },
});
const [tool = 'flux', size = '50', links = 'free', scope = 'hub'] = positionals;
const isFlux = tool === 'flux';
const spokes = Array.from({ length: Number(size) }, (_, i) => i);
const shards = Array.from({ length: Number(values.shards) }, (_, i) => `shard${i + 1}`);
const others = shards.slice(1);
const seconds = Number(values.seconds);
// The Application of the entry points waits for an ApplicationSet with clusters that Argo CD does not know.
const awaited = scope === 'hub' ? { only: 'hub', seconds } : { seconds };

/** Spokes with networks of their own; ordered ones all have Liqo's default external CIDR. */
function topologyOf(repository: string, mtu: number): string {
  const clusters = spokes.map((i) => {
    const gateway = i === 1 ? `, gateway: { mtu: ${mtu} }` : '';
    const gitops = scope === 'all' && isFlux ? `, gitops: { kubeConfigSecret: ${spokeName(i)}-kubeconfig }` : '';
    return `  ${spokeName(i)}: { podCIDR: 10.${100 + (i >> 4)}.${(i % 16) * 16}.0/20${gateway}${gitops} }\n`;
  });
  // Two clusters cannot share an API server when both have the namespace of their hub.
  const peerings = spokes.map(
    (i) => `  - between: [hub, ${spokeName(i)}]
    names: { ${spokeName(i)}: { namespace: liqo-tenant-hub-of-${spokeName(i)} } }\n`,
  );
  const external = links === 'free' ? ', externalCIDR: auto' : '';
  return `version: 1
name: loop
hub: hub
gitops: { repository: "${repository}", flux: {}, argo: {} }
defaults: { serviceCIDR: 172.20.0.0/16, reserved: [192.168.0.0/24]${external} }
clusters:
  hub: { podCIDR: 10.32.0.0/16, gateway: 203.0.113.10, gitops: { name: in-cluster } }
${clusters.join('')}${scope === 'all' ? `peerings:\n${peerings.join('')}` : ''}`;
}

const fleet = new PlayedFleet();
let shared: SharedServer | undefined;
const planes = () => spokes.flatMap((it) => shared?.as(it) ?? []);

/** Time and writes until the engine is ready at a commit, of which it learns now. */
async function measure(
  title: string,
  { engine, commit, tell }: { engine: MeasuredEngine; commit: string; tell: () => Promise<unknown> },
): Promise<void> {
  const [since, before] = [Date.now(), engine.usage()];
  await tell();
  const problem = await engine.ready(commit, awaited).then(
    () => '',
    (error: unknown) => String(error).slice(0, 400),
  );
  const ready = Math.round((Date.now() - since) / 100) / 10;
  const logs = [fleet.plane('hub').auditLog, ...(shared === undefined ? [] : [shared.plane.auditLog])];
  const writes = logs.flatMap((it) => writesIn(it, { since })).filter((it) => engine.agents.test(it.agent));
  const toFleet = writes.filter((it) => /^liqo-tenant-/.test(it.namespace) || it.resource === 'namespaces');
  const keyOf = ({ verb, resource, subresource }: Write) => `${verb} ${resource} ${subresource}`.trim();
  const cpu = Object.entries(engine.usage()).map(([name, { cpuSeconds, peakMegabytes }]) => [
    name,
    `${(cpuSeconds - (before[name]?.cpuSeconds ?? 0)).toFixed(1)} s, ${peakMegabytes} MB`,
  ]);
  const each = writes
    .filter((it) => it.resource === 'configurations' && it.subresource === '')
    .map((it) => (it.at - since) / 1_000);
  console.log(title, problem, {
    seconds: ready,
    load: loadavg()[0],
    toFleet: toFleet.length,
    all: writes.length,
    ...Object.fromEntries(cpu),
    configurations: each.length,
    // The pace of a chain.
    configurationsAt: [0, 0.25, 0.5, 0.75, 1].map((it) => each[Math.round(it * (each.length - 1))]),
    ...counted(writes, keyOf),
  });
}

/** The patch of `docs/large-fleets.md`; the spokes of a shard are those with some of the last digits. */
function patchForShards(): string {
  const patches = others.map((key, i) => {
    const digits = [...'0123456789'].filter((it) => Number(it) % shards.length === i + 1).join('');
    const labels = { 'sharding.fluxcd.io/key': key };
    const operations = [
      { op: 'add', path: '/metadata/labels', value: labels },
      { op: 'add', path: '/spec/commonMetadata', value: { labels } },
    ];
    return {
      target: { kind: 'Kustomization', name: `weft-loop\\.spoke-.*[${digits}]\\..*` },
      patch: JSON.stringify(operations),
    };
  });
  return JSON.stringify({ spec: { patches } });
}

async function sizes(engine: MeasuredEngine): Promise<void> {
  const { kube } = fleet.plane('hub');
  const kind = isFlux ? ['kustomize.toolkit.fluxcd.io/v1', 'Kustomization'] : ['argoproj.io/v1alpha1', 'Application'];
  const objects = await kube.list(kind[0] ?? '', kind[1] ?? '');
  const bytes = objects.map((it) => JSON.stringify(it).length).sort((a, b) => b - a);
  const since = Date.now();
  await pause(60_000);
  const atRest = writesOf(engine.agents, [fleet.plane('hub')], since);
  console.log({
    objects: objects.length,
    largestBytes: bytes[0],
    allBytes: bytes.reduce((a, b) => a + b, 0),
    writesAtRest: atRest.objects.length,
    eventsAtRest: atRest.events.length,
  });
}

async function run(engine: MeasuredEngine, bootstrap: () => Promise<void>, commit: string): Promise<void> {
  const title = `${tool}, ${size} ${links} links, ${scope}, ${values.shards} shards ${values.flag.join(' ')}`;
  try {
    await measure(`${title}, first rollout`, { engine, commit, tell: bootstrap });
    await sizes(engine);
    const edit = await fleet.publish(topologyOf(fleet.repository.url, 1_280));
    await measure(`${title}, one edit`, { engine, commit: edit.commit, tell: () => engine.fetchNow() });
  } finally {
    await engine.stop();
  }
}

try {
  await fleet.start(['hub']);
  if (scope === 'all') shared = await startSharedServer(fleet);
  const plane = fleet.plane('hub');
  const { commit } = await fleet.publish(topologyOf(fleet.repository.url, 1_300));
  const options = { plane, folder: join(fleet.folder, tool), flags: values.flag };
  if (isFlux) {
    const flux = await startFlux({ ...options, shards: others });
    for (const it of planes()) await flux.addCluster(it);
    const bootstrap = async () => {
      if (shared === undefined) return flux.bootstrapOwn(fleet.out);
      await flux.bootstrapAll(fleet.out);
      if (others.length > 0) await flux.shard(fleet.out, patchForShards());
    };
    await run(flux, bootstrap, commit);
  } else {
    const argoCd = await startArgoCd({ ...options, replicas: shards.length });
    for (const it of planes())
      await argoCd.addCluster(it, { namespaces: `liqo-tenant-hub-of-${it.name}`, clusterResources: 'true' });
    await run(argoCd, () => argoCd.bootstrap(fleet.out), commit);
  }
} finally {
  shared?.stop();
  await fleet.stop();
}
