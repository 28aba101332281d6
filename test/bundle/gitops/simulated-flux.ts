import { type AppliedObject, idOf } from './applied-objects.ts';
import { isReadyBy, type KustomizationStatus, verdictOf } from './cel.ts';
import type { Commit } from './commit.ts';
import type { LiqoAnswers } from './liqo-answers.ts';
import type { Schedule } from './schedule.ts';

interface Spec {
  readonly path: string;
  readonly wait?: boolean;
  readonly deletionPolicy?: string;
  readonly dependsOn?: readonly { readonly name: string; readonly readyExpr?: string }[];
  readonly healthChecks?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[];
  readonly healthCheckExprs: readonly {
    readonly apiVersion: string;
    readonly kind: string;
    readonly current: string;
  }[];
}

interface Kustomization {
  readonly name: string;
  spec: Spec;
  status: KustomizationStatus & { readonly lastAttemptedRevision?: string | undefined };
  /** The result of its last run; the status is `Unknown` in the middle of the next one. */
  ended: KustomizationStatus['ready'];
  inventory: ReadonlySet<string>;
  isDeleted: boolean;
  isSuspended: boolean;
  /** A worker has it; `again` when it was requested meanwhile. */
  run: { again: boolean } | undefined;
  /** The next time that it asks for by itself. */
  timer: object | undefined;
}

interface FluxSettings {
  readonly workers: number;
  readonly cancelsHealthChecks: boolean;
  /** Seconds until a Kustomization whose dependencies are not ready is tried again: `--requeue-dependency`. */
  readonly requeueDependency?: number;
}

/** Seconds, as in `src/bundle/gitops/flux-entry-points.ts` and the defaults of kustomize-controller 1.9. */
const INTERVAL = 600;
const RETRY = 60;
const TIMEOUT = 300;
const POLL = 5;

/**
 * The kustomize-controller of Flux for the Kustomizations of one cluster. Everything between two of its requests takes an
 * arbitrary time, so that its workers, the answers of Liqo and new commits meet in any order.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go and kustomization_indexers.go.
 */
export class SimulatedFlux {
  readonly kustomizations = new Map<string, Kustomization>();
  /** Every Configuration that failed a health check, in order. */
  readonly failures: string[] = [];
  /** Configurations that a Kustomization became ready with although their views are others. */
  readonly wronglyReady: string[] = [];
  /** Objects that a health check waited for until its timeout although the commit that was applied has them no more. */
  readonly waitedInVain: string[] = [];
  readonly #cluster: LiqoAnswers;
  readonly #schedule: Schedule;
  readonly #settings: FluxSettings;
  readonly #queue: Kustomization[] = [];
  #source: Commit | undefined;
  #busy = 0;

  constructor(cluster: LiqoAnswers, schedule: Schedule, settings: FluxSettings) {
    this.#cluster = cluster;
    this.#schedule = schedule;
    this.#settings = settings;
  }

  /** The source has a new commit: all that are not at it already are enqueued, dependencies first. */
  fetch(commit: Commit): void {
    this.#source = commit;
    for (const it of this.kustomizations.values()) {
      const isKnown = it.status.lastAttemptedRevision === commit.revision;
      if (!isKnown || it.status.ready === 'False') this.#enqueue(it);
    }
  }

  /** `_flux/clusters/<name>.yaml` is applied, a Kustomization that applies the entry points. */
  applyApplier({ applier }: Commit): void {
    this.#create(applier.metadata.name, applier.spec as unknown as Spec);
  }

  /** `_flux/clusters/<name>` is applied, and what is no longer in it deleted. */
  applyEntryPoints(commit: Commit): void {
    const names = new Set([commit.applier, ...commit.kustomizations].map((it) => it.metadata.name));
    for (const it of commit.kustomizations) {
      const spec = it.spec as unknown as Spec;
      const known = this.kustomizations.get(it.metadata.name);
      if (known === undefined) this.#create(it.metadata.name, spec);
      else if (JSON.stringify(known.spec) !== JSON.stringify(spec)) {
        known.spec = spec;
        known.status = { ...known.status, generation: (known.status.generation ?? 1) + 1 };
        this.#enqueue(known);
      }
    }
    for (const it of this.kustomizations.values()) if (!names.has(it.name)) this.#delete(it);
  }

  /**
   * The documented steps before a rebuild: one that applies the others is suspended and waited for, because it would make
   * them again, and suspended ones delete nothing that they have applied.
   */
  suspendAndDeleteAll(): void {
    const all = [...this.kustomizations.values()];
    for (const it of all) it.isSuspended = true;
    if (all.some((it) => isApplier(it) && it.run !== undefined)) {
      this.#schedule.after(1, () => this.suspendAndDeleteAll());
      return;
    }
    for (const it of all) if (!isApplier(it)) this.#delete(it);
  }

  /** The documented step after a rebuild. */
  resumeAppliers(): void {
    for (const it of this.kustomizations.values()) {
      if (!isApplier(it)) continue;
      it.isSuspended = false;
      this.#enqueue(it);
    }
  }

  isAppliedAt(revision: string): boolean {
    return [...this.kustomizations.values()].every((it) => it.status.lastAppliedRevision === revision);
  }

  /** The objects of links. Those of sharing may wait for another cluster for days. */
  get areLinksReady(): boolean {
    const links = [...this.kustomizations.values()].filter((it) => !it.name.includes('.folder.'));
    return links.every((it) => it.ended === 'True');
  }

  #create(name: string, spec: Spec): void {
    const made: Kustomization = {
      ...{ name, spec, status: {}, ended: undefined, inventory: new Set<string>() },
      ...{ run: undefined, timer: undefined, isDeleted: false, isSuspended: false },
    };
    this.kustomizations.set(name, made);
    this.#enqueue(made);
  }

  #delete(it: Kustomization): void {
    it.isDeleted = true;
    this.#enqueue(it);
  }

  #enqueue(it: Kustomization): void {
    if (it.run) it.run.again = true;
    else if (!this.#queue.includes(it)) this.#queue.push(it);
    this.#schedule.soon(() => this.#startNext());
  }

  #startNext(): void {
    if (this.#busy >= this.#settings.workers) return;
    const next = this.#queue.shift();
    if (next === undefined) return;
    this.#busy += 1;
    next.run = { again: false };
    next.timer = undefined;
    this.#advance(next, this.#reconcile(next));
  }

  #advance(it: Kustomization, steps: Generator<number, number>): void {
    const { value, done } = steps.next();
    if (!done) {
      this.#schedule.after(value, () => this.#advance(it, steps));
      return;
    }
    const again = it.run?.again === true;
    it.ended = it.status.ready;
    it.run = undefined;
    this.#busy -= 1;
    if (again) this.#enqueue(it);
    else if (value !== Number.POSITIVE_INFINITY) {
      const timer = {};
      it.timer = timer;
      this.#schedule.after(value, () => {
        if (it.timer === timer) this.#enqueue(it);
      });
    }
    this.#schedule.soon(() => this.#startNext());
  }

  /** Yields the seconds that a step takes, and returns those until it is to run again. */
  *#reconcile(it: Kustomization): Generator<number, number> {
    const pause = () => this.#schedule.aWhile();
    if (it.isDeleted) {
      // A suspended one deletes nothing; one that orphans neither.
      if (!it.isSuspended && it.spec.deletionPolicy !== 'Orphan') this.#prune(it, it.inventory);
      this.kustomizations.delete(it.name);
      return Number.POSITIVE_INFINITY;
    }
    if (it.isSuspended) return Number.POSITIVE_INFINITY;
    const commit = this.#source;
    if (commit === undefined) return this.#fail(it, this.#settings.requeueDependency ?? 30);
    const { spec, status: self } = it;
    const observedGeneration = self.generation ?? 1;
    for (const dependency of spec.dependsOn ?? []) {
      yield pause();
      if (!this.#isReady(dependency, self, commit)) return this.#fail(it, this.#settings.requeueDependency ?? 30);
    }
    it.status = { ...it.status, ready: 'Unknown' };
    yield pause();
    const { revision } = commit;
    const objects = commit.objectsIn(folderOf({ spec }));
    if (objects === null) return this.#fail(it, RETRY);
    it.status = { ...it.status, lastAttemptedRevision: revision };
    yield pause();
    if (isApplier(it)) {
      this.applyEntryPoints(commit);
      it.status = { ...it.status, ready: 'True', lastAppliedRevision: revision, observedGeneration };
      return INTERVAL;
    }
    try {
      // Namespaces first, and then all the others side by side.
      for (const object of this.#schedule.shuffled(objects).sort(namespacesFirst)) {
        this.#cluster.apply(object, it.name);
        if (this.#schedule.isEvenThrow()) yield pause();
      }
    } catch {
      return this.#fail(it, RETRY);
    }
    const stale = new Set([...it.inventory].filter((id) => !objects.some((one) => idOf(one) === id)));
    it.inventory = new Set(objects.map(idOf));
    yield pause();
    this.#prune(it, stale);
    const isHealthy = yield* this.#checkHealth(it, spec, objects);
    if (isHealthy === 'canceled') return this.#fail(it, 0);
    if (!isHealthy) return this.#fail(it, RETRY);
    it.status = { ...it.status, ready: 'True', lastAppliedRevision: revision, observedGeneration };
    // A newer commit may have given the object to another Kustomization in the meantime.
    const isRight = (id: string): boolean => [commit, this.#source].some((it) => it?.isAsCompiled(id, this.#cluster));
    for (const id of this.#checkedBy(spec, objects))
      if (id.startsWith('Configuration ') && !isRight(id)) this.wronglyReady.push(id);
    return INTERVAL;
  }

  #isReady(
    { name, readyExpr }: NonNullable<Spec['dependsOn']>[number],
    self: KustomizationStatus,
    { revision }: Commit,
  ): boolean {
    // Objects of the topology's list, such as Liqo itself, are not of weft.
    if (!name.startsWith('weft-')) return true;
    const dependency = this.kustomizations.get(name);
    if (dependency === undefined) return false;
    if (readyExpr !== undefined) return isReadyBy(readyExpr, dependency.status, self);
    const { ready, lastAppliedRevision, generation = 1, observedGeneration } = dependency.status;
    return ready === 'True' && observedGeneration === generation && lastAppliedRevision === revision;
  }

  #fail(it: Kustomization, again: number): number {
    it.status = { ...it.status, ready: 'False' };
    return again;
  }

  /** Only what has the labels of this Kustomization, and is not kept. */
  #prune(it: Kustomization, ids: Iterable<string>): void {
    for (const id of ids) {
      const stored = this.#cluster.objects.get(id);
      const isKept = stored?.target.metadata.annotations?.['kustomize.toolkit.fluxcd.io/prune'] === 'disabled';
      if (stored?.owner === it.name && !isKept) this.#cluster.remove(id);
    }
  }

  #checkedBy(spec: Spec, objects: readonly AppliedObject[]): readonly string[] {
    if (spec.wait) return objects.map(idOf);
    return (spec.healthChecks ?? []).map(({ kind, name, namespace }) => `${kind} ${namespace}/${name}`);
  }

  *#checkHealth(
    it: Kustomization,
    spec: Spec,
    objects: readonly AppliedObject[],
  ): Generator<number, boolean | 'canceled'> {
    const ids = this.#checkedBy(spec, objects);
    for (let waited = 0; waited <= TIMEOUT; waited += POLL) {
      const verdicts = ids.map((id) => this.#verdict(spec, id));
      const failed = ids.filter((_, i) => verdicts[i] === 'Failed');
      this.failures.push(...failed);
      if (failed.length > 0) return false;
      if (verdicts.every((one) => one === 'Current')) return true;
      if (this.#settings.cancelsHealthChecks && it.run?.again) return 'canceled';
      yield POLL;
    }
    const isListed = (id: string): boolean => objects.some((one) => idOf(one) === id);
    this.waitedInVain.push(...ids.filter((id) => !isListed(id) && this.#cluster.live(id) === undefined));
    return false;
  }

  /** An object without an expression and without conditions is current as soon as it is there. */
  #verdict({ healthCheckExprs }: Spec, id: string): ReturnType<typeof verdictOf> {
    const live = this.#cluster.live(id);
    if (live === undefined) return 'InProgress';
    const expression = healthCheckExprs.find(({ kind }) => kind === live['kind']);
    return expression === undefined ? 'Current' : verdictOf(expression, live);
  }
}

const folderOf = ({ spec }: Pick<Kustomization, 'spec'>): string => spec.path.replace('./out/', '');

/** True for the Kustomization whose objects are Kustomizations. */
const isApplier = (it: Pick<Kustomization, 'spec'>): boolean => folderOf(it).startsWith('_flux/');

const namespacesFirst = (a: AppliedObject, b: AppliedObject): number =>
  Number(b.kind === 'Namespace') - Number(a.kind === 'Namespace');
