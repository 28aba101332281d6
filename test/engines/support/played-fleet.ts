import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Commit } from '../../bundle/gitops/commit.ts';
import { type ControlPlane, type Etcd, startControlPlane, startEtcd } from './control-plane.ts';
import { type FleetRepository, type Published, serveFleet } from './git-server.ts';
import { bundleVersions, type Changes, changesBetween } from './observe.ts';
import { liqoCrds, type PlayedLiqo, playLiqo } from './play-liqo.ts';
import { until } from './processes.ts';

/** The clusters of a fleet with their API servers, its repository, and Liqo's answers in each cluster. */
export class PlayedFleet {
  readonly folder = mkdtempSync(join(tmpdir(), 'weft-engines-'));
  readonly #planes = new Map<string, ControlPlane>();
  readonly #played = new Map<string, PlayedLiqo>();
  #etcd: Etcd | undefined;
  #repository: FleetRepository | undefined;

  constructor() {
    // Also when the run is interrupted.
    process.once('exit', () => this.#forget());
  }

  async start(clusters: readonly string[]): Promise<void> {
    this.#repository = await serveFleet(this.folder);
    this.#etcd = await startEtcd(join(this.folder, 'etcd'));
    await Promise.all(clusters.map((it) => this.addCluster(it)));
  }

  /** Starts an API server with the kinds of Liqo. */
  async addCluster(name: string): Promise<ControlPlane> {
    if (this.#etcd === undefined) throw new Error('the fleet is not started');
    const options = { name, folder: join(this.folder, name), etcd: this.#etcd, serviceCIDR: '10.96.0.0/12' };
    const plane = await startControlPlane(options);
    this.#planes.set(name, plane);
    for (const it of liqoCrds('v1.2.0')) await plane.kube.apply(it);
    await until(`${name} has the kinds of Liqo`, async () => {
      await plane.kube.list('networking.liqo.io/v1beta1', 'Configuration');
      return true;
    });
    return plane;
  }

  get repository(): FleetRepository {
    if (this.#repository === undefined) throw new Error('the fleet is not started');
    return this.#repository;
  }

  get out(): string {
    return join(this.repository.folder, 'out');
  }

  plane(name: string): ControlPlane {
    const found = this.#planes.get(name);
    if (found === undefined) throw new Error(`no cluster "${name}" was started`);
    return found;
  }

  /** Liqo's answers of a cluster, from the first commit that has it. */
  played(name: string): PlayedLiqo {
    const found = this.#played.get(name);
    if (found === undefined) throw new Error(`no commit has the cluster "${name}"`);
    return found;
  }

  /** Compiles, commits and pushes a topology, and lets Liqo answer in clusters that are new in it. */
  async publish(topology: string): Promise<Published> {
    const published = await this.repository.publish(topology);
    for (const name of published.compiled.model.clusters.keys()) {
      const plane = this.#planes.get(name);
      if (plane === undefined || this.#played.has(name)) continue;
      const options = { kube: plane.kube, compiled: published.compiled, cluster: name, delayMilliseconds: 300 };
      this.#played.set(name, playLiqo(options));
    }
    return published;
  }

  /** The changes of an action in each cluster. */
  async changesOf(
    action: () => Promise<unknown>,
    by: 'content' | 'resourceVersion' = 'content',
  ): Promise<Readonly<Record<string, Changes>>> {
    const versions = async () => {
      const all = [...this.#planes].map(async ([name, { kube }]) => [name, await bundleVersions(kube)] as const);
      return new Map(await Promise.all(all));
    };
    const before = await versions();
    await action();
    const after = await versions();
    return Object.fromEntries([...after].map(([name, it]) => [name, changesBetween(before.get(name) ?? {}, it, by)]));
  }

  /** Configurations of a cluster whose networks are not those that were compiled, with what they are. */
  async wrongViews({ compiled }: Published, name: string): Promise<readonly string[]> {
    const live = await this.plane(name).kube.list('networking.liqo.io/v1beta1', 'Configuration');
    const given = new Map(
      live.map((it) => [`Configuration ${it.metadata.namespace}/${it.metadata.name}`, it['status']?.remote?.cidr]),
    );
    return [...new Commit(compiled, name, '').views].flatMap(([id, views]) => {
      const [wanted, got] = [views, given.get(id)].map((it) => JSON.stringify([it?.pod, it?.external]));
      return wanted === got ? [] : [`${id}: ${got} instead of ${wanted}`];
    });
  }

  async stop(): Promise<void> {
    for (const it of this.#played.values()) it.stop();
    await Promise.all([...this.#planes.values()].map((it) => it.stop()));
    await this.#etcd?.stop();
    await this.#repository?.stop();
    this.#forget();
  }

  #forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
