/** A Kubernetes object, as far as the simulated controllers look at one. */
export interface Simulated {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly [field: string]: unknown;
}

export type Fields = Readonly<Record<string, unknown>>;

export const AUTHENTICATION = 'authentication.liqo.io/v1beta1';
export const OFFLOADING = 'offloading.liqo.io/v1beta1';
export const RBAC = 'rbac.authorization.k8s.io/v1';
export const REMOTE = 'liqo.io/remote-cluster-id';

/** Manual changes that are not in git. */
export interface Faults {
  /** Slices that the class of this provider denies: its name, then the name of the slice. */
  readonly denied?: readonly string[];
}

/** A cluster with what was applied to it, in which controllers work. */
export class SimulatedCluster {
  readonly id: string;
  readonly apiServer: string;
  readonly faults: Faults;
  readonly #objects = new Map<string, Simulated>();

  constructor(id: string, applied: readonly Simulated[], faults: Faults) {
    this.id = id;
    this.apiServer = `https://${id}.example:6443`;
    this.faults = faults;
    for (const it of applied) this.#objects.set(keyOf(it), it);
  }

  all(): readonly Simulated[] {
    return [...this.#objects.values()];
  }

  list(kind: string, labels: Readonly<Record<string, string>> = {}): readonly Simulated[] {
    return this.all().filter(
      (it) => it.kind === kind && Object.entries(labels).every(([key, value]) => it.metadata.labels?.[key] === value),
    );
  }

  find(kind: string, namespace: string | undefined, name: string): Simulated | undefined {
    return this.#objects.get(keyOf({ kind, metadata: { name, ...(namespace === undefined ? {} : { namespace }) } }));
  }

  put(it: Simulated): void {
    this.#objects.set(keyOf(it), it);
  }

  /** Makes what is not there yet, with the label that Liqo puts on what it makes. */
  make(it: Simulated): void {
    if (this.#objects.has(keyOf(it))) return;
    const labels = { 'liqo.io/managed': 'true', ...it.metadata.labels };
    this.put({ ...it, metadata: { ...it.metadata, labels } });
  }

  update(it: Simulated, change: { readonly spec?: Fields; readonly status?: Fields }): void {
    this.put({ ...it, ...change });
  }

  /** The one namespace in charge of a remote cluster: it is found by its labels, whatever it is called. */
  tenantNamespace(remote: string): string | undefined {
    const found = this.list('Namespace', { [REMOTE]: remote, 'liqo.io/tenant-namespace': 'true' });
    return found.length === 1 ? found[0]?.metadata.name : undefined;
  }
}

/** The identity of an object. */
export const keyOf = ({ kind, metadata: { namespace = '', name } }: Pick<Simulated, 'kind' | 'metadata'>): string =>
  `${kind} ${namespace}/${name}`;

/** A condition as Liqo writes one. */
export const condition = (type: string, status: string, reason?: string): Fields => ({
  type,
  status,
  ...(reason === undefined ? {} : { reason }),
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

/** Status of the condition of a type. */
export function conditionOf(it: Simulated, type: string): unknown {
  const conditions = (it.status?.['conditions'] ?? []) as readonly Fields[];
  return conditions.find((one) => one['type'] === type)?.['status'];
}
