/** An object of an Application, and where it is applied. */
export interface SyncObject {
  readonly id: string;
  readonly wave: number;
}

/** The result of one sync of Argo CD. */
interface Sync {
  /** Waves that were applied, in order. */
  readonly waves: readonly number[];
  /** Objects that were applied, in order. */
  readonly applied: readonly string[];
  /** For each object that was applied, the objects that were not healthy yet at that moment. */
  readonly unhealthy: ReadonlyMap<string, readonly string[]>;
}

/**
 * The loop of a sync operation: it applies the lowest wave that has a task, waits until all that it applied is healthy,
 * and ends after the last wave without waiting.
 * Source: argoproj/argo-cd gitops-engine/pkg/sync/sync_context.go (`Sync`).
 */
export class ArgoApplication {
  readonly #live = new Map<string, () => boolean>();

  /** `polls` says how often Argo CD looks at an object until it is healthy. */
  sync(objects: readonly SyncObject[], polls: (id: string) => number): Sync {
    const done = new Set<string>();
    const [waves, applied] = [[] as number[], [] as string[]];
    const unhealthy = new Map<string, readonly string[]>();
    for (;;) {
      this.#wait(applied);
      const tasks = objects.filter((it) => !done.has(it.id));
      if (tasks.length === 0) return { waves, applied, unhealthy };
      const wave = Math.min(...tasks.map((it) => it.wave));
      waves.push(wave);
      const now = tasks.filter((it) => it.wave === wave);
      const waiting = [...this.#live.keys()].filter((id) => !this.#isHealthy(id));
      for (const it of now) {
        this.#apply(it, polls(it.id));
        done.add(it.id);
        applied.push(it.id);
        unhealthy.set(it.id, waiting);
      }
      if (now.length === tasks.length) return { waves, applied, unhealthy };
    }
  }

  /** An operation has no timeout of its own, and no other one starts while it runs. */
  #wait(applied: readonly string[]): void {
    for (let polls = 0; polls < 10_000; polls++) {
      if (applied.every((id) => this.#isHealthy(id))) return;
    }
    throw new Error(`the operation never ends: ${applied.filter((id) => !this.#isHealthy(id)).join(', ')}`);
  }

  #isHealthy = (id: string): boolean => this.#live.get(id)?.() ?? false;

  #apply({ id }: SyncObject, polls: number): void {
    let left = polls;
    this.#live.set(id, () => left-- <= 0);
  }
}
