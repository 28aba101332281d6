import { setTimeout as sleep } from 'node:timers/promises';
import { largest } from '../../base/core/collections.ts';
import { printAddress } from '../../base/net/text.ts';
import type { Flow, Tunnel } from '../../reach/lab/lab-plan.ts';
import type {
  ClusterChange,
  GatewayChange,
  GatewayPod,
  LabStep,
  LabSteps,
  MeasuredFlow,
  MeasuredStep,
  NamespaceChange,
} from '../../reach/lab/plan-steps.ts';
import {
  startTunnelScript,
  stopForwarding,
  type TunnelKeys,
  temporaryDevice,
  transactionsScript,
} from '../../reach/lab/print-scripts.ts';
import { newKeyPair } from '../disk/secrets.ts';
import { buildLab, endTunnel, setTunnel, startAnotherTunnel } from './build-lab.ts';
import { type LabSite, runInside, SHELL } from './lab-site.ts';
import { type LabRequest, unlessAborted, withLab } from './run-lab.ts';
import { mapConcurrently } from './run-tool.ts';
import { startWatcher, type Watched, type WatchedTraffic, type Watcher } from './watch-agent.ts';

/** The time that a gateway pod needs to start. It is not in the bounds that a plan announces. */
export const POD_START_SECONDS = 2;

/** The time between a cluster and those that dial it. It is not in the bounds either. */
export const BETWEEN_CLUSTERS_SECONDS = 1;

interface StepsRun extends Omit<LabRequest, 'plan' | 'pcap' | 'keep'> {
  readonly steps: LabSteps;
  /** The names of the states after the first one. */
  readonly names: readonly string[];
}

/** Builds the first state, goes to each other one while pods send, and removes the lab in every case. */
export function runSteps({ steps, names, ...request }: StepsRun): Promise<readonly MeasuredStep[]> {
  const { start, gateways } = steps;
  return withLab({ ...request, plan: start, keep: false }, async (site) => {
    const keys = keysOfPods();
    await buildLab(site, ({ namespace }) => {
      const pod = gateways.get(namespace);
      return pod && keys(pod);
    });
    const watchers = await unlessAborted(
      site,
      mapConcurrently(start.hosts, start.hosts.length, (it) => startWatcher(site, it)),
    );
    const lab: RunningLab = { site, keys, watchers, devices: devicesOf(site, start.tunnels) };
    const measured: MeasuredStep[] = [];
    for (const [index, step] of steps.steps.entries()) {
      request.onStep(`going to ${names[index] ?? ''}`);
      measured.push(await unlessAborted(site, measureStep(lab, step)));
    }
    return measured;
  });
}

interface RunningLab {
  readonly site: LabSite;
  readonly keys: (pod: GatewayPod) => TunnelKeys;
  readonly watchers: readonly Watcher[];
  /** The name with which the tunnel in a namespace starts. */
  readonly devices: (namespace: string) => string;
}

/** Each recorded public key has a pair of the lab's own, which exists only in memory and in the tunnels. */
function keysOfPods(): RunningLab['keys'] {
  const pairs = new Map<string, ReturnType<typeof newKeyPair>>();
  const pairOf = (name: string): ReturnType<typeof newKeyPair> => {
    const pair = pairs.get(name) ?? newKeyPair();
    pairs.set(name, pair);
    return pair;
  };
  return ({ key, peerKey }) => ({ privateKey: pairOf(key).privateKey, peerPublicKey: pairOf(peerKey).publicKey });
}

function devicesOf({ run }: LabSite, tunnels: readonly Tunnel[]): RunningLab['devices'] {
  const namespaces = tunnels.map((it) => it.namespace);
  return (namespace) => {
    if (!namespaces.includes(namespace)) namespaces.push(namespace);
    return temporaryDevice(run, namespaces.indexOf(namespace));
  };
}

/** The time in which flows that work must have been answered before a step begins. */
const READY_SECONDS = 20;

/** The time without a silence after which a step is over, and the longest time to wait for it. */
const CALM_SECONDS = 3;
const STEP_SECONDS = 90;

/** A flow is silent when it has had no answer for this time. */
const SILENT_MILLISECONDS = 500;

/** The time of two further tries of a connection. Source: Linux, `tcp_syn_retries`: after 1 s, and after 2 s more. */
const RETRIES_MILLISECONDS = 4000;

const POLL_MILLISECONDS = 200;

async function measureStep(lab: RunningLab, { flows, waves }: LabStep): Promise<MeasuredStep> {
  const { watchers, site } = lab;
  const flowsOf = ({ cluster }: Watcher) =>
    flows.flatMap((flow, id) => (flow.from === cluster ? [watchedFlow(flow, id)] : []));
  await Promise.all(watchers.map((it) => it.ask([{ kind: 'watch', flows: flowsOf(it) }])));
  await untilCalm(site, watchers, READY_SECONDS);
  await reports(watchers, true);
  const applied = waves.map(async (wave, index) => {
    await sleep(index * BETWEEN_CLUSTERS_SECONDS * 1000, undefined, site);
    await Promise.all(wave.map((it) => applyCluster(lab, it)));
  });
  await Promise.all(applied);
  const isSettled = await untilCalm(site, watchers, STEP_SECONDS);
  const { traffic, lateness } = await reports(watchers, false);
  return {
    flows: traffic.flatMap((it) => {
      const flow = flows[it.id];
      return flow === undefined ? [] : [measuredFlow(flow, it)];
    }),
    latenessSeconds: lateness / 1000,
    isSettled,
  };
}

const watchedFlow = ({ source, dialled }: Flow, id: number) => ({
  id,
  source: printAddress(source),
  target: printAddress(dialled),
});

const measuredFlow = (flow: Flow, it: WatchedTraffic): MeasuredFlow => ({
  flow,
  packets: it.packets / 1000,
  connection: it.connection / 1000,
  newConnections: it.newConnections / 1000,
  waiting: it.waiting,
  isCut: it.ended > 0,
});

async function reports(watchers: readonly Watcher[], reset: boolean): Promise<Watched> {
  const all = (await Promise.all(watchers.map((it) => it.ask([{ kind: 'report', reset }])))).flat();
  return {
    traffic: all.flatMap((it) => it.traffic).sort((a, b) => a.id - b.id),
    lateness: largest(
      all.map((it) => it.lateness),
      0,
    ),
  };
}

/** Waits until every flow has been answered all the time for a while; returns false when the time is over before. */
async function untilCalm({ signal }: LabSite, watchers: readonly Watcher[], seconds: number): Promise<boolean> {
  let calm = 0;
  for (let waited = 0; waited < seconds * 1000; waited += POLL_MILLISECONDS) {
    await sleep(POLL_MILLISECONDS, undefined, { signal });
    const { traffic } = await reports(watchers, false);
    calm = traffic.every((it) => it.isUp && it.quiet < SILENT_MILLISECONDS) ? calm + POLL_MILLISECONDS : 0;
    // A connection that waits for a lost packet tries again after twice the silence; one that does not then may wait for long.
    const silence = largest(
      traffic.map((it) => it.packets),
      0,
    );
    const enough =
      CALM_SECONDS * 1000 + (traffic.some((it) => it.waiting > 0) ? silence * 2 + RETRIES_MILLISECONDS : 0);
    if (calm >= enough) return true;
  }
  return false;
}

/** Changes everything of a cluster at the same time, as its controllers do. */
async function applyCluster(lab: RunningLab, { namespaces, gateways }: ClusterChange): Promise<void> {
  await Promise.all([
    ...namespaces.map((it) => changeNamespace(lab.site, it)),
    ...gateways.map((it) => changeGateway(lab, it)),
  ]);
}

async function changeNamespace(site: LabSite, { namespace, batch, transactions }: NamespaceChange): Promise<void> {
  const { ip, nft } = site.parts;
  if (batch.length > 0) await runInside(site, namespace, [ip, '-batch', '-'], batch.join('\n'));
  if (transactions.length > 0) await runInside(site, namespace, SHELL, transactionsScript(nft, transactions));
}

async function changeGateway({ site, keys, devices }: RunningLab, change: GatewayChange): Promise<void> {
  const { kind, namespace } = change;
  const device = devices(namespace);
  if (kind === 'peer') return setTunnel(device, change.pod.tunnel, keys(change.pod));
  if (kind !== 'start') {
    await runInside(site, namespace, SHELL, stopForwarding());
    await endTunnel(site, device);
  }
  if (kind === 'stop') return;
  const { tunnel } = change.pod;
  // A new link carries nothing yet, so the start of its pods is no loss.
  if (kind === 'restart') await sleep(POD_START_SECONDS * 1000, undefined, site);
  await startAnotherTunnel(site, tunnel, device);
  await runInside(site, namespace, SHELL, startTunnelScript(change.pod, device));
  await setTunnel(device, tunnel, keys(change.pod));
}
