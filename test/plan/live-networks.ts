import { parse } from 'yaml';
import { groupBy } from '../../src/base/core/collections.ts';
import { prefixOf, printPrefix } from '../../src/base/net/text.ts';
import type { Bundle } from '../../src/bundle/emit/bundle.ts';
import type { Compiled } from '../../src/compile.ts';
import { naiveAllocator } from '../fleet/ipam/naive-allocators.ts';
import { shuffled } from '../laws/chance.ts';
import { expectedNetworks } from '../laws/read-bundle.ts';
import type { HelmValues } from '../live/simulated/chart/helm-values.ts';
import { ownNetworks } from '../live/simulated/chart/own-networks.ts';
import { Ipam } from '../live/simulated/ipam.ts';
import { field, keyOfObject, REMOTE, type ReleaseLine, type SimulatedObject } from '../live/simulated/objects.ts';
import { appliedTo } from '../live/simulated/simulate-fleet.ts';
import { SimulatedCluster } from '../live/simulated/simulated-cluster.ts';

/** The Configuration of a peer in a cluster. */
export interface Side {
  readonly cluster: string;
  readonly peer: string;
}

/** The views of a fleet's clusters: `hub sees rome` has `external 10.70.0.0/16>10.71.0.0/16` and so on. */
export type Views = ReadonlyMap<string, string>;

export const viewKey = ({ cluster, peer }: Side): string => `${cluster} sees ${peer}`;

interface OneView extends Side {
  readonly type: string;
  readonly requested: string;
  readonly given: string | undefined;
}

const viewsOfAll = (views: readonly OneView[]): Views => {
  const bySide = groupBy(views, (it) => [viewKey(it)]);
  const text = ({ type, requested, given }: OneView): string => `${type} ${requested}>${given}`;
  return new Map([...bySide].map(([key, some]) => [key, some.map(text).sort().join(', ')]));
};

/** The promises of the bundle: the Networks in `expected/`. */
export function promisedViews(bundle: Bundle): Views {
  const clusters = [...bundle.keys()].flatMap((it) => /^([^/]+)\/expected\/networks\.yaml$/.exec(it)?.[1] ?? []);
  return viewsOfAll(
    clusters.flatMap((cluster) =>
      expectedNetworks(bundle, cluster).flatMap(({ peer, ...it }) => (peer === null ? [] : [{ cluster, peer, ...it }])),
    ),
  );
}

/**
 * The networks of a running fleet: in each cluster the controllers of its release for Configurations and Networks, and its
 * IPAM. Nothing else is applied, since nothing else asks for networks.
 */
export class LiveNetworks {
  readonly #clusters = new Map<string, SimulatedCluster>();
  /** The objects that the GitOps tool of each cluster has applied. */
  readonly #applied = new Map<string, readonly SimulatedObject[]>();
  readonly #next: () => number;

  /** @param next decides what no rule does: which cluster, and which object of a wave, comes first */
  constructor(next: () => number) {
    this.#next = next;
  }

  /** A new installation of Liqo, of which no peer is known. */
  install({ bundle, model }: Compiled, name: string): void {
    const cluster = model.clusters.get(name);
    const values = bundle.get(`${name}/helm-values.yaml`);
    if (cluster === undefined || values === undefined) return;
    const isBestFit = cluster.allocator === 'best-fit';
    this.#clusters.set(
      name,
      new SimulatedCluster({
        values: parse(values) as HelmValues,
        release: cluster.release.line,
        ...(isBestFit ? { newIpam: (pools) => new BestFitIpam(pools) } : {}),
      }),
    );
    this.#applied.delete(name);
  }

  /** Another fleet in the same state, for what would happen otherwise. */
  copy(): LiveNetworks {
    const copy = new LiveNetworks(this.#next);
    for (const [name, { server, values, release, ipam }] of this.#clusters) {
      const cluster = new SimulatedCluster({
        values,
        release,
        ...(ipam instanceof BestFitIpam ? { newIpam: (pools) => new BestFitIpam(pools) } : {}),
      });
      for (const it of cluster.server.list('Network')) cluster.server.remove(it);
      const uids = new Map<string, string>();
      for (const it of ['Namespace', 'Configuration', 'Network'].flatMap((kind) => server.list(kind))) {
        if (cluster.server.get(it.kind, it.metadata.name, it.metadata.namespace) !== undefined) continue;
        const { uid = '', ownerReferences = [] } = it.metadata;
        const owners = ownerReferences.map((owner) => ({ ...owner, uid: uids.get(owner.uid) ?? owner.uid }));
        const made = cluster.server.create({ ...it, metadata: { ...it.metadata, ownerReferences: owners } });
        uids.set(uid, made.metadata.uid ?? '');
      }
      cluster.restart();
      copy.#clusters.set(name, cluster);
      copy.#applied.set(name, this.#applied.get(name) ?? []);
    }
    return copy;
  }

  uninstall(name: string): void {
    this.#clusters.delete(name);
    this.#applied.delete(name);
  }

  /** Changes the Networks of the cluster itself like `helm upgrade`; then its controllers start again. */
  upgradeChart({ bundle }: Compiled, name: string): void {
    const cluster = this.#of(name);
    const values = parse(bundle.get(`${name}/helm-values.yaml`) ?? '') as HelmValues;
    const wanted = ownNetworks(values, cluster.release, cluster.namespace);
    const names = new Set(wanted.map(keyOfObject));
    for (const it of cluster.server.list('Network'))
      if (it.metadata.annotations?.['liqo.io/preinstalled'] === 'true' && !names.has(keyOfObject(it)))
        cluster.server.remove(it);
    for (const it of wanted) cluster.apply(it);
    cluster.restart();
  }

  /** The controllers of another release. */
  upgradeLiqo(name: string, release: ReleaseLine): void {
    const cluster = this.#of(name);
    cluster.release = release;
    cluster.restart();
  }

  deleteConfigurations(sides: readonly Side[]): void {
    for (const { cluster, peer } of sides) {
      const running = this.#clusters.get(cluster);
      for (const it of running?.server.list('Configuration', { [REMOTE]: peer }) ?? []) running?.server.remove(it);
      running?.rest();
    }
  }

  /**
   * Applies a commit like the tools of all clusters: everything is applied, wave by wave, each of which becomes ready
   * first, and then removed objects are pruned.
   */
  sync({ bundle }: Compiled): void {
    for (const name of shuffled([...this.#clusters.keys()], this.#next)) {
      const cluster = this.#of(name);
      const wanted = appliedTo(bundle, name).filter((it) => it.kind === 'Namespace' || it.kind === 'Configuration');
      for (const it of wanted) if (it.kind === 'Namespace') cluster.apply(it);
      const configurations = wanted.filter((it) => it.kind === 'Configuration');
      for (const wave of [...new Set(configurations.map(waveOf))].sort((a, b) => a - b)) {
        for (const it of shuffled(configurations, this.#next)) if (waveOf(it) === wave) cluster.apply(it);
        cluster.rest();
      }
      const kept = new Set(wanted.map(keyOfObject));
      const pruned = (this.#applied.get(name) ?? []).filter((it) => !kept.has(keyOfObject(it)));
      for (const { kind, metadata } of pruned)
        if (kind === 'Configuration') cluster.remove(kind, metadata.name, metadata.namespace);
      cluster.rest();
      this.#applied.set(name, wanted);
    }
  }

  views(): Views {
    const views = [...this.#clusters].flatMap(([cluster, { server }]) =>
      server.list('Network').flatMap(({ metadata: { labels = {} }, spec, status }): readonly OneView[] => {
        const peer = labels[REMOTE];
        if (peer === undefined) return [];
        const type = labels['configuration.liqo.io/cidr-type'] ?? '';
        const given = field<string>(status, 'cidr');
        return [{ cluster, peer, type, requested: String(spec?.['cidr']), given }];
      }),
    );
    return viewsOfAll(views);
  }

  #of(name: string): SimulatedCluster {
    const cluster = this.#clusters.get(name);
    if (cluster === undefined) throw new Error(`${name} is not installed`);
    return cluster;
  }
}

const waveOf = ({ metadata: { annotations } }: SimulatedObject): number =>
  Number(annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

/** The IPAM before 1.0, for controllers that ask like those of 1.0. Addresses inside a network are not of interest here. */
class BestFitIpam extends Ipam {
  readonly #allocator;

  constructor(pools: readonly string[]) {
    super([], { sharesNetworks: false });
    this.#allocator = naiveAllocator('best-fit', pools.map(prefixOf));
  }

  override acquire(text: string): string | undefined {
    const given = this.#allocator.acquire(prefixOf(text));
    return given.ok ? printPrefix(given.prefix) : undefined;
  }

  override reserve(text: string): string | undefined {
    const given = this.#allocator.reserve(prefixOf(text), true);
    return given.ok ? printPrefix(given.prefix) : undefined;
  }

  override release(text: string): string | undefined {
    const released = this.#allocator.release(prefixOf(text));
    return released && printPrefix(released);
  }

  override acquireAddress = (): undefined => undefined;
  override reserveAddress = (): void => undefined;
  override releaseAddress = (): void => undefined;
  override reserveFirst = (): void => undefined;
}
