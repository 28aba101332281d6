import { countOf, listOf, quoted } from '../core/words.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import type { Removal } from '../plan/removal-guard.ts';
import { describeLockChanges } from './describe-lock-changes.ts';
import { describeRemoval } from './describe-removal.ts';

/** Why a use case does not do what it was asked for, although the topology has no error. */
export type Refusal =
  | { readonly kind: 'unknown-cluster'; readonly name: string; readonly known: readonly string[] }
  | { readonly kind: 'not-linked'; readonly cluster: string; readonly peer: string }
  /** Two topologies would be written into one folder. */
  | { readonly kind: 'same-fleet-name'; readonly fleet: string; readonly topologies: readonly string[] }
  | {
      readonly kind: 'lock-would-change';
      readonly lock: string;
      /** Texts of the lock; `undefined` when there is none yet. */
      readonly before: string | undefined;
      readonly after: string;
    }
  | { readonly kind: 'fleet-would-be-empty'; readonly topology: string; readonly out: string; readonly files: number }
  | { readonly kind: 'clusters-would-be-empty'; readonly clusters: readonly string[]; readonly out: string }
  | { readonly kind: 'tree-in-the-way'; readonly problems: readonly TreeProblem[] }
  | { readonly kind: 'tree-busy'; readonly out: string; readonly holder: string }
  /** The two have no link. */
  | { readonly kind: 'nothing-reflected'; readonly hub: string; readonly receiver: string }
  /** No link to build in a lab between these clusters; none named means all. */
  | { readonly kind: 'no-link-to-try'; readonly clusters: readonly string[] }
  /** `folder` is the one that the topology is in. */
  | { readonly kind: 'secrets-on-terminal'; readonly folder: string }
  | { readonly kind: 'secrets-not-read' }
  | { readonly kind: 'secrets-in-repository'; readonly folder: string; readonly topology: string }
  | { readonly kind: 'secrets-exist'; readonly path: string }
  /** Something is where bundles of a pull request would be. */
  | { readonly kind: 'bundles-in-the-way'; readonly problems: readonly TreeProblem[] }
  /** What GitHub has to be asked about, or with, is not known. */
  | { readonly kind: 'no-repository' | 'no-token' | 'no-pull-request' }
  | { readonly kind: 'branch-is-base'; readonly branch: string }
  /** The manifests go to another repository, and the lock beside the topology is not current. */
  | { readonly kind: 'lock-is-stale'; readonly lock: string }
  | { readonly kind: 'cluster-would-lose-peers'; readonly cluster: string }
  | { readonly kind: 'too-much-would-be-removed'; readonly removals: readonly Removal[] }
  | { readonly kind: 'files-exist'; readonly paths: readonly string[] }
  | { readonly kind: 'unknown-code'; readonly asked: string; readonly meant: string | undefined };

interface TreeProblem {
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** A refusal in words. */
export interface RefusalText {
  readonly message: string;
  readonly hint: string | undefined;
}

const KNOWN_SHOWN = 10;

export function describeRefusal(it: Refusal): RefusalText {
  switch (it.kind) {
    case 'unknown-cluster':
      return { message: `the topology has no cluster "${it.name}"`, hint: meantCluster(it.name, it.known) };
    case 'not-linked':
      return {
        message: `"${it.cluster}" and "${it.peer}" are not linked, so there is nothing to decide anew`,
        hint: 'name two ends of a link',
      };
    case 'same-fleet-name':
      return {
        message: `${listOf(it.topologies)} both describe a fleet "${it.fleet}"`,
        hint: 'give each topology a `name` of its own: it is the name of its folder',
      };
    case 'lock-would-change': {
      const what = describeLockChanges(it.before, it.after);
      return {
        message: `the lock ${it.lock} would change${what.length === 0 ? '' : `: ${listOf(what)}`}; nothing is written`,
        hint: 'run weft compile without --frozen-lock and commit the lock',
      };
    }
    case 'fleet-would-be-empty': {
      const what = `${it.topology} has no clusters, and ${it.out}/ has ${countOf(it.files, 'file')} of some`;
      return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
    }
    case 'clusters-would-be-empty': {
      const what = `${listOf(it.clusters.map(quoted))} would have no peer left, and ${it.out}/${it.clusters[0]}/ has some`;
      return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
    }
    case 'tree-in-the-way':
      // All that stands in the way at once; the first one's advice.
      return {
        message: `${it.problems.map(({ path, message }) => `${path}: ${message}`).join('\n')}\nnothing is written`,
        hint: it.problems[0]?.hint,
      };
    case 'tree-busy':
      return {
        message: `${it.out} is being written by ${it.holder}; nothing is written`,
        hint: `run it again when that is done; when no such weft runs any more, delete ${it.out}/.weft/lock`,
      };
    case 'nothing-reflected':
      return {
        message: `"${it.hub}" and "${it.receiver}" have no link, so nothing is reflected from one to the other`,
        hint: `weft view ${it.receiver} shows its peers`,
      };
    case 'no-link-to-try': {
      const [first] = it.clusters;
      return first === undefined
        ? { message: 'there is nothing to try: the topology has no link', hint: undefined }
        : {
            message: `there is nothing to try: no link of ${it.clusters.join(', ')}`,
            hint: `with one name it is built with all its peers: weft lab --cluster ${first}`,
          };
    }
    case 'secrets-on-terminal':
      return {
        message: 'stdout is a terminal, and private keys would stay in its history',
        hint: `pipe them to what seals or applies them, or use --secrets-dir DIR outside ${it.folder}, or insist with --show`,
      };
    case 'secrets-not-read':
      return { message: 'nobody read the Secrets to the end; no key is recorded', hint: 'run it again' };
    case 'secrets-in-repository':
      return {
        message: `${it.folder} is inside the repository of ${it.topology}: private keys would be one git add away from everybody`,
        hint: 'choose a folder outside of it, or pipe the Secrets to what encrypts them',
      };
    case 'secrets-exist':
      return {
        message: `${it.path} is there already, and may hold keys that are nowhere else; nothing is written`,
        hint: 'deliver what is in it and move it away, or choose another folder',
      };
    case 'bundles-in-the-way':
      return {
        message: it.problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
        hint: it.problems[0]?.hint,
      };
    case 'no-repository':
      return { message: 'which repository is meant?', hint: 'name it with --repository owner/name' };
    case 'no-token':
      return {
        message: 'there is no token for GitHub',
        hint: 'give one in WEFT_TOKEN or GITHUB_TOKEN; an option would show it to every process',
      };
    case 'no-pull-request':
      return { message: 'which pull request is meant?', hint: 'name it with --pull-request' };
    case 'branch-is-base':
      return { message: `${it.branch} cannot be merged into itself`, hint: 'name another with --branch' };
    case 'lock-is-stale':
      return {
        message: `the lock ${it.lock} would change, and it does not live in the repository that gets the manifests`,
        hint: 'run weft compile and commit the lock first',
      };
    case 'cluster-would-lose-peers':
      return { message: `"${it.cluster}" would have no peer left; nothing is sent`, hint: DESTROY_HINT };
    case 'too-much-would-be-removed':
      return { message: `${it.removals.map(describeRemoval).join('; ')}; nothing is sent`, hint: DESTROY_HINT };
    case 'files-exist':
      return {
        message: `${listOf(it.paths)} ${it.paths.length === 1 ? 'is' : 'are'} there already; nothing is written`,
        hint: 'start in another folder: weft init DIR',
      };
    case 'unknown-code':
      return {
        message: `there is no diagnostic "${it.asked}"`,
        hint: it.meant === undefined ? 'weft explain lists all of them' : `did you mean "${it.meant}"?`,
      };
  }
}

const DESTROY_HINT =
  'say --allow-destroy when this is meant; `retired: true` lets one cluster leave the fleet in order';

const EMPTY_HINT =
  'set `retired: true` on a cluster that leaves the fleet; when an empty result is meant, say --allow-empty';

function meantCluster(name: string, known: readonly string[]): string {
  const meant = didYouMean(name, known);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return `it has ${known.slice(0, KNOWN_SHOWN).join(', ')}${known.length > KNOWN_SHOWN ? ', ...' : ''}`;
}
