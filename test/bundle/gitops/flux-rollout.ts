import type { EntryPointManifest } from '../../../src/bundle/gitops/entry-point.ts';
import { isReadyBy, type KustomizationStatus } from './cel.ts';
import { specOf } from './read-entry-points.ts';

interface Dependency {
  readonly name: string;
  readonly readyExpr?: string;
}

/**
 * Flux with some Kustomizations, one after the other: what can start when. A Kustomization whose dependencies are not ready
 * tries again later. Without an expression a dependency has to be ready at the same commit; an expression replaces that.
 * Source: fluxcd/kustomize-controller internal/controller/kustomization_controller.go (`checkDependencies`).
 */
export class FluxRollout {
  readonly #statuses = new Map<string, KustomizationStatus>();

  /** Kustomizations that can be applied at a commit now, of those that are not yet. */
  ready(manifests: readonly EntryPointManifest[], revision: string): readonly EntryPointManifest[] {
    return manifests
      .filter((it) => this.#statuses.get(it.metadata.name)?.lastAppliedRevision !== revision)
      .filter((it) => dependenciesOf(it).every((one) => this.#isReady(one, it.metadata.name, revision)));
  }

  /** Records that a Kustomization was applied and is healthy. */
  finish(name: string, revision: string): void {
    this.#statuses.set(name, { ready: 'True', lastAppliedRevision: revision, observedGeneration: 1 });
  }

  /** Applies everything at a commit, in as many rounds as are needed; all that can start does so in the same round. */
  rounds(manifests: readonly EntryPointManifest[], revision: string): readonly (readonly string[])[] {
    const rounds: string[][] = [];
    for (;;) {
      const names = this.ready(manifests, revision).map((it) => it.metadata.name);
      if (names.length === 0) return rounds;
      rounds.push(names);
      for (const name of names) this.finish(name, revision);
    }
  }

  #isReady({ name, readyExpr }: Dependency, self: string, revision: string): boolean {
    const status = this.#statuses.get(name) ?? {};
    if (readyExpr !== undefined) return isReadyBy(readyExpr, status, this.#statuses.get(self) ?? {});
    return status.lastAppliedRevision === revision;
  }
}

const dependenciesOf = (it: EntryPointManifest): readonly Dependency[] =>
  (specOf(it)['dependsOn'] ?? []) as readonly Dependency[];
