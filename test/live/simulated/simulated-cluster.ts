import { ApiServer } from './api-server.ts';
import { chartObjects } from './chart/chart-objects.ts';
import { DEFAULT_POOLS, type HelmValues } from './chart/helm-values.ts';
import { CONTROLLERS } from './controllers/controllers.ts';
import { Ipam } from './ipam.ts';
import { field, keyOfObject, type ReleaseLine, type SimulatedObject } from './objects.ts';
import { type Delay, WorkQueue } from './work-queue.ts';

export interface ClusterSettings {
  readonly release: ReleaseLine;
  readonly values: HelmValues;
  /** The namespace of Liqo. */
  readonly namespace?: string;
  /** Decides identities and generated names; the cluster ID if it is not given. */
  readonly seed?: string;
  readonly start?: string;
  /** The status by gateway pods: none, connecting, or connected. */
  readonly connections?: 'none' | 'connecting' | 'connected';
  readonly delay?: Delay;
  /** The address of its first node, where gateways run. */
  readonly nodeAddress?: string;
  /** Liqo's own label on what its controllers make, as the chart asks for. The recorder did without. */
  readonly labelsWhatItMakes?: boolean;
  /** An address for every LoadBalancer Service; without it no cloud answers. */
  readonly balancerAddress?: (service: SimulatedObject) => string | undefined;
  /** Another IPAM than that of the release. */
  readonly newIpam?: (pools: readonly string[]) => Ipam;
}

/**
 * A cluster with Liqo: an API server, the IPAM and the controllers of the networking module, as far as they are in
 * `controllers/`. Controllers look at what changed in the order of the changes, except for what a delay holds back.
 */
export class SimulatedCluster {
  readonly id: string;
  /** That of its controllers. */
  release: ReleaseLine;
  readonly namespace: string;
  readonly values: HelmValues;
  readonly connections: 'none' | 'connecting' | 'connected';
  readonly nodeAddress: string;
  readonly server: ApiServer;
  readonly balancerAddress: (service: SimulatedObject) => string | undefined;
  /** The network of its own that the controllers read once, when they needed it first. */
  local: { readonly pod: readonly string[]; readonly external: readonly string[] } | undefined;
  ipam: Ipam;
  readonly #queue: WorkQueue;
  readonly #waiting = new Map<string, readonly [controller: string, request: string]>();
  readonly #stamp: Readonly<Record<string, string>>;
  readonly #otherIpam: ClusterSettings['newIpam'];
  #isRunning = false;

  constructor(settings: ClusterSettings) {
    const { release, values, namespace = 'liqo', connections = 'connected', delay = () => 0 } = settings;
    this.id = values.discovery.config.clusterID;
    this.release = release;
    this.namespace = namespace;
    this.values = values;
    this.connections = connections;
    this.nodeAddress = settings.nodeAddress ?? '192.0.2.11';
    this.#stamp = settings.labelsWhatItMakes ? { 'liqo.io/managed': 'true' } : {};
    this.balancerAddress = settings.balancerAddress ?? (() => undefined);
    this.server = new ApiServer(settings.seed ?? this.id, settings.start ? { start: settings.start } : {});
    this.#otherIpam = settings.newIpam;
    this.ipam = this.#newIpam();
    this.#queue = new WorkQueue(delay);
    this.server.onChange((it) => this.#notify(it));
    // The chart lists the own Networks in the order in which they are asked for.
    const installed = chartObjects(this).map((it) => this.server.create(it));
    this.#isRunning = true;
    for (const it of installed) this.#notify(it);
    this.rest();
  }

  apply(manifest: SimulatedObject): void {
    this.server.apply(manifest);
  }

  remove(kind: string, name: string, namespace?: string): void {
    const found = this.server.get(kind, name, namespace);
    if (found !== undefined) this.server.remove(found);
  }

  /** Lets the controllers work until nothing changes any more. Failed work is repeated after every change. */
  rest(): void {
    for (;;) {
      const before = this.server.writes;
      this.#work();
      if (this.server.writes === before && this.#waiting.size === 0) return;
      const failed = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const [controller, request] of failed) this.#queue.add(controller, request);
      const retried = this.server.writes;
      this.#work();
      if (this.server.writes === retried) return;
    }
  }

  /** The controllers and the IPAM begin again with what the API server knows. */
  restart(): void {
    this.rest();
    this.local = undefined;
    this.ipam = this.#newIpam();
    for (const it of this.server.list('Network')) {
      const cidr = field<string>(it, 'status', 'cidr');
      if (cidr === undefined) continue;
      this.ipam.reserve(cidr, { shared: it.metadata.labels?.['ipam.liqo.io/network-shared'] === 'true' });
      this.ipam.reserveFirst(cidr, field<number>(it, 'spec', 'preAllocated') ?? 0);
    }
    for (const { status } of this.server.list('IP')) {
      if (status !== undefined) this.ipam.reserveAddress(String(status['cidr']), String(status['ip']));
    }
    this.#waiting.clear();
    this.#notifyAll();
    this.rest();
  }

  /** The one namespace in charge of a remote cluster. */
  isReady(configuration: SimulatedObject): boolean {
    if (this.release !== '1.2') return configuration.metadata.labels?.['configuration.liqo.io/configured'] === 'true';
    const [condition] = field<readonly object[]>(configuration, 'status', 'conditions') ?? [];
    return (
      field(condition, 'status') === 'True' &&
      field(condition, 'observedGeneration') === configuration.metadata.generation
    );
  }

  #newIpam(): Ipam {
    const pools = this.values.ipam.pools ?? DEFAULT_POOLS;
    return this.#otherIpam?.(pools) ?? new Ipam(pools, { sharesNetworks: this.release === '1.2' });
  }

  #notifyAll(): void {
    for (const it of [...this.server.all()].sort((a, b) => (keyOfObject(a) < keyOfObject(b) ? -1 : 1))) {
      this.#notify(it);
    }
  }

  #notify(object: SimulatedObject): void {
    if (!this.#isRunning) return;
    for (const { name, watches } of CONTROLLERS) {
      const requests = watches[object.kind]?.(object, this) ?? [];
      for (const it of requests) this.#queue.add(name, it);
    }
  }

  #work(): void {
    for (let steps = 0; steps < 100_000; steps++) {
      const item = this.#queue.take();
      if (item === undefined) return;
      const controller = CONTROLLERS.find((it) => it.name === item.controller);
      const [namespace = '', name = ''] = item.request.split('/');
      const id = `${item.controller} ${item.request}`;
      this.#waiting.delete(id);
      this.server.stamp = this.#stamp;
      const isDone = controller?.reconcile(this, namespace, name) ?? true;
      this.server.stamp = {};
      if (!isDone) this.#waiting.set(id, [item.controller, item.request]);
    }
    throw new Error(`the controllers of ${this.id} do not come to rest`);
  }
}
