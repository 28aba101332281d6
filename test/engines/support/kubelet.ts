import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ControlPlane, hostNameOf } from './control-plane.ts';
import type { KubeEvent, LiveObject } from './kube.ts';
import { everySecond, freePorts, type Program, type Running } from './processes.ts';
import { LIQO, liqoProgram, program } from './programs.ts';

/** A node of a cluster, played: its Pods get an address and are ready, and programs of Liqo in them really run. */
export interface Kubelet {
  /** Pods with a program of Liqo that are not ready, each with the reason. */
  waiting(): readonly string[];
  stop(): Promise<void>;
}

export interface Node {
  readonly name: string;
  /** The address at which peers dial node ports. */
  readonly address: string;
}

export interface KubeletOptions {
  readonly plane: ControlPlane;
  readonly nodes: readonly Node[];
  /** The first addresses of Pods: `10.202.0.` for the first 240 of 10.202.0.0/16. */
  readonly podPrefix: string;
  readonly ports: LiqoPorts;
  /** The clusters whose API servers Liqo finds by name. */
  readonly clusters: readonly string[];
}

/** The ports of programs in a cluster that others call. */
export interface LiqoPorts {
  readonly webhook: number;
  readonly ipam: number;
}

interface Started {
  readonly pod: LiveObject;
  readonly running: Running | null;
  /** Set when the Pod goes: its program is not started again. */
  isGone: boolean;
}

export async function startKubelet(options: KubeletOptions): Promise<Kubelet> {
  const { plane, nodes, podPrefix } = options;
  for (const it of nodes) await makeNode(plane, it);
  const ending = new AbortController();
  const started = new Map<string, Started>();
  const waiting = new Map<string, string>();
  let lastAddress = 9;

  const start = async (pod: LiveObject): Promise<Running | null> => {
    const container = liqoContainer(pod);
    if (container === null) return null;
    await stopFormer(pod);
    return plane.processes.start(await programOf(options, pod, container));
  };

  /** The program of a former Pod of the same Deployment has the port of the new one, and no Service leads to it any more. */
  const stopFormer = async (pod: LiveObject): Promise<void> => {
    for (const entry of started.values()) {
      if (entry.pod.metadata.uid === pod.metadata.uid || deploymentOf(entry.pod) !== deploymentOf(pod)) continue;
      entry.isGone = true;
      await entry.running?.stop();
    }
  };

  const run = async (pod: LiveObject): Promise<void> => {
    const uid = pod.metadata.uid ?? '';
    if (started.has(uid) || isDone(pod)) return;
    const missing = await missingVolume(plane, pod);
    if (missing !== null) {
      waiting.set(uid, `${nameOf(pod)} waits for ${missing}`);
      return;
    }
    const node = nodeOf(pod, nodes);
    if (pod['spec'].nodeName === undefined) await plane.kube.bind(pod, node.name);
    lastAddress += 1;
    const ip = `${podPrefix}${lastAddress}`;
    const bound = {
      ...pod,
      spec: { ...pod['spec'], nodeName: node.name },
      status: { podIP: ip, hostIP: node.address },
    };
    const entry: Started = { pod: bound, running: await start(bound), isGone: false };
    started.set(uid, entry);
    waiting.delete(uid);
    await plane.kube.setStatus(pod, runningStatus(pod, { ip, hostIP: node.address }));
  };

  const forget = async (pod: LiveObject): Promise<void> => {
    const uid = pod.metadata.uid ?? '';
    const entry = started.get(uid);
    started.delete(uid);
    waiting.delete(uid);
    if (entry === undefined) return;
    entry.isGone = true;
    await entry.running?.stop();
  };

  const onPod = async ({ type, object }: KubeEvent): Promise<void> => {
    if (type === 'DELETED') await forget(object);
    else if (object.metadata.deletionTimestamp !== undefined) {
      await forget(object);
      await plane.kube.remove(object, 0);
    } else await run(object);
  };

  const pods = plane.kube.watch({ apiVersion: 'v1', kind: 'Pod' }, ending.signal, onPod);
  const care = everySecond(ending.signal, async () => {
    for (const [uid, entry] of started) {
      if (entry.running === null || entry.running.isUp() || entry.isGone) continue;
      started.set(uid, { ...entry, running: await start(entry.pod) });
    }
    if (waiting.size > 0) for (const it of await plane.kube.list('v1', 'Pod')) await run(it);
  });

  return {
    waiting: () => [...waiting.values()],
    stop: async () => {
      ending.abort();
      await Promise.all([pods, care]);
    },
  };
}

interface Container {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: {
      readonly fieldRef?: { readonly fieldPath: string };
      readonly configMapKeyRef?: { readonly name: string; readonly key: string };
    };
  }[];
}

/** The container whose program is there, if the Pod has one. */
function liqoContainer(pod: LiveObject): Container | null {
  const containers: readonly Container[] = pod['spec'].containers;
  return containers.find((it) => LIQO.some((name) => it.command?.[0]?.endsWith(`/${name}`) === true)) ?? null;
}

/** The release of its image: `ghcr.io/liqotech/ipam:v1.2.0`. */
function releaseOf({ image }: Container): string {
  return image.split(':v').at(-1) ?? '';
}

/** The program that a kubelet would start: the arguments of the container, with ports of this machine for those that it would share. */
async function programOf(options: KubeletOptions, pod: LiveObject, container: Container): Promise<Program> {
  const { plane, clusters } = options;
  const name = container.command?.[0]?.split('/').at(-1) ?? '';
  const env = await environmentOf(plane, pod, container);
  const args = [...(container.command ?? []).slice(1), ...(container.args ?? [])].map((it) => expand(it, env));
  const namespace = pod.metadata.namespace ?? '';
  const account = pod['spec'].serviceAccountName ?? 'default';
  const kubeconfig = plane.kubeconfigWith(`${namespace}-${account}`, await plane.kube.token(namespace, account));
  const own = await ownPorts(name, options);
  const path = liqoProgram(releaseOf(container), name);
  // The webhook writes its certificate to one place in the file system, whatever its flags are.
  const [certificates, hosts] = [join(plane.folder, 'webhook-server'), join(plane.folder, 'hosts')];
  mkdirSync(certificates, { recursive: true });
  writeFileSync(hosts, `127.0.0.1 localhost ${clusters.map(hostNameOf).join(' ')}\n`);
  const script = `mkdir -p ${SERVING} && mount --bind "$1" ${SERVING} && mount --bind "$2" /etc/hosts && shift 2 && exec "$@"`;
  return {
    name: nameOf(pod),
    env: { ...env, KUBECONFIG: kubeconfig, TMPDIR: '/tmp' },
    path: program('unshare'),
    args: ['--mount', '--propagation', 'private', 'sh', '-c', script, 'sh', certificates, hosts, path, ...args, ...own],
  };
}

const SERVING = '/tmp/k8s-webhook-server';

/** The last of two equal flags is the one that counts. */
async function ownPorts(name: string, { ports }: KubeletOptions): Promise<readonly string[]> {
  const [metrics = 0, health = 0, other = 0] = await freePorts(3);
  const addresses = [`--metrics-address=127.0.0.1:${metrics}`];
  switch (name) {
    case 'ipam':
      return [`--port=${ports.ipam}`];
    case 'webhook':
      return [...addresses, `--health-probe-address=127.0.0.1:${health}`, `--webhook-port=${ports.webhook}`];
    case 'liqo-controller-manager':
      return [
        ...addresses,
        `--health-probe-address=127.0.0.1:${health}`,
        `--webhook-port=${other}`,
        `--ipam-server=127.0.0.1:${ports.ipam}`,
      ];
    case 'virtual-kubelet':
      return [`--listen-port=${other}`, '--certificate-type=self-signed'];
    default:
      return addresses;
  }
}

async function environmentOf(plane: ControlPlane, pod: LiveObject, container: Container) {
  const env: Record<string, string> = {};
  for (const { name, value, valueFrom } of container.env ?? []) {
    const map = valueFrom?.configMapKeyRef;
    if (value !== undefined) env[name] = expand(value, env);
    else if (valueFrom?.fieldRef !== undefined) env[name] = fieldOf(pod, valueFrom.fieldRef.fieldPath);
    else if (map !== undefined) {
      const found = await plane.kube.get('v1', 'ConfigMap', map.name, pod.metadata.namespace);
      env[name] = found?.['data'][map.key] ?? '';
    }
  }
  return env;
}

function fieldOf(pod: LiveObject, path: string): string {
  return String(
    path.split('.').reduce((it: unknown, key) => (it as Record<string, unknown> | undefined)?.[key], pod) ?? '',
  );
}

function expand(text: string, env: Readonly<Record<string, string>>): string {
  return text.replace(/\$\((\w+)\)/g, (whole, name: string) => env[name] ?? whole);
}

/** A Pod starts when the Secrets and ConfigMaps of its volumes are there. */
async function missingVolume({ kube }: ControlPlane, pod: LiveObject): Promise<string | null> {
  const volumes: readonly {
    readonly secret?: { readonly secretName: string; readonly optional?: boolean };
    readonly configMap?: { readonly name: string; readonly optional?: boolean };
  }[] = pod['spec'].volumes ?? [];
  for (const { secret, configMap } of volumes) {
    const namespace = pod.metadata.namespace;
    if (
      secret !== undefined &&
      secret.optional !== true &&
      (await kube.get('v1', 'Secret', secret.secretName, namespace)) === null
    )
      return `Secret ${secret.secretName}`;
    if (configMap !== undefined && (await kube.get('v1', 'ConfigMap', configMap.name, namespace)) === null)
      return `ConfigMap ${configMap.name}`;
  }
  return null;
}

function nodeOf(pod: LiveObject, nodes: readonly Node[]): Node {
  const terms: readonly { readonly matchFields?: readonly { readonly values: readonly string[] }[] }[] =
    pod['spec'].affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const wanted = pod['spec'].nodeName ?? terms[0]?.matchFields?.[0]?.values[0];
  const found = nodes.find((it) => it.name === wanted) ?? nodes[0];
  if (found === undefined) throw new Error(`no node for ${nameOf(pod)}`);
  return found;
}

async function makeNode({ kube }: ControlPlane, { name, address }: Node): Promise<void> {
  const labels = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' };
  const node = await kube.apply({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels }, spec: { taints: [] } });
  const size = { cpu: '16', memory: '64Gi', pods: '110' };
  await kube.setStatus(node, {
    addresses: [
      { type: 'InternalIP', address },
      { type: 'Hostname', address: name },
    ],
    capacity: size,
    allocatable: size,
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady' }],
  });
}

interface Addresses {
  readonly ip: string;
  readonly hostIP: string;
}

function runningStatus(pod: LiveObject, { ip, hostIP }: Addresses) {
  const startTime = new Date().toISOString();
  const containers: readonly { readonly name: string; readonly image: string }[] = pod['spec'].containers;
  return {
    phase: 'Running',
    podIP: ip,
    podIPs: [{ ip }],
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime,
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastTransitionTime: startTime,
    })),
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      imageID: '',
      ready: true,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: startTime } },
    })),
  };
}

/** The Deployment of a Pod of a ReplicaSet, with its namespace. */
function deploymentOf({ metadata }: LiveObject): string {
  const owner = metadata.ownerReferences?.find((it) => it.kind === 'ReplicaSet')?.name ?? metadata.name;
  return `${metadata.namespace}/${owner.replace(/-[a-z0-9]+$/, '')}`;
}

function isDone(pod: LiveObject): boolean {
  return pod['status']?.phase === 'Succeeded' || pod['status']?.phase === 'Failed';
}

function nameOf({ metadata }: LiveObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}
