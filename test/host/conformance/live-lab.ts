import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { moveHost } from '../../../src/base/net/prefix.ts';
import { printAddress, readAddress } from '../../../src/base/net/text.ts';
import {
  PROBER_LABELS,
  PROBER_NAME,
  PROBER_NAMESPACE,
  PROBER_TCP_PORT,
  PROBER_UDP_PORT,
} from '../../../src/bundle/conformance/prober-names.ts';
import type { Compiled } from '../../../src/compile.ts';
import { buildLab, linksWithoutHandshake, pairsOfRun } from '../../../src/host/lab-host/build-lab.ts';
import { findParts, thisMachine } from '../../../src/host/lab-host/lab-site.ts';
import { withLab } from '../../../src/host/lab-host/run-lab.ts';
import type { LabPlan, Tunnel } from '../../../src/reach/lab/lab-plan.ts';
import { ipMappings, labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { namespaceIn, temporaryDevice } from '../../../src/reach/lab/print-scripts.ts';
import { type LiveItem, objectsAtRest } from '../../support/objects-at-rest.ts';
import { memoryHost } from '../cli/memory-host.ts';
import { recordedKubectl } from '../kubectl/recorded-kubectl.ts';
import { aroundLab } from '../lab-host/lab-support.ts';

/** A fleet that runs in a lab, with a prober in each cluster and a kubectl whose contexts have the names of the clusters. */
export interface LiveLab {
  readonly clusters: readonly string[];
  /** The environment of a kubectl that shows the lab as it is now. */
  readonly kubectl: (edit?: EditObjects) => Readonly<Record<string, string>>;
  /** Runs a command in the namespace of the gateway of one cluster towards another. */
  readonly inGateway: (cluster: string, peer: string, ...command: readonly string[]) => string;
  /** Replaces the key that a gateway knows of its peer. */
  readonly exchangeKey: (cluster: string, peer: string) => Promise<void>;
  readonly end: () => Promise<void>;
}

type EditObjects = (items: readonly LiveItem[], cluster: string) => readonly LiveItem[];

const parts = () => findParts(thisMachine(memoryHost('/').host.env['PATH']), { pcap: false });

const SERVER = new URL('./prober-server.mjs', import.meta.url).pathname;

export async function startLiveLab(compiled: Compiled): Promise<LiveLab> {
  const scope = labScope(compiled.model, []);
  const plan: LabPlan = { ...planLab(scope), probes: [] };
  const { ip } = parts();
  const { run, remove } = await builtLab(plan);
  const inside = (namespace: string, command: readonly string[], input = ''): string =>
    execFileSync(ip, ['netns', 'exec', namespaceIn(run, namespace), ...command], { input, stdio: 'pipe' }).toString();
  const servers: ChildProcess[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'weft-live-lab-'));
  const end = async (): Promise<void> => {
    for (const it of servers) it.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    await remove();
  };
  const pods = new Map(plan.hosts.map(({ cluster, pods: [address = 0] }) => [cluster, printAddress(address)]));
  const services = reflectedServices(compiled, pods);
  try {
    await Promise.all(
      plan.hosts.map(async ({ cluster, namespace }) => {
        sendFrom(pods.get(cluster) ?? '', (...command) => inside(namespace, command));
        for (const it of services.filter((one) => one.provider === cluster))
          serve(it, pods.get(cluster) ?? '', (command, input) => inside(namespace, command, input));
        const ports = [PROBER_TCP_PORT, PROBER_UDP_PORT].map(String);
        const args = [
          'netns',
          'exec',
          namespaceIn(run, namespace),
          process.execPath,
          SERVER,
          podName(cluster),
          ...ports,
        ];
        servers.push(await started(spawn(ip, args, { stdio: ['ignore', 'pipe', 'inherit'] })));
      }),
    );
  } catch (error) {
    await end();
    throw error;
  }
  const tunnels = new Map(plan.tunnels.map((it, index) => [it.namespace, { it, socket: temporaryDevice(run, index) }]));
  const tunnelOf = (cluster: string, peer: string) => {
    const found = tunnels.get(`${cluster}.to.${peer}`);
    if (found === undefined) throw new Error(`no tunnel from ${cluster} to ${peer}`);
    return found;
  };
  const exchanged = new Map<string, string>();
  const setPeer = async (namespace: string, remove: string, add: string): Promise<void> => {
    const { it, socket } = tunnels.get(namespace) ?? {};
    if (it === undefined || socket === undefined) throw new Error(namespace);
    await request(
      socket,
      `set=1\npublic_key=${remove}\nremove=true\npublic_key=${add}\nallowed_ip=0.0.0.0/0\n${dialOf(it)}\n`,
    );
  };
  return {
    clusters: plan.hosts.map((it) => it.cluster),
    kubectl: (edit = (items) => items) => {
      const isUp = pingTunnels(plan.tunnels, inside);
      const state: LabState = {
        isUp: (cluster, peer) => isUp.has(`${cluster}.to.${peer}`),
        mtu: (cluster, peer) => Number(inside(`${cluster}.to.${peer}`, ['cat', '/sys/class/net/liqo-tunnel/mtu'])),
        key: (cluster, peer) => exchanged.get(`${cluster}.to.${peer}`),
      };
      const mappings = ipMappings(scope);
      const clusters = Object.fromEntries(
        [...pods].map(([cluster, address]) => {
          const own = [...compiled.bundle].flatMap(([path, text]) =>
            path.startsWith(`${cluster}/`) ? [[path.slice(cluster.length + 1), text] as const] : [],
          );
          const live = objectsAtRest(own).map((it) => asInLab(it, cluster, state));
          const secrets = live.flatMap(secretOf);
          const reflected = services.filter((it) => it.provider === cluster).flatMap(objectsOfService);
          const ips = mappings.filter((it) => it.hub === cluster).map(ipOf);
          return [
            cluster,
            edit(
              [...live, ...secrets, clusterId(cluster), ...proberOf(cluster, address), ...reflected, ...ips],
              cluster,
            ),
          ];
        }),
      );
      const { PATH: path = '' } = recordedKubectl(clusters);
      const namespaces = new Map(plan.hosts.map((it) => [it.cluster, namespaceIn(run, it.namespace)]));
      return { PATH: `${kubectlIn(folder, ip, namespaces)}${delimiter}${path}` };
    },
    inGateway: (cluster, peer, ...command) => inside(`${cluster}.to.${peer}`, command),
    exchangeKey: async (cluster, peer) => {
      const { it, socket } = tunnelOf(cluster, peer);
      const [, before = ''] = /^public_key=(\w+)$/m.exec(await request(socket, 'get=1\n\n')) ?? [];
      const after = '5'.repeat(64);
      await setPeer(it.namespace, before, after);
      exchanged.set(it.namespace, Buffer.from(after, 'hex').toString('base64'));
    },
    end,
  };
}

/** A lab of this process, which stays until it is removed. */
async function builtLab(plan: LabPlan): Promise<{ readonly run: string; readonly remove: () => Promise<void> }> {
  let end = (): void => {};
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  let lab = Promise.resolve();
  const run = await new Promise<string>((resolve, reject) => {
    lab = withLab({ ...aroundLab(), plan, keep: false }, async (site) => {
      await buildLab(site, pairsOfRun(plan.tunnels));
      const silent = await linksWithoutHandshake(site);
      if (silent.length > 0) throw new Error(`no handshake of ${silent.join()}`);
      resolve(site.run);
      await isOver;
    });
    lab.catch(reject);
  });
  const remove = (): Promise<void> => {
    end();
    return lab;
  };
  return { run, remove };
}

const podName = (cluster: string): string => `prober-${cluster}-5d8c7`;

/** A pod sends from its own address; a lab has all addresses of a node in one namespace. */
function sendFrom(pod: string, run: (...command: readonly string[]) => string): void {
  const routes = run('ip', 'route', 'show')
    .split('\n')
    .filter((it) => it.includes('liqo.gw'));
  for (const it of routes) run('ip', 'route', 'replace', ...it.trim().split(/\s+/), 'src', pod);
}

const started = (child: ChildProcess): Promise<ChildProcess> =>
  new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the prober ended with ${code}`)));
    child.stdout?.once('data', () => resolve(child));
  });

const dialOf = ({ end }: Tunnel): string =>
  end.kind === 'server'
    ? ''
    : `endpoint=${printAddress(end.dial.address)}:${end.dial.port}\npersistent_keepalive_interval=25\n`;

function request(device: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(`/var/run/wireguard/${device}.sock`);
    let answer = '';
    socket.on('error', reject);
    socket.on('connect', () => socket.write(text));
    socket.on('data', (part: Buffer) => {
      answer += part.toString();
      if (!answer.endsWith('\n\n')) return;
      socket.end();
      if (answer.includes('errno=0\n')) resolve(answer);
      else reject(new Error(answer));
    });
  });
}

/** The tunnels of which the other end answers, as Liqo's gateways find out. */
function pingTunnels(
  tunnels: readonly Tunnel[],
  inside: (namespace: string, command: readonly string[]) => string,
): ReadonlySet<string> {
  const [ping = '', ...first] = parts().ping;
  return new Set(
    tunnels.flatMap(({ namespace, address }) => {
      const far = tunnels.find((it) => it.address !== address)?.address ?? 0;
      try {
        inside(namespace, [ping, ...first, '-c', '1', '-W', '1', printAddress(far)]);
        return [namespace];
      } catch {
        return [];
      }
    }),
  );
}

/** The present settings of the gateways of the lab. */
interface LabState {
  readonly isUp: (cluster: string, peer: string) => boolean;
  readonly mtu: (cluster: string, peer: string) => number;
  /** Another key of the peer than the compiled one, in base64. */
  readonly key: (cluster: string, peer: string) => string | undefined;
}

/** An object as compiled, with what the gateways of the lab have now. */
function asInLab(it: LiveItem, cluster: string, { isUp, mtu, key }: LabState): LiveItem {
  const peer = it.metadata.labels?.['liqo.io/remote-cluster-id'];
  if (peer === undefined) return it;
  if (it.kind === 'Connection')
    return { ...it, status: { ...(it['status'] as object), value: isUp(cluster, peer) ? 'Connected' : 'Error' } };
  if (/^Gateway(Server|Client)$/.test(it.kind)) return { ...it, spec: { ...it.spec, mtu: mtu(cluster, peer) } };
  const other = key(cluster, peer);
  if (it.kind === 'PublicKey' && other !== undefined) return { ...it, spec: { ...it.spec, publicKey: other } };
  return it;
}

/** The private key of a gateway, as its name alone. */
function secretOf({ kind, metadata: { namespace = '', labels = {} }, spec }: LiveItem): readonly LiveItem[] {
  if (!/^Gateway(Server|Client)$/.test(kind)) return [];
  const { secretRef } = spec as { readonly secretRef?: { readonly name?: string } };
  return [{ apiVersion: 'v1', kind: 'Secret', metadata: { name: secretRef?.name ?? 'gw-keys', namespace, labels } }];
}

const clusterId = (id: string): LiveItem => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
  data: { CLUSTER_ID: id },
});

function proberOf(cluster: string, address: string): readonly LiveItem[] {
  return [
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: podName(cluster), namespace: PROBER_NAMESPACE, labels: PROBER_LABELS },
      spec: { nodeName: `${cluster}-worker` },
      status: { podIP: address, phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    },
  ];
}

/** A Service of a prober in a provider, as Liqo reflects it: its address, and its only endpoint. */
interface ReflectedService {
  readonly provider: string;
  readonly namespace: string;
  readonly address: string;
  readonly endpoint: string;
}

function reflectedServices({ model }: Compiled, pods: ReadonlyMap<string, string>): readonly ReflectedService[] {
  return model.offloadings
    .filter((it) => it.namespace === PROBER_NAMESPACE)
    .flatMap(({ cluster, providers, remoteName }, index) =>
      providers.map((provider) => {
        const view = provider.peers.get(cluster.name)?.podViews[0];
        const pod = readAddress(pods.get(cluster.name) ?? '');
        if (view === undefined || pod === undefined) throw new Error(`no view of ${cluster.name}`);
        return {
          provider: provider.name,
          namespace: remoteName,
          address: printAddress(provider.serviceCIDR.value.base + 200 + index),
          endpoint: printAddress(moveHost(pod, view.seenAs)),
        };
      }),
    );
}

/** The objects of such a Service. */
function objectsOfService({ namespace, address, endpoint }: ReflectedService): readonly LiveItem[] {
  const labels = { 'kubernetes.io/service-name': PROBER_NAME };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: PROBER_NAME, namespace }, spec: { clusterIP: address } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `${PROBER_NAME}-x7k2p`, namespace, labels },
      endpoints: [{ addresses: [endpoint] }],
    },
  ];
}

/** Forwards what a pod sends to the Service, as kube-proxy does. */
function serve(
  { address, endpoint }: ReflectedService,
  pod: string,
  run: (command: readonly string[], input?: string) => string,
) {
  const device = /dev (liqo\.gw\d+)/.exec(run(['ip', 'route', 'get', endpoint]))?.[1] ?? 'lo';
  run(['ip', 'route', 'add', `${address}/32`, 'dev', device, 'scope', 'link', 'src', pod]);
  const chain = 'type nat hook output priority -100; policy accept;';
  run(
    ['nft', '-f', '-'],
    `table ip kube-proxy {\n chain output {\n ${chain}\n ip daddr ${address} dnat to ${endpoint}\n }\n}\n`,
  );
}

const ipOf = ({ leaf, pod, real, mapped }: ReturnType<typeof ipMappings>[number]): LiveItem => ({
  apiVersion: 'ipam.liqo.io/v1alpha1',
  kind: 'IP',
  metadata: { name: `${leaf}-${pod}`, namespace: 'demo' },
  spec: { ip: printAddress(real) },
  status: { ip: printAddress(mapped), cidr: '10.70.0.0/16' },
});

/** A kubectl that runs scripts in the namespaces of pods, and leaves everything else to the next one of the path. */
function kubectlIn(folder: string, ip: string, namespaces: ReadonlyMap<string, string>): string {
  const cases = [...namespaces].map(([cluster, namespace]) => `  *--context=${cluster}\\ *) namespace=${namespace} ;;`);
  const path = join(folder, 'kubectl');
  writeFileSync(
    path,
    `#!/bin/sh
if [ "$1" != exec ]; then PATH="\${PATH#*:}" exec kubectl "$@"; fi
case "$* " in
${cases.join('\n')}
esac
while [ "$1" != -- ]; do shift; done
shift
exec ${ip} netns exec "$namespace" "$@"
`,
  );
  chmodSync(path, 0o755);
  return folder;
}
