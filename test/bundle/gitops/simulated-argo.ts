import { CONFIGURATION_HEALTH } from '../../../src/bundle/gitops/flux-health.ts';
import { type AppliedObject, idOf } from './applied-objects.ts';
import { HEALTH_OF, verdictOf } from './cel.ts';
import type { Commit } from './commit.ts';
import type { LiqoAnswers } from './liqo-answers.ts';
import type { Schedule } from './schedule.ts';

interface Operation {
  commit: Commit;
  /** The objects of a self-heal: only those out of sync. */
  readonly selected: ReadonlySet<string> | null;
  /** The applied and pruned objects, until a retry clears them. */
  results: Map<string, 'running' | 'succeeded' | 'failed'>;
  retries: number;
  retryAt: number | null;
}

interface Task {
  readonly id: string;
  readonly wave: number;
  /** `null` for what is pruned. */
  readonly target: AppliedObject | null;
}

/** Seconds between two looks at a running operation, and between two at the application. */
const LOOK = 2;
const REFRESH = 15;
/** `retry` of `src/bundle/gitops/argo-entry-points.ts`. */
const backoff = (retries: number): number => Math.min(10 * 2 ** retries, 300);

/**
 * The application controller of Argo CD for the Application of one cluster, with automated sync, prune, self-heal and endless
 * retries with the newest commit.
 * Source: argoproj/argo-cd controller/appcontroller.go (processRequestedAppOperation, autoSync) and
 * gitops-engine/pkg/sync/sync_context.go (Sync, getSyncTasks, filterOutOfSyncTasks).
 */
export class SimulatedArgo {
  /** Every Configuration that failed an operation, in order. */
  readonly failures: string[] = [];
  /** Configurations that were taken for healthy although their views are others. */
  readonly wronglyHealthy: string[] = [];
  /** Waves that the operations went through. */
  waves = 0;
  readonly #cluster: LiqoAnswers;
  readonly #schedule: Schedule;
  readonly #options: readonly string[];
  #source: Commit | undefined;
  #operation: Operation | undefined;
  #attempted: string | undefined;
  #finishedAt = 0;

  constructor(cluster: LiqoAnswers, schedule: Schedule, options: readonly string[]) {
    this.#cluster = cluster;
    this.#schedule = schedule;
    this.#options = options;
    this.#refresh();
  }

  fetch(commit: Commit): void {
    this.#source = commit;
  }

  get isAtRest(): boolean {
    return this.#operation === undefined;
  }

  #refresh(): void {
    this.#autoSync();
    this.#schedule.after(REFRESH + this.#schedule.aWhile(), () => this.#refresh());
  }

  #autoSync(): void {
    const commit = this.#source;
    // Without the kinds the comparison fails, and nothing is synced.
    if (commit === undefined || this.#operation !== undefined || !this.#cluster.hasKinds) return;
    const tasks = this.#tasksOf(commit).filter((it) => !this.#isInSync(it));
    if (tasks.length === 0) return;
    const isSelfHeal = this.#attempted === commit.revision;
    if (isSelfHeal && this.#schedule.now < this.#finishedAt + 2) return;
    const selected = isSelfHeal ? new Set(tasks.map((it) => it.id)) : null;
    this.#operation = { commit, selected, results: new Map(), retries: 0, retryAt: null };
    this.#look();
  }

  #look(): void {
    const operation = this.#operation;
    if (operation === undefined) return;
    this.#proceed(operation);
    if (this.#operation !== undefined) this.#schedule.after(LOOK + this.#schedule.aWhile(), () => this.#look());
  }

  #proceed(operation: Operation): void {
    if (operation.retryAt !== null) {
      if (this.#schedule.now < operation.retryAt) return;
      operation.retryAt = null;
      operation.results = new Map();
      operation.commit = this.#source ?? operation.commit;
    }
    if (!this.#cluster.hasKinds) {
      this.#retryLater(operation);
      return;
    }
    const { results, selected } = operation;
    const tasks = this.#tasksOf(operation.commit).filter((it) => selected === null || selected.has(it.id));
    for (const { id, target } of tasks) {
      if (target === null || results.get(id) !== 'running') continue;
      const health = this.#healthOf(id);
      if (health === 'Healthy') results.set(id, 'succeeded');
      if (health === 'Healthy' && id.startsWith('Configuration ') && !operation.commit.isAsCompiled(id, this.#cluster))
        this.wronglyHealthy.push(id);
      if (health === 'Degraded') this.failures.push(id);
      if (health === 'Degraded' || health === 'Missing') results.set(id, 'failed');
    }
    const states = tasks.map((it) => results.get(it.id));
    if (states.includes('running')) return;
    if (states.includes('failed')) {
      this.#retryLater(operation);
      return;
    }
    const isSkipped = (it: Task): boolean =>
      this.#options.includes('ApplyOutOfSyncOnly=true') && it.target !== null && this.#isInSync(it);
    const pending = tasks.filter((it) => !results.has(it.id) && !isSkipped(it));
    const wave = Math.min(...pending.map((it) => it.wave));
    const now = pending.filter((it) => it.wave === wave);
    for (const { id, target } of this.#schedule.shuffled(now)) {
      if (target === null) this.#cluster.remove(id);
      else this.#cluster.apply(target, 'argo');
      results.set(id, target === null ? 'succeeded' : 'running');
    }
    if (now.length > 0) this.waves += 1;
    // It does not wait for the last wave.
    if (now.length < pending.length) return;
    this.#operation = undefined;
    this.#attempted = operation.commit.revision;
    this.#finishedAt = this.#schedule.now;
  }

  #retryLater(operation: Operation): void {
    operation.retryAt = this.#schedule.now + backoff(operation.retries);
    operation.retries += 1;
  }

  #tasksOf(commit: Commit): readonly Task[] {
    const applied = commit.objects.map((target): Task => ({ id: idOf(target), wave: waveOf(target), target }));
    const wanted = new Set(applied.map((it) => it.id));
    const pruned = [...this.#cluster.objects]
      .filter(([id, { target }]) => !wanted.has(id) && !isKept(target))
      .map(([id, { target }]): Task => ({ id, wave: waveOf(target), target: null }));
    // In reverse order: the lowest wave of what is pruned changes places with the highest, and so on.
    const waves = [...new Set(pruned.map((it) => it.wave))].sort((a, b) => a - b);
    const turned = (it: Task): Task => ({ ...it, wave: waves[waves.length - 1 - waves.indexOf(it.wave)] ?? it.wave });
    return [...applied, ...pruned.map(turned)];
  }

  #isInSync({ id, target }: Task): boolean {
    const found = this.#cluster.objects.get(id)?.target;
    return target !== null && (found === target || JSON.stringify(found) === JSON.stringify(target));
  }

  /** The script for Configurations agrees with the expression for Flux, which another test proves. Gateways may take for ever. */
  #healthOf(id: string): 'Healthy' | 'Progressing' | 'Degraded' | 'Missing' {
    const live = this.#cluster.live(id);
    if (live === undefined) return 'Missing';
    if (id.startsWith('Gateway')) return 'Progressing';
    return id.startsWith('Configuration ') ? HEALTH_OF[verdictOf(CONFIGURATION_HEALTH, live)] : 'Healthy';
  }
}

const waveOf = ({ metadata }: AppliedObject): number =>
  Number(metadata.annotations?.['argocd.argoproj.io/sync-wave'] ?? 0);

const isKept = ({ metadata }: AppliedObject): boolean =>
  metadata.annotations?.['argocd.argoproj.io/sync-options']?.includes('Prune=false') === true;
