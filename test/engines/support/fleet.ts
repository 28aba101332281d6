import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { printPrefix } from '../../../src/base/net/text.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { compiledText } from '../../support/compile-text.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { installLiqo } from './chart.ts';
import { type ControlPlane, type Etcd, joinKubeconfigs, startControlPlane, startEtcd } from './control-plane.ts';
import { type Gateways, playGateways } from './gateways.ts';
import type { LiveObject } from './kube.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { freePorts, until } from './processes.ts';
import type { LiqoMinor } from './programs.ts';

/** A cluster of a running fleet. */
export interface EngineCluster {
  readonly name: string;
  readonly release: LiqoMinor;
  readonly plane: ControlPlane;
  readonly kubelet: Kubelet;
  readonly addresses: readonly string[];
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A fleet as its people have it: a repository with a topology, and a cluster for each name in it, with Liqo's own
 * controllers. What is applied to the clusters is up to an engine, or to `applyBundle`.
 */
export class EngineFleet {
  readonly folder: string;
  readonly repository: string;
  readonly clusters = new Map<string, EngineCluster>();
  readonly git: ReturnType<typeof gitFolder>;
  readonly #etcd: Etcd;
  readonly #gateways: Gateways;

  private constructor(folder: string, etcd: Etcd) {
    this.folder = folder;
    this.repository = join(folder, 'repository');
    mkdirSync(this.repository, { recursive: true });
    this.git = gitFolder(this.repository);
    this.#etcd = etcd;
    this.#gateways = playGateways(() =>
      [...this.clusters.values()].map(({ plane, addresses }) => ({ plane, addresses })),
    );
  }

  /** A fleet with an empty repository and no cluster. */
  static async start(): Promise<EngineFleet> {
    const folder = mkdtempSync(join(tmpdir(), 'weft-engines-'));
    const fleet = new EngineFleet(folder, await startEtcd(join(folder, 'etcd')));
    fleet.git.init();
    return fleet;
  }

  get topology(): string {
    return readFileSync(join(this.repository, 'topology.yaml'), 'utf8');
  }

  write(path: string, text: string): void {
    const file = join(this.repository, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** The command as a person runs it in the repository, with the contexts of all clusters. */
  weft(...args: readonly string[]): Promise<Ended> {
    const program = new URL('../../../dist/weft.js', import.meta.url).pathname;
    const env = { ...process.env, KUBECONFIG: this.kubeconfig(), NO_COLOR: '1', CI: '' };
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [program, ...args], { cwd: this.repository, env });
      let stdout = '';
      let stderr = '';
      child.stdout.setEncoding('utf8').on('data', (it: string) => {
        stdout += it;
      });
      child.stderr.setEncoding('utf8').on('data', (it: string) => {
        stderr += it;
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  }

  /** The same, where only success is right. */
  async weftOk(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.weft(...args);
    if (code !== 0) throw new Error(`weft ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Writes a topology, its keys and bundles, and commits them. */
  async commit(topology: string, message: string): Promise<string> {
    this.write('topology.yaml', topology);
    await this.weftOk('keys', 'generate', '--secrets-dir', this.#secrets());
    await this.weftOk('compile');
    return this.git.commit(message);
  }

  /** Starts the clusters of the topology that do not run yet, installs Liqo in them, and gives them their Secrets. */
  async startClusters(): Promise<void> {
    const { model } = compiledText(this.topology, undefined);
    for (const [name, cluster] of model.clusters)
      if (!this.clusters.has(name)) this.clusters.set(name, await this.#startCluster(name, factsOf(cluster)));
    await this.giveSecrets();
  }

  async giveSecrets(): Promise<void> {
    for (const { name, plane } of this.clusters.values()) {
      const file = readdirSync(this.#secrets()).find((it) => it === `${name}.yaml`);
      if (file === undefined) continue;
      for (const secret of objectsOf(readFileSync(join(this.#secrets(), file), 'utf8'))) {
        const { namespace = 'default' } = secret.metadata;
        if ((await plane.kube.get('v1', 'Namespace', namespace)) === null)
          await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
        await plane.kube.apply(secret);
      }
    }
  }

  /** Stops a cluster for good. */
  async removeCluster(name: string): Promise<void> {
    const cluster = this.cluster(name);
    this.clusters.delete(name);
    await cluster.kubelet.stop();
    await cluster.plane.stop();
  }

  cluster(name: string): EngineCluster {
    const found = this.clusters.get(name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  }

  kubeconfig(): string {
    return joinKubeconfigs(
      join(this.folder, 'kubeconfig'),
      [...this.clusters.values()].map((it) => it.plane),
    );
  }

  contexts(): readonly string[] {
    return [...this.clusters.keys()].flatMap((it) => ['--context', it]);
  }

  /** What has not come up, for a message. */
  waiting(): readonly string[] {
    const clusters = [...this.clusters.values()];
    return [
      ...clusters.flatMap((it) => [...it.plane.processes.dead(), ...it.kubelet.waiting()]),
      ...this.#gateways.waiting(),
    ];
  }

  async stop(): Promise<void> {
    await this.#gateways.stop();
    for (const name of [...this.clusters.keys()]) await this.removeCluster(name);
    await this.#etcd.stop();
    if (process.env['WEFT_ENGINES_KEEP'] === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Outside of the repository, as the page says. */
  #secrets(): string {
    const folder = join(this.folder, 'secrets');
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async #startCluster(name: string, facts: ClusterFacts): Promise<EngineCluster> {
    const { release, serviceCIDR, podPrefix, namespace } = facts;
    const addresses = facts.addresses.length > 0 ? facts.addresses : [`192.0.2.${this.clusters.size + 10}`];
    const plane = await startControlPlane({ name, folder: join(this.folder, name), etcd: this.#etcd, serviceCIDR });
    const [webhook = 0, ipam = 0] = await freePorts(2);
    const nodes = [{ name: `${name}-node1`, address: addresses[0] ?? '' }];
    const kubelet = await startKubelet({ plane, release, nodes, podPrefix, ports: { webhook, ipam } });
    const values = join(this.repository, 'out', name, 'helm-values.yaml');
    await installLiqo({ plane, release, values, namespace, webhookPort: webhook });
    await until(`Liqo is ready in ${name}`, () => isLiqoReady(plane, namespace), 120);
    return { name, release, plane, kubelet, addresses };
  }
}

interface ClusterFacts {
  readonly release: LiqoMinor;
  readonly serviceCIDR: string;
  readonly podPrefix: string;
  readonly namespace: string;
  readonly addresses: readonly string[];
}

/** Every object of a text, in its order. */
export function objectsOf(text: string): readonly LiveObject[] {
  return parseAllDocuments(text)
    .map((it) => it.toJS() as LiveObject | null)
    .filter((it): it is LiveObject => it !== null);
}

/** What the clusters of a topology are installed with. */
function factsOf(cluster: AddressedCluster): ClusterFacts {
  const minor = cluster.release.version.split('.').slice(0, 2).join('.') as LiqoMinor;
  const pods = cluster.podCIDRs[0]?.value;
  return {
    release: minor,
    serviceCIDR: printPrefix(cluster.serviceCIDR.value),
    podPrefix: pods === undefined ? '10.0.0.' : printPrefix(pods).replace(/\d+\/\d+$/, ''),
    namespace: cluster.liqoNamespace,
    addresses: cluster.gateway.addresses.map((it) => it.value),
  };
}

/** All Deployments of the chart have their Pods; the programs in them answer. */
async function isLiqoReady({ kube }: ControlPlane, namespace: string): Promise<boolean> {
  const deployments = (await kube.list('apps/v1', 'Deployment')).filter((it) => it.metadata.namespace === namespace);
  return deployments.length > 0 && deployments.every((it) => it['status']?.readyReplicas === it['spec'].replicas);
}
