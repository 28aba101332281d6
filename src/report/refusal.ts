import type { Removal } from '../plan/removal-guard.ts';

/** What each refusal is about. */
interface Refusals {
  readonly 'no-folder': { readonly folder: string };
  /** No topology was named, and the folder where topologies are is not there. */
  readonly 'no-topologies': { readonly folder: string };
  readonly 'no-topology-in-folder': { readonly folder: string; readonly entries: readonly string[] };
  /** `preferred` is the name of the file that would be taken without asking; `null` in a folder that somebody named. */
  readonly 'several-topologies': {
    readonly folder: string;
    readonly topologies: readonly string[];
    readonly preferred: string | null;
  };
  /** A file that belongs to a topology. */
  readonly 'not-a-topology': { readonly path: string; readonly what: 'lock' | 'keys'; readonly topology: string };
  readonly 'no-file': { readonly path: string; readonly meant: string | undefined };
  readonly 'file-is-folder': { readonly path: string };
  readonly 'file-unreadable': { readonly path: string; readonly reason: string; readonly advice: string };
  /** What a plan starts from has no such file, or one that weft did not write. */
  readonly 'no-base': { readonly path: string };
  readonly 'path-outside-folder': { readonly path: string; readonly folder: string };
  readonly 'path-outside-checkout': { readonly path: string; readonly root: string };
  readonly 'no-bundles': { readonly out: string };
  readonly 'bundles-not-a-folder': { readonly out: string };
  readonly 'unknown-cluster': { readonly name: string; readonly known: readonly string[] };
  readonly 'not-linked': { readonly cluster: string; readonly peer: string };
  /** Two topologies would be written into one folder. */
  readonly 'same-fleet-name': { readonly fleet: string; readonly topologies: readonly string[] };
  /** Texts of the lock; `before` is `undefined` when there is none yet. */
  readonly 'lock-would-change': { readonly lock: string; readonly before: string | undefined; readonly after: string };
  readonly 'fleet-would-be-empty': { readonly topology: string; readonly out: string; readonly files: number };
  readonly 'clusters-would-be-empty': { readonly clusters: readonly string[]; readonly out: string };
  readonly 'tree-in-the-way': { readonly problems: readonly TreeProblem[] };
  readonly 'tree-busy': { readonly out: string; readonly holder: string };
  /** The two have no link. */
  readonly 'nothing-reflected': { readonly hub: string; readonly receiver: string };
  /** No link to build in a lab between these clusters; none named means all. */
  readonly 'no-link-to-try': { readonly clusters: readonly string[] };
  /** `folder` is the one that the topology is in. */
  readonly 'secrets-on-terminal': { readonly folder: string };
  readonly 'secrets-not-read': object;
  readonly 'secrets-in-repository': { readonly folder: string; readonly topology: string };
  readonly 'secrets-exist': { readonly path: string };
  readonly 'files-exist': { readonly paths: readonly string[] };
  readonly 'unknown-code': { readonly asked: string; readonly meant: string | undefined };
  /** Something is where bundles of a pull request would be. */
  readonly 'bundles-in-the-way': { readonly problems: readonly TreeProblem[] };
  /** What GitHub has to be asked about, or with, is not known. */
  readonly 'no-repository': object;
  readonly 'no-token': object;
  readonly 'no-pull-request': object;
  readonly 'branch-is-base': { readonly branch: string };
  /** The manifests go to another repository, and the lock beside the topology is not current. */
  readonly 'lock-is-stale': { readonly lock: string };
  readonly 'cluster-would-lose-peers': { readonly cluster: string };
  readonly 'too-much-would-be-removed': { readonly removals: readonly Removal[] };
}

interface TreeProblem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

export type RefusalKind = keyof Refusals;

/** Why a use case does not do what it was asked for, although the topology has no error. */
export type Refusal<Kind extends RefusalKind = RefusalKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & Refusals[Each];
}[Kind];
