import type { Removal } from '../../plan/removal-guard.ts';
import type { TreeProblem } from '../disk/tree/tree-request.ts';
import type { KubectlFailure } from '../kubectl/run-kubectl.ts';

/** The data of each kind of refusal. */
interface Refusals {
  readonly 'no-folder': { readonly folder: string };
  /**
   * No topology was named, and neither the default file nor the default folder exists. `here` lists YAML files in the
   * working folder.
   */
  readonly 'no-topologies': { readonly file: string; readonly folder: string; readonly here: readonly string[] };
  /** `other` is the default file, which is missing, too; `null` in a folder that the user named. */
  readonly 'no-topology-in-folder': {
    readonly folder: string;
    readonly entries: readonly string[];
    readonly other: string | null;
  };
  /** `preferred` is the file name that is used by default; `null` in a folder that the user named. */
  readonly 'several-topologies': {
    readonly folder: string;
    readonly topologies: readonly string[];
    readonly preferred: string | null;
  };
  /** The named file belongs to a topology but is not one. */
  readonly 'not-a-topology': {
    readonly path: string;
    readonly what: 'lock' | 'keys' | 'identities';
    readonly topology: string;
  };
  /** The topology to write has a name that no command would find. */
  readonly 'topology-without-ending': { readonly path: string };
  readonly 'no-file': { readonly path: string; readonly suggestion: string | undefined };
  readonly 'file-is-folder': { readonly path: string };
  readonly 'file-unreadable': { readonly path: string; readonly reason: string; readonly advice: string };
  /** The base of a plan lacks this file, or weft did not write it. */
  readonly 'no-base': { readonly path: string };
  /** The folder of the base does not exist. */
  readonly 'no-base-folder': { readonly folder: string };
  /** A pull request can only be checked against the commit that it is merged into. */
  readonly 'no-base-commit': object;
  /** The checkout is not the merge of the pull request, so its parent is a commit of the pull request. */
  readonly 'base-in-pull-request': { readonly ref: string };
  /** The checkout is neither the newest commit of the pull request nor a merge of it. */
  readonly 'not-the-pull-request': { readonly checkout: string; readonly head: string };
  readonly 'path-outside-folder': { readonly path: string; readonly folder: string };
  readonly 'path-outside-checkout': { readonly path: string; readonly root: string };
  readonly 'no-bundles': { readonly out: string };
  readonly 'bundles-not-a-folder': { readonly out: string };
  readonly 'unknown-cluster': { readonly name: string; readonly known: readonly string[] };
  /** No cluster has the label by which clusters are to be grouped. */
  readonly 'unknown-label': { readonly label: string; readonly known: readonly string[] };
  /** The cluster was not read, and is not a peer of one that was. */
  readonly 'cluster-not-live': { readonly name: string; readonly known: readonly string[] };
  /** `advice` is printed after the problem. */
  readonly 'no-service': { readonly problem: string; readonly advice: string };
  /** `advice` is printed after the problem. */
  readonly 'unknown-part': { readonly problem: string; readonly advice: string };
  readonly 'not-linked': { readonly cluster: string; readonly peer: string };
  /** No packet passes directly between the two clusters. */
  readonly 'nothing-open': { readonly cluster: string; readonly peer: string };
  /** Two topologies would be written into one folder. */
  readonly 'same-fleet-name': { readonly fleet: string; readonly topologies: readonly string[] };
  /** The bundles in a folder belong to a fleet with another name. */
  readonly 'out-of-another-fleet': {
    readonly out: string;
    readonly fleet: string;
    readonly other: string;
    readonly topology: string;
  };
  /** The output folder contains separate bundle folders of several fleets. */
  readonly 'out-has-several-fleets': { readonly out: string; readonly fleets: readonly string[] };
  /** The folder that should contain one folder per fleet has bundles itself. `fleets` as in `OutContent`. */
  readonly 'bundles-above-fleets': { readonly out: string; readonly fleets: readonly string[] };
  /** The output folder contains other files, and no bundles. */
  readonly 'out-has-other-files': { readonly out: string; readonly names: readonly string[] };
  readonly 'out-is-repository': { readonly out: string };
  /** The file that `--lock` names is of another kind. */
  readonly 'not-a-lock': { readonly path: string; readonly what: 'topology' | 'keys' | 'git' | 'other' };
  readonly 'lock-of-another-topology': { readonly path: string; readonly topology: string; readonly owner: string };
  /** The plan cannot be written to this path. `reason` follows a colon. */
  readonly 'no-place-for-plan': { readonly path: string; readonly reason: string };
  /** The files of a diff cannot be written to this path. `reason` follows a colon. */
  /** The folder has no states of a change. */
  readonly 'no-stages': { readonly folder: string };
  /** The topology equals none of the states in the folder. */
  readonly 'not-a-stage': { readonly topology: string; readonly folder: string };
  /** The place of the states of a change; the reason follows "PATH:". */
  readonly 'no-place-for-steps': { readonly path: string; readonly reason: string };
  readonly 'no-place-for-diff': { readonly path: string; readonly reason: string };
  /** The entry points name another folder of the repository than that of the bundles; empty for its root. */
  readonly 'entry-points-elsewhere': { readonly topology: string; readonly folder: string; readonly named: string };
  /** Two topologies would write the same object of Argo CD or Flux. */
  readonly 'same-entry-point': {
    readonly object: string;
    readonly key: 'gitops.argo.project' | 'gitops.flux.source';
    readonly topologies: readonly string[];
  };
  /** Texts of the lock; `before` is `undefined` when there is none yet. */
  readonly 'lock-would-change': { readonly lock: string; readonly before: string | undefined; readonly after: string };
  readonly 'fleet-would-be-empty': { readonly topology: string; readonly out: string; readonly files: number };
  readonly 'clusters-would-be-empty': { readonly clusters: readonly string[]; readonly out: string };
  readonly 'tree-blocked': { readonly problems: readonly Problem[] };
  readonly 'tree-busy': { readonly out: string; readonly holder: string };
  /** The two clusters have no link. */
  readonly 'nothing-reflected': { readonly hub: string; readonly receiver: string };
  /**
   * There is no link to build in a lab between these clusters; an empty list means all. `keyless`: some have no keys.
   */
  readonly 'no-link-to-try': { readonly clusters: readonly string[]; readonly keyless: boolean };
  /** `folder` is that of the topology. */
  readonly 'secrets-on-terminal': { readonly folder: string };
  readonly 'secrets-not-read': object;
  /** `place` is a folder, or stdout if that is a file. `repository` is `null` in the folder of a fleet that is in none yet. */
  readonly 'secrets-in-repository': { readonly place: string; readonly repository: string | null };
  /** stdout is closed, or the null device. */
  readonly 'secrets-lost': object;
  readonly 'identities-busy': { readonly identities: string; readonly holder: string };
  readonly 'keys-busy': { readonly keys: string; readonly holder: string };
  /** Gateways whose public keys would be removed from the bundles, although their links stay. */
  readonly 'keys-lost': {
    readonly gateways: readonly { readonly cluster: string; readonly peer: string }[];
    readonly keys: string;
  };
  /** Gateways that would get the public key that another gateway has in the bundles. */
  readonly 'keys-moved': {
    readonly gateways: readonly { readonly cluster: string; readonly peer: string }[];
    readonly keys: string;
  };
  /** Gateways whose public keys are in the bundles, but not in the keys file. */
  readonly 'keys-in-use': {
    readonly gateways: readonly { readonly cluster: string; readonly peer: string }[];
    readonly keys: string;
    readonly out: string;
  };
  /** Gateways whose keys cannot be rotated, because none is recorded. */
  readonly 'keys-not-recorded': {
    readonly gateways: readonly { readonly cluster: string; readonly peer: string }[];
    readonly keys: string;
  };
  /** Gateways without a next key. */
  readonly 'keys-not-prepared': { readonly gateways: readonly { readonly cluster: string; readonly peer: string }[] };
  /** Gateways make their own keys, so that the keys file has no next ones. */
  readonly 'keys-made-by-liqo': { readonly keys: string };
  /** No key is missing, but these keys exist without being in the keys file. `providers` are those of the consumers. */
  readonly 'keys-unknown': {
    readonly gateways: readonly { readonly cluster: string; readonly peer: string }[];
    readonly consumers: readonly string[];
    readonly providers: readonly string[];
    readonly keys: string;
  };
  /** Consumers whose authentication keys would be removed from the bundles, although they still borrow. */
  readonly 'authentication-lost': { readonly consumers: readonly string[]; readonly keys: string };
  /** Consumers whose authentication keys are in the bundles, but not in the keys file. */
  readonly 'authentication-in-use': {
    readonly consumers: readonly string[];
    readonly keys: string;
    readonly out: string;
  };
  /** The base of a change has no topology that can be read. */
  readonly 'no-base-topology': object;
  /** Neither a dump nor a context is given. */
  readonly 'no-live-cluster': {
    readonly command: 'conformance' | 'drift' | 'identities collect' | 'import' | 'keys collect' | 'import --clusters';
  };
  /** Adopting other views of the cluster would move this one, and no dump shows its new address. */
  readonly 'view-not-known': {
    readonly cluster: string;
    readonly peer: string;
    readonly cidr: string;
    readonly was: string;
  };
  /** kubectl cannot read a kind of object in a cluster. */
  readonly 'cluster-not-read': {
    readonly cluster: string;
    readonly context: string;
    readonly resource: string;
    readonly failure: KubectlFailure;
  };
  readonly 'secrets-exist': { readonly path: string };
  readonly 'files-exist': { readonly paths: readonly string[]; readonly command: 'init' | 'import' };
  /** A topology names this file as its schema, but it is another file. */
  readonly 'not-a-schema-of-weft': { readonly path: string };
  /** The name is a part of several keys of the topology. */
  readonly 'several-keys': { readonly name: string; readonly keys: readonly string[] };
  /** The name is the beginning of several codes. */
  readonly 'several-codes': { readonly name: string; readonly codes: readonly string[] };
  readonly 'unknown-code': { readonly code: string; readonly suggestion: string | undefined };
  /** Other files are at paths that bundles of a pull request need. */
  readonly 'bundles-blocked': { readonly problems: readonly Problem[] };
  /** Something that a request to the forge needs is unknown. */
  readonly 'no-repository': object;
  readonly 'no-token': object;
  readonly 'no-pull-request': object;
  readonly 'branch-is-base': { readonly branch: string };
  /** The branch has an open pull request into another branch, `into`. */
  readonly 'branch-of-other-base': {
    readonly branch: string;
    readonly base: string;
    readonly pull: number;
    readonly into: string;
  };
  /** The branch has the manifests of another topology with the same name; see `topologySource`. */
  readonly 'branch-of-other-topology': { readonly branch: string; readonly fleet: string; readonly source: string };
  /** The base branch has links or submodules at paths where generated files belong. */
  readonly 'links-in-the-way': { readonly base: string; readonly paths: readonly string[] };
  /** The manifests go to another repository, and the lock beside the topology is not current. */
  readonly 'lock-is-stale': { readonly lock: string };
  /** The manifests go to another repository, and this file beside the topology was changed by this run. */
  readonly 'collected-not-committed': { readonly file: string };
  readonly 'cluster-would-lose-peers': { readonly cluster: string };
  /** `undone` is the action that is refused. */
  readonly 'too-much-would-be-removed': {
    readonly removals: readonly Removal[];
    readonly undone: 'written' | 'sent';
  };
}

type Problem = Pick<TreeProblem, 'path' | 'message' | 'hint'>;

export type RefusalKind = keyof Refusals;

/** A reason why a use case refuses a request, although the topology has no error. */
export type Refusal<Kind extends RefusalKind = RefusalKind> = {
  readonly [Each in Kind]: { readonly kind: Each } & Refusals[Each];
}[Kind];

/**
 * Thrown when a use case cannot begin: its input is missing or of the wrong kind. Front ends print the refusal; a later
 * refusal of a use case is part of its result.
 */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}
