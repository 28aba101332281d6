import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { printPrefix } from '../../../src/base/net/text.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import { applyDefinitions, type Installation, installLiqo, uninstallLiqo, upgradeLiqo } from './chart.ts';
import {
  type ControlPlane,
  type Etcd,
  hostNameOf,
  joinKubeconfigs,
  startControlPlane,
  startEtcd,
} from './control-plane.ts';
import { type Gateways, playGateways } from './gateways.ts';
import { type FleetRepository, type Published, serveFleet } from './git-server.ts';
import type { LiveObject } from './kube.ts';
import { type Kubelet, startKubelet } from './kubelet.ts';
import { objectsOf } from './objects-of.ts';
import { freePort, freePorts, until } from './processes.ts';
import type { LiqoMinor } from './programs.ts';

/** A cluster of a running fleet. */
export interface EngineCluster {
  readonly name: string;
  readonly plane: ControlPlane;
  readonly kubelet: Kubelet;
  readonly addresses: readonly string[];
  readonly installation: Installation;
  /** The objects of Liqo's chart. */
  readonly chart: readonly LiveObject[];
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * A fleet as its people have it: a repository with a topology, and a cluster for each name in it, with Liqo's own
 * controllers. An engine applies the bundles.
 */
export class LiqoFleet {
  readonly folder: string;
  readonly repository: FleetRepository;
  readonly clusters = new Map<string, EngineCluster>();
  readonly #etcd: Etcd;
  readonly #gateways: Gateways;
  readonly #ports = new Map<string, number>();

  private constructor(folder: string, etcd: Etcd, repository: FleetRepository) {
    this.folder = folder;
    this.repository = repository;
    this.#etcd = etcd;
    this.#gateways = playGateways(() =>
      [...this.clusters.values()].map(({ plane, addresses }) => ({ plane, addresses })),
    );
    process.once('exit', () => this.#forget());
  }

  /** A fleet with an empty repository and no cluster. */
  static async start(): Promise<LiqoFleet> {
    const folder = mkdtempSync(join(tmpdir(), 'weft-engines-'));
    return new LiqoFleet(folder, await startEtcd(join(folder, 'etcd')), await serveFleet(folder));
  }

  /** The folder of the bundles. */
  get out(): string {
    return join(this.repository.folder, 'out');
  }

  plane(name: string): ControlPlane {
    return this.cluster(name).plane;
  }

  /** Commits a topology with its keys and bundles, and pushes it. */
  async publish(topology: string): Promise<Published> {
    const published = await this.repository.commit(topology);
    await this.push(published);
    return published;
  }

  /** Clusters that are new in a commit are started, with Liqo and their Secrets, before the commit can be seen. */
  async push(published: Published): Promise<void> {
    const clusters = [...published.compiled.model.clusters.keys()];
    for (const [name, cluster] of published.compiled.model.clusters)
      if (!this.clusters.has(name) && !cluster.retired)
        this.clusters.set(
          name,
          await this.#startCluster(name, factsOf(cluster), { secrets: published.secrets, clusters }),
        );
    for (const { plane } of this.clusters.values()) await giveSecrets(plane, published.secrets);
    this.repository.push();
  }

  /** The address at which Liqo in other clusters finds the API server of a cluster, now or once it is started. */
  async apiServerOf(name: string): Promise<string> {
    return `https://${hostNameOf(name)}:${await this.#portOf(name)}`;
  }

  async #portOf(name: string): Promise<number> {
    const port = this.#ports.get(name) ?? (await freePort());
    this.#ports.set(name, port);
    return port;
  }

  /** The command as a person runs it in the repository, with the contexts of all clusters. */
  weft(...args: readonly string[]): Promise<Ended> {
    return this.#run(process.execPath, resolve('dist/weft.cjs'), ...args);
  }

  /** A command that a person pastes there, which has to succeed. */
  async shell(command: string): Promise<void> {
    const weft = `weft() { ${process.execPath} ${resolve('dist/weft.cjs')} "$@"; }`;
    const { code, stderr } = await this.#run('sh', '-c', `${weft}; ${command}`);
    if (code !== 0) throw new Error(`${command}: ${stderr}`);
  }

  #run(program: string, ...args: readonly string[]): Promise<Ended> {
    const env = { ...process.env, KUBECONFIG: this.kubeconfig(), NO_COLOR: '1', CI: '' };
    return new Promise((done) => {
      execFile(program, args, { cwd: this.repository.folder, env, maxBuffer: 2 ** 28 }, (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
      );
    });
  }

  /** Uninstalls Liqo in a cluster, and installs it again with the values of the cluster in the work tree, which may have another name there. */
  async reinstallLiqo(name: string, as: string): Promise<void> {
    const { installation, chart, ...cluster } = this.cluster(name);
    await uninstallLiqo(installation, chart);
    const plane = { ...cluster.plane, name: as };
    const its = { ...installation, plane, values: this.#valuesOf(as) };
    const installed = { ...cluster, name: as, plane, installation: its, chart: await installLiqo(its) };
    this.clusters.delete(name);
    this.clusters.set(as, installed);
    await untilLiqoIsReady(installed);
  }

  /** Applies the CRDs of another release of Liqo in a cluster. */
  async upgradeDefinitions(name: string, release: LiqoMinor): Promise<void> {
    await applyDefinitions({ ...this.cluster(name).installation, release });
  }

  /** Upgrades the chart of Liqo with the values in the work tree. */
  async upgradeLiqo(name: string, release: LiqoMinor): Promise<void> {
    const cluster = this.cluster(name);
    const installation = { ...cluster.installation, release };
    const upgraded = { ...cluster, installation, chart: await upgradeLiqo(installation, cluster.chart) };
    this.clusters.set(name, upgraded);
    await untilLiqoIsReady(upgraded);
  }

  /** Provides the keys for a cluster again, in the tenant namespaces of its new name. */
  async copySecrets(from: string, to: string): Promise<void> {
    for (const { plane } of this.clusters.values())
      for (const { metadata, ...secret } of await plane.kube.list('v1', 'Secret')) {
        if (metadata.namespace !== `liqo-tenant-${from}`) continue;
        const namespace = `liqo-tenant-${to}`;
        const labels = { ...metadata.labels, 'liqo.io/remote-cluster-id': to };
        await plane.kube.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
        await plane.kube.apply({ ...secret, metadata: { name: metadata.name, namespace, labels } });
      }
  }

  #valuesOf(name: string): string {
    return join(this.out, name, 'helm-values.yaml');
  }

  /** Stops the controllers of Liqo in a cluster (0), or lets them run again (1). */
  async scaleControllers(name: string, replicas: 0 | 1): Promise<void> {
    const cluster = this.cluster(name);
    const { kube } = cluster.plane;
    const manager = 'liqo-controller-manager';
    const deployment = await kube.get('apps/v1', 'Deployment', manager, cluster.installation.namespace);
    if (deployment === null) throw new Error(`${name} has no ${manager}`);
    await kube.merge(deployment, { spec: { replicas } });
    const isSo = async () =>
      (await kube.list('v1', 'Pod')).filter((it) => it.metadata.name.startsWith(manager)).length === replicas;
    await until(`${name} has ${replicas} ${manager}`, isSo);
    if (replicas === 1) await untilLiqoIsReady(cluster);
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

  /** All that has not come up, for a message. */
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
    await this.repository.stop();
    this.#forget();
  }

  #forget(): void {
    if (process.env['WEFT_ENGINES_KEEP'] === undefined) rmSync(this.folder, { recursive: true, force: true });
  }

  async #startCluster(
    name: string,
    facts: ClusterFacts,
    its: { readonly secrets: string; readonly clusters: readonly string[] },
  ): Promise<EngineCluster> {
    const { release, serviceCIDR, podPrefix, namespace } = facts;
    const { secrets, clusters } = its;
    const addresses = facts.addresses.length > 0 ? facts.addresses : [`192.0.2.${this.clusters.size + 10}`];
    const port = await this.#portOf(name);
    const folder = join(this.folder, name);
    const plane = await startControlPlane({
      name,
      folder,
      etcd: this.#etcd,
      serviceCIDR,
      port,
    });
    const [webhook = 0, ipam = 0] = await freePorts(2);
    const nodes = [{ name: `${name}-node1`, address: addresses[0] ?? '' }];
    const kubelet = await startKubelet({ plane, nodes, podPrefix, ports: { webhook, ipam }, clusters });
    const values = this.#valuesOf(name);
    const installation: Installation = { plane, release, values, namespace, webhookPort: webhook };
    // Liqo keeps an authentication key that it finds.
    await giveSecrets(plane, secrets);
    const chart = await installLiqo(installation);
    const cluster = { name, plane, kubelet, addresses, installation, chart };
    await untilLiqoIsReady(cluster);
    return cluster;
  }
}

/** Secrets with private keys are applied by hand, with their namespaces, as the page about keys says. */
async function giveSecrets({ name, kube }: ControlPlane, folder: string): Promise<void> {
  const file = join(folder, `${name}.yaml`);
  if (!existsSync(file)) return;
  for (const secret of objectsOf(readFileSync(file, 'utf8'))) {
    const namespace = secret.metadata.namespace ?? '';
    if ((await kube.get('v1', 'Namespace', namespace)) === null)
      await kube.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
    await kube.apply(secret);
  }
}

interface ClusterFacts {
  readonly release: LiqoMinor;
  readonly serviceCIDR: string;
  readonly podPrefix: string;
  readonly namespace: string;
  readonly addresses: readonly string[];
}

/** The settings that the clusters of a topology are installed with. */
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
async function untilLiqoIsReady({ name, plane, kubelet, installation: { namespace } }: EngineCluster): Promise<void> {
  const isReady = async () => {
    const all = (await plane.kube.list('apps/v1', 'Deployment')).filter((it) => it.metadata.namespace === namespace);
    return all.length > 0 && all.every(isRolledOut);
  };
  await until(`Liqo is ready in ${name}: ${kubelet.waiting().join()}`, isReady, 180);
}

function isRolledOut({ metadata, spec, status }: LiveObject): boolean {
  const isCurrent = status?.observedGeneration === metadata['generation' as keyof typeof metadata];
  return (
    isCurrent &&
    status.replicas === spec.replicas &&
    status.updatedReplicas === spec.replicas &&
    status.readyReplicas === spec.replicas
  );
}
