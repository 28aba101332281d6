import { countOf, listOf, quoted } from '../core/words.ts';
import { didYouMean } from '../diagnostics/did-you-mean.ts';
import { describeLockChanges } from './describe-lock-changes.ts';
import { describeRemoval } from './describe-removal.ts';
import type { Refusal, RefusalKind } from './refusal.ts';

/** A refusal in words. */
export interface RefusalText {
  readonly message: string;
  readonly hint: string | undefined;
}

export const describeRefusal = <Kind extends RefusalKind>(refusal: Refusal<Kind>): RefusalText =>
  WORDS[refusal.kind](refusal);

const START_HINT = 'name a topology file, or start one with weft init';

const DESTROY_HINT =
  'say --allow-destroy when this is meant; `retired: true` lets one cluster leave the fleet in order';

const EMPTY_HINT =
  'set `retired: true` on a cluster that leaves the fleet; when an empty result is meant, say --allow-empty';

const WORDS: { readonly [Kind in RefusalKind]: (it: Refusal<Kind>) => RefusalText } = {
  'no-folder': (it) => ({ message: `there is no folder ${it.folder}`, hint: START_HINT }),
  'no-topologies': (it) => ({ message: `there is no topology here: no folder ${it.folder}/`, hint: START_HINT }),
  'no-topology-in-folder': ({ folder, entries }) => ({
    message: `there is no topology in ${folder}: ${entries.length === 0 ? 'it is empty' : `it has ${entries.join(', ')}`}`,
    hint: `a topology is a *.yaml file there; ${START_HINT}`,
  }),
  'several-topologies': ({ folder, topologies, preferred }) => ({
    message: `which topology is meant? ${folder} has ${topologies.join(', ')}`,
    hint: preferred === null ? 'name one' : `name one, or call one of them ${preferred}, or compile --all`,
  }),
  'not-a-topology': ({ path, what, topology }) => ({
    message: `${path} is ${what === 'lock' ? 'a lock' : 'a keys file'}, not a topology`,
    hint: `did you mean ${topology}?`,
  }),
  'no-file': ({ path, meant }) => ({
    message: `there is no file ${path}`,
    hint: meant === undefined ? 'check the path' : `did you mean ${meant}?`,
  }),
  'file-is-folder': (it) => ({ message: `${it.path} is a folder`, hint: 'name a file' }),
  'file-unreadable': (it) => ({ message: `cannot read ${it.path}: ${it.reason}`, hint: it.advice }),
  'no-base': (it) => ({
    message: `${it.path} is missing or not as weft writes it, so nobody can say what there was`,
    hint: 'take it back from git, or compare with a commit: --base HEAD',
  }),
  'path-outside-folder': (it) => ({
    message: `${it.path} lies outside ${it.folder}`,
    hint: 'a base folder has the same paths as the folder that weft is called in',
  }),
  'path-outside-checkout': (it) => ({
    message: `${it.path} is not below ${it.root}`,
    hint: 'only files of the checked out repository can be proposed',
  }),
  'no-bundles': (it) => ({
    message: `there is no folder ${it.out}`,
    hint: 'write it with weft compile, or name another with --out',
  }),
  'bundles-not-a-folder': (it) => ({
    message: `${it.out} is not a folder`,
    hint: 'name the folder of the bundles with --out',
  }),
  'unknown-cluster': (it) => ({
    message: `the topology has no cluster "${it.name}"`,
    hint: meantCluster(it.name, it.known),
  }),
  'not-linked': (it) => ({
    message: `"${it.cluster}" and "${it.peer}" are not linked, so there is nothing to decide anew`,
    hint: 'name two ends of a link',
  }),
  'same-fleet-name': (it) => ({
    message: `${listOf(it.topologies)} both describe a fleet "${it.fleet}"`,
    hint: 'give each topology a `name` of its own: it is the name of its folder',
  }),
  'lock-would-change': (it) => {
    const what = describeLockChanges(it.before, it.after);
    return {
      message: `the lock ${it.lock} would change${what.length === 0 ? '' : `: ${listOf(what)}`}; nothing is written`,
      hint: 'run weft compile without --frozen-lock and commit the lock',
    };
  },
  'fleet-would-be-empty': (it) => {
    const what = `${it.topology} has no clusters, and ${it.out}/ has ${countOf(it.files, 'file')} of some`;
    return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
  },
  'clusters-would-be-empty': (it) => {
    const what = `${listOf(it.clusters.map(quoted))} would have no peer left, and ${it.out}/${it.clusters[0]}/ has some`;
    return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
  },
  'tree-in-the-way': (it) => {
    const { message, hint } = inTheWay(it);
    return { message: `${message}\nnothing is written`, hint };
  },
  'tree-busy': (it) => ({
    message: `${it.out} is being written by ${it.holder}; nothing is written`,
    hint: `run it again when that is done; when no such weft runs any more, delete ${it.out}/.weft/lock`,
  }),
  'nothing-reflected': (it) => ({
    message: `"${it.hub}" and "${it.receiver}" have no link, so nothing is reflected from one to the other`,
    hint: `weft view ${it.receiver} shows its peers`,
  }),
  'no-link-to-try': (it) => {
    const [first] = it.clusters;
    return first === undefined
      ? { message: 'there is nothing to try: the topology has no link', hint: undefined }
      : {
          message: `there is nothing to try: no link of ${it.clusters.join(', ')}`,
          hint: `with one name it is built with all its peers: weft lab --cluster ${first}`,
        };
  },
  'secrets-on-terminal': (it) => ({
    message: 'stdout is a terminal, and private keys would stay in its history',
    hint: `pipe them to what seals or applies them, or use --secrets-dir DIR outside ${it.folder}, or insist with --show`,
  }),
  'secrets-not-read': () => ({
    message: 'nobody read the Secrets to the end; no key is recorded',
    hint: 'run it again',
  }),
  'secrets-in-repository': (it) => ({
    message: `${it.folder} is inside the repository of ${it.topology}: private keys would be one git add away from everybody`,
    hint: 'choose a folder outside of it, or pipe the Secrets to what encrypts them',
  }),
  'secrets-exist': (it) => ({
    message: `${it.path} is there already, and may hold keys that are nowhere else; nothing is written`,
    hint: 'deliver what is in it and move it away, or choose another folder',
  }),
  'files-exist': (it) => ({
    message: `${listOf(it.paths)} ${it.paths.length === 1 ? 'is' : 'are'} there already; nothing is written`,
    hint: 'start in another folder: weft init DIR',
  }),
  'unknown-code': (it) => ({
    message: `there is no diagnostic "${it.asked}"`,
    hint: it.meant === undefined ? 'weft explain lists all of them' : `did you mean "${it.meant}"?`,
  }),
  'bundles-in-the-way': (it) => inTheWay(it),
  'no-repository': () => ({ message: 'which repository is meant?', hint: 'name it with --repository owner/name' }),
  'no-token': () => ({
    message: 'there is no token for GitHub',
    hint: 'give one in WEFT_TOKEN or GITHUB_TOKEN; an option would show it to every process',
  }),
  'no-pull-request': () => ({ message: 'which pull request is meant?', hint: 'name it with --pull-request' }),
  'branch-is-base': (it) => ({
    message: `${it.branch} cannot be merged into itself`,
    hint: 'name another with --branch',
  }),
  'lock-is-stale': (it) => ({
    message: `the lock ${it.lock} would change, and it does not live in the repository that gets the manifests`,
    hint: 'run weft compile and commit the lock first',
  }),
  'cluster-would-lose-peers': (it) => ({
    message: `"${it.cluster}" would have no peer left; nothing is sent`,
    hint: DESTROY_HINT,
  }),
  'too-much-would-be-removed': (it) => ({
    message: `${it.removals.map(describeRemoval).join('; ')}; nothing is sent`,
    hint: DESTROY_HINT,
  }),
};

/** All that is in the way at once; the first one's advice. */
const inTheWay = ({ problems }: Pick<Refusal<'tree-in-the-way'>, 'problems'>): RefusalText => ({
  message: problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
  hint: problems[0]?.hint,
});

const KNOWN_SHOWN = 10;

function meantCluster(name: string, known: readonly string[]): string {
  const meant = didYouMean(name, known);
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return `it has ${known.slice(0, KNOWN_SHOWN).join(', ')}${known.length > KNOWN_SHOWN ? ', ...' : ''}`;
}
