import { createHash } from 'node:crypto';
import { copied, type Fields, isEqual, keyOf, keyOfObject, type SimulatedObject } from './objects.ts';

/** Kinds without a generation. */
const WITHOUT_GENERATION = new Set([
  'ClusterRoleBinding',
  'ConfigMap',
  'Namespace',
  'Secret',
  'Service',
  'ServiceAccount',
]);

/** Every write moves the clock of a simulated cluster, so that what is older has the earlier time. */
const MILLISECONDS_PER_WRITE = 30;

type Listener = (object: SimulatedObject) => void;

/** An API server with its garbage collector: what is in it, in which version, and whom to inform when something changes. */
export class ApiServer {
  readonly #objects = new Map<string, SimulatedObject>();
  readonly #ofKind = new Map<string, Map<string, SimulatedObject>>();
  readonly #owned = new Map<string, Set<string>>();
  readonly #listeners: Listener[] = [];
  readonly #seed: string;
  /** Labels that are put on everything that is made while they are set. */
  stamp: Readonly<Record<string, string>> = {};
  #writes = 0;
  #chance = 0;
  #now: number;

  /** The seed decides every identity that chance would give. */
  constructor(seed: string, { start = '2026-01-01T00:00:00Z' } = {}) {
    this.#seed = seed;
    this.#now = Date.parse(start);
  }

  /** The number of writes so far. */
  get writes(): number {
    return this.#writes;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  get(kind: string, name: string, namespace?: string): SimulatedObject | undefined {
    return this.#objects.get(keyOf(kind, name, namespace));
  }

  /** The objects of a kind, by namespace and name as an API server lists them. */
  list(kind: string, labels: Readonly<Record<string, string>> = {}): readonly SimulatedObject[] {
    const wanted = Object.entries(labels);
    return [...(this.#ofKind.get(kind) ?? [])]
      .filter(([, it]) => wanted.every(([key, value]) => it.metadata.labels?.[key] === value))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, it]) => it);
  }

  all(): readonly SimulatedObject[] {
    return [...this.#objects.values()];
  }

  /** Some hexadecimal digits that nothing else has. */
  chance(digits: number): string {
    return createHash('sha256')
      .update(`${this.#seed} ${this.#chance++}`)
      .digest('hex')
      .slice(0, digits);
  }

  uuid(): string {
    const it = this.chance(31);
    return `${it.slice(0, 8)}-${it.slice(8, 12)}-4${it.slice(12, 15)}-a${it.slice(15, 18)}-${it.slice(18, 30)}`;
  }

  now(): string {
    return new Date(Math.floor(this.#now / 1000) * 1000).toISOString().replace('.000Z', 'Z');
  }

  passSeconds(seconds: number): void {
    this.#now += seconds * 1000;
  }

  create(object: SimulatedObject): SimulatedObject {
    const made = copied(object);
    if (made.kind === 'Namespace') Object.assign(made, namespaceOf(made));
    if (made.kind !== 'Pod' && Object.keys(this.stamp).length > 0) {
      made.metadata.labels = { ...this.stamp, ...made.metadata.labels };
    }
    made.metadata.uid = this.uuid();
    made.metadata.creationTimestamp = this.now();
    if (!WITHOUT_GENERATION.has(made.kind)) made.metadata.generation = 1;
    for (const it of made.metadata.ownerReferences ?? []) this.#remember(it.uid, made);
    return this.#write(made);
  }

  /** Changes an object; what stays as it was is not written. */
  update(object: SimulatedObject, change: (draft: SimulatedObject) => void): SimulatedObject {
    const before = this.#objects.get(keyOfObject(object));
    if (before === undefined) return object;
    const draft = copied(before);
    change(draft);
    if (isEqual(draft, before)) return before;
    if (draft.metadata.generation !== undefined && !isEqual(specOf(draft), specOf(before))) draft.metadata.generation++;
    if (draft.metadata.deletionTimestamp !== undefined && !draft.metadata.finalizers?.length) {
      this.#drop(before);
      return draft;
    }
    return this.#write(draft);
  }

  /** Applies a manifest like Server-Side Apply: its fields are set, others stay. */
  apply(manifest: SimulatedObject): SimulatedObject {
    const found = this.get(manifest.kind, manifest.metadata.name, manifest.metadata.namespace);
    if (found === undefined) return this.create(manifest);
    return this.update(found, (draft) => {
      Object.assign(draft, merged(draft as unknown as Fields, manifest as unknown as Fields));
    });
  }

  remove(object: SimulatedObject): void {
    if (!this.#objects.has(keyOfObject(object))) return;
    if (object.metadata.finalizers?.length) {
      this.update(object, (draft) => {
        draft.metadata.deletionTimestamp ??= this.now();
      });
    } else this.#drop(object);
  }

  #drop(object: SimulatedObject): void {
    const key = keyOfObject(object);
    this.#objects.delete(key);
    this.#ofKind.get(object.kind)?.delete(key);
    this.#tick();
    for (const it of this.#listeners) it(object);
    const owned = this.#owned.get(object.metadata.uid ?? '') ?? [];
    this.#owned.delete(object.metadata.uid ?? '');
    for (const it of owned) {
      const dependent = this.#objects.get(it);
      if (dependent !== undefined) this.remove(dependent);
    }
    if (object.kind === 'Namespace') {
      for (const it of this.all()) if (it.metadata.namespace === object.metadata.name) this.remove(it);
    }
  }

  #remember(owner: string, object: SimulatedObject): void {
    const owned = this.#owned.get(owner) ?? new Set();
    owned.add(keyOfObject(object));
    this.#owned.set(owner, owned);
  }

  #write(object: SimulatedObject): SimulatedObject {
    this.#tick();
    object.metadata.resourceVersion = String(this.#writes);
    const key = keyOfObject(object);
    this.#objects.set(key, object);
    const same = this.#ofKind.get(object.kind) ?? new Map<string, SimulatedObject>();
    same.set(key, object);
    this.#ofKind.set(object.kind, same);
    for (const it of this.#listeners) it(object);
    return object;
  }

  #tick(): void {
    this.#writes++;
    this.#now += MILLISECONDS_PER_WRITE;
  }
}

/** Additions of the API server to a namespace. */
const namespaceOf = ({ metadata }: SimulatedObject): Partial<SimulatedObject> => ({
  metadata: { ...metadata, labels: { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name } },
  spec: { finalizers: ['kubernetes'] },
  status: { phase: 'Active' },
});

const specOf = ({ metadata: _, status: __, ...rest }: SimulatedObject): Fields => rest;

const isMap = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(before: Fields, after: Fields): Fields {
  const entries = Object.entries(after).map(([key, it]) => {
    const old = before[key];
    return [key, isMap(old) && isMap(it) ? merged(old, it) : copied(it)] as const;
  });
  return { ...before, ...Object.fromEntries(entries) };
}
