import { describeLockChanges } from '../../answers/report/compile-report.ts';
import { describeRemoval, hintOfRemoval } from '../../answers/report/plan/plan-diagnostics.ts';
import { OWN_PATHS } from '../../base/core/bundle-path.ts';
import { MAKE_OR_COLLECT, readUnknownAuthentication, readUnknownKeys } from '../../base/core/key-pair.ts';
import { visibleFields } from '../../base/core/visible-text.ts';
import { countOf, listOf, quoted, someOf } from '../../base/core/words.ts';
import { didYouMean } from '../../base/diagnostics/did-you-mean.ts';
import type { Refusal, RefusalKind } from '../app/refusal.ts';
import { type ForgeTerms, GITHUB_TERMS } from '../forge/forge.ts';
import { CommandFailure } from './command-failure.ts';
import { EXIT, type ExitCode } from './host.ts';

interface RefusalText {
  readonly message: string;
  readonly hint: string | undefined;
}

/** A refusal as the failure that the user reads, on a forge in its terms. */
export function refused(refusal: Refusal, terms?: ForgeTerms): CommandFailure {
  const { message, hint } = describeRefusal(refusal, terms);
  return new CommandFailure(message.split('\n'), hint, REFUSALS[refusal.kind].exitCode);
}

/** The lines of the message are weft's own: a line break in a name is visible. */
export const describeRefusal = <Kind extends RefusalKind>(
  refusal: Refusal<Kind>,
  terms: ForgeTerms = GITHUB_TERMS,
): RefusalText =>
  REFUSALS[refusal.kind].words(refusal.kind === 'lock-would-change' ? refusal : visibleFields(refusal), terms);

interface WordedRefusal<Facts> {
  readonly words: (it: Facts, terms: ForgeTerms) => RefusalText;
  readonly exitCode: ExitCode;
}

/** weft has checked, and the answer is no. */
const no = <Facts>(words: (it: Facts, terms: ForgeTerms) => RefusalText): WordedRefusal<Facts> => ({
  words,
  exitCode: EXIT.no,
});

/** weft cannot answer. */
const unable = <Facts>(words: (it: Facts, terms: ForgeTerms) => RefusalText): WordedRefusal<Facts> => ({
  words,
  exitCode: EXIT.unable,
});

const START_HINT =
  'name a topology file, or create one with "weft init", or with "weft import" where Liqo runs already';

const DESTROY_HINT =
  'pass --allow-destroy if this is intended, or set `retired: true` on a cluster that leaves the fleet';

const EMPTY_HINT =
  'set `retired: true` on a cluster that leaves the fleet, or pass --allow-empty if an empty result is intended';

const REFUSALS: { readonly [Kind in RefusalKind]: WordedRefusal<Refusal<Kind>> } = {
  'no-folder': unable((it) => ({ message: `there is no folder ${it.folder}`, hint: START_HINT })),
  'no-topologies': unable(({ file, folder, here: [first] }) => ({
    message: `there is no topology here: neither a file ${file} nor a folder ${folder}/`,
    hint:
      first === undefined
        ? START_HINT
        : `if ${first} is one, name it or rename it to ${file}; or create one with "weft init"`,
  })),
  'no-topology-in-folder': unable(({ folder, entries, other }) => ({
    message: `there is no topology (*.yaml) in ${folder}: ${entries.length === 0 ? 'it is empty' : `it contains ${entries.join(', ')}`}${other === null ? '' : `; and no file ${other} beside it`}`,
    hint: START_HINT,
  })),
  'several-topologies': unable(({ folder, topologies, preferred }) => ({
    message: `${folder} contains several topologies: ${topologies.join(', ')}`,
    hint:
      preferred === null
        ? 'name one'
        : `name one, or rename one to ${preferred}, or compile all of them with "weft compile --all"`,
  })),
  'not-a-topology': unable(({ path, what, topology }) => ({
    message: `${path} is ${what === 'lock' ? 'a lock' : 'a keys file'}, not a topology`,
    hint: `did you mean ${topology}?`,
  })),
  'topology-without-ending': unable(({ path }) => ({
    message: `${path} does not end in .yaml, as the file of a topology does; nothing is written`,
    hint: `did you mean ${path.replace(/[/\\]+$/, '')}${/[/\\]$/.test(path) ? '/topology.yaml' : '.yaml'}?`,
  })),
  'no-file': unable(({ path, suggestion }) => ({
    message: `there is no file ${path}`,
    hint: suggestion === undefined ? 'check the path' : `did you mean ${suggestion}?`,
  })),
  'file-is-folder': unable((it) => ({ message: `${it.path} is a folder`, hint: 'name a file' })),
  'file-unreadable': unable((it) => ({ message: `cannot read ${it.path}: ${it.reason}`, hint: it.advice })),
  'no-base': unable((it) => ({
    message: `${it.path} is missing or was not written by weft, so the state before is unknown`,
    hint: 'restore it from git, or compare with a commit such as HEAD (--base)',
  })),
  'no-base-folder': unable((it) => ({
    message: `there is no folder ${it.folder}, from which the plan would start`,
    hint: 'name a checkout of the state before with --base-dir, or a commit with --base',
  })),
  'no-base-commit': unable(() => ({
    message: 'the commit to compare with is not known, so an edit by hand looks like a file that is out of date',
    hint: 'set --base to origin/main, or in a workflow to HEAD^1 with `fetch-depth: 2` for actions/checkout',
  })),
  'base-in-pull-request': unable((it, { pull }) => ({
    message: `the base ${it.ref} is a commit of the ${pull} itself, because the checkout is not the merge of the ${pull}`,
    hint: 'remove `ref` from the inputs of actions/checkout, or set --base to origin/main, with `fetch-depth: 0` for actions/checkout',
  })),
  'not-the-pull-request': unable((it, { pull }) => ({
    message: `the checkout is ${it.checkout}, which is neither the newest commit of the ${pull}, ${it.head}, nor a merge of it`,
    hint: `check out the ${pull} itself: on GitHub, run the job \`on: pull_request\` instead of pull_request_target, without \`ref\` for actions/checkout; newer commits have a run of their own`,
  })),
  'path-outside-folder': unable((it) => ({
    message: `${it.path} is outside ${it.folder}`,
    hint: 'use a base folder with the same paths as the working folder',
  })),
  'path-outside-checkout': unable((it) => ({
    message: `${it.path} is not below ${it.root}, so it cannot be proposed`,
    hint: 'choose a path inside the checked-out repository',
  })),
  'no-bundles': unable((it) => ({
    message: `there is no folder ${it.out}`,
    hint: 'write it with "weft compile", or name another folder with --out',
  })),
  'bundles-not-a-folder': unable((it) => ({
    message: `${it.out} is not a folder`,
    hint: 'name the folder of the bundles with --out',
  })),
  'unknown-cluster': unable((it) => ({
    message: `the topology has no cluster "${it.name}"`,
    hint: suggestCluster(it.name, it.known),
  })),
  'unknown-label': unable(({ label, known }) => ({
    message: `no cluster has the label "${label}"`,
    hint:
      known.length === 0
        ? 'give clusters `labels` in the topology, or leave out --by'
        : `use a label that clusters have: ${someOf(known, NAMES_SHOWN)}`,
  })),
  'cluster-not-live': unable((it) => ({
    message: `no dump is of cluster "${it.name}", and no cluster that was looked at has it as a peer`,
    hint: suggestCluster(it.name, it.known),
  })),
  'no-service': unable(({ problem, advice }) => ({ message: problem, hint: advice })),
  'unknown-part': unable(({ problem, advice }) => ({ message: problem, hint: advice })),
  'not-linked': unable((it) => ({
    message:
      it.cluster === it.peer
        ? `"${it.cluster}" is named twice, and a link has two ends`
        : `"${it.cluster}" and "${it.peer}" are not linked, so there is nothing to decide again`,
    hint: `name the two ends of a link: "weft view ${it.cluster}" lists its peers`,
  })),
  'nothing-open': no((it) => ({
    message: `no port has to be open between "${it.cluster}" and "${it.peer}": they have no link, and none borrows from the other`,
    hint: `run "weft view ${it.cluster} ${it.peer}" for the clusters between them`,
  })),
  'same-fleet-name': no((it) => ({
    message: `${listOf(it.topologies)} both describe a fleet "${it.fleet}"`,
    hint: 'give each topology its own `name`, which is also the name of its folder',
  })),
  'out-of-another-fleet': no(({ out, fleet, other, topology }) => ({
    message: `${out}/ contains the bundles of the fleet "${other}", and ${topology} describes "${fleet}"; nothing is written`,
    hint: `choose another folder with --out, or give every topology its own folder with "weft compile --all"; if "${other}" is the old name of "${fleet}", set \`renamedFrom: ${other}\` in ${topology}`,
  })),
  'out-has-several-fleets': unable(({ out, fleets }) => ({
    message: `${out}/ contains one folder of bundles for each of ${countOf(fleets.length, 'fleet')} (${someOf(fleets, NAMES_SHOWN)}); nothing is written`,
    hint: `compile all of them with "weft compile --all", or name the folder of this one: --out ${out}/NAME`,
  })),
  'bundles-above-fleets': no(({ out, fleets }) => ({
    message: `${out}/ itself contains the bundles of ${fleets.length === 1 ? `the fleet "${fleets[0]}"` : 'a fleet'}, and each of several topologies has a folder of its own in it; nothing is written`,
    hint: `move everything in ${out}/ to ${out}/${fleets.length === 1 ? fleets[0] : 'NAME'}/, and compile again`,
  })),
  'out-has-other-files': unable(({ out, names }) => ({
    message: `${out}/ contains files that no record of weft lists: ${someOf(names, NAMES_SHOWN)}; nothing is written`,
    hint: `name an empty or new folder with --out, or restore ${out}/ from git if these are bundles`,
  })),
  'out-is-repository': unable(({ out }) => ({
    message: `${out}/ is the root of a repository, and bundles need a folder of their own; nothing is written`,
    hint: `name a folder in it: --out ${out === '.' ? '' : `${out}/`}out`,
  })),
  'not-a-lock': unable(({ path, what }) => ({
    message: `${path} ${NOT_A_LOCK[what]}; nothing is written`,
    hint: 'name another file with --lock, or leave it out: then the lock is beside the topology',
  })),
  'lock-of-another-topology': unable(({ path, topology, owner }) => ({
    message: `${path} is the lock of ${owner}, and its decisions would be replaced by those of ${topology}; nothing is written`,
    hint: 'name another file with --lock, or leave it out: then the lock is beside the topology',
  })),
  'no-place-for-plan': unable(({ path, reason }) => ({
    message: `the plan cannot be written to ${path}: ${reason}`,
    hint: 'name another file with --plan-json',
  })),
  'no-stages': unable(({ folder }) => ({
    message: `${folder} has no states of a change`,
    hint: `run "weft plan --steps ${folder}" with the topology that you want, and commit what it writes`,
  })),
  'not-a-stage': no(({ topology, folder }) => ({
    message: `${topology} and the files beside it are none of the states in ${folder}`,
    hint: `they were edited since: run "weft plan --steps" again, with a new folder`,
  })),
  'no-place-for-steps': unable(({ path, reason }) => ({
    message: `${path}: ${reason}; no state is written`,
    hint: 'name a folder that does not exist yet, such as steps',
  })),
  'no-place-for-diff': unable(({ path, reason }) => ({
    message: `the diff cannot be written to ${path}: ${reason}`,
    hint: 'name another folder with --diff',
  })),
  'entry-points-elsewhere': no(({ topology, folder, named }) => ({
    message: `the entry points of ${topology} read ${folderWords(named)}, but the folder for the bundles is ${folderWords(folder)}`,
    hint: `set \`gitops.path: ${folder === '' ? '.' : folder}\` in ${topology}, or choose --out so that the bundles are in ${folderWords(named)}; to compile for a look only, name a folder outside the repository`,
  })),
  'same-entry-point': no((it) => ({
    message: `${listOf(it.topologies)} both write ${it.object}; nothing is written`,
    hint: `give each topology its own \`${it.key}\`, or leave it out: the default contains the name of the fleet`,
  })),
  'lock-would-change': no((it) => {
    const what = describeLockChanges(it.before, it.after);
    return {
      message: `the lock ${it.lock} would change${what.length === 0 ? '' : `: ${listOf(what)}`}; nothing is written`,
      hint: 'run "weft compile" without --frozen-lock and commit the lock',
    };
  }),
  'fleet-would-be-empty': no((it) => {
    const what = `${it.topology} has no clusters, but ${it.out}/ contains ${countOf(it.files, 'file')}`;
    return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
  }),
  'clusters-would-be-empty': no((it) => {
    const what = `${listOf(it.clusters.map(quoted))} would have no peer left, but ${it.out}/${it.clusters[0]}/ contains some`;
    return { message: `${what}; nothing is written`, hint: EMPTY_HINT };
  }),
  'tree-blocked': unable((it) => {
    const { message, hint } = blockedPaths(it);
    return { message: `${message}\nnothing is written`, hint };
  }),
  'tree-busy': unable((it) => ({
    message: `${it.out} is being written by ${it.holder}; nothing is written`,
    hint: `try again when it is done; if that process no longer runs, delete ${it.out}/${OWN_PATHS.processLock}`,
  })),
  'nothing-reflected': no((it) => ({
    message: `"${it.hub}" and "${it.receiver}" have no link, so nothing is reflected from one to the other`,
    hint: `run "weft view ${it.receiver}" to list its peers`,
  })),
  'no-link-to-try': unable((it) => {
    const [first] = it.clusters;
    if (it.keyless) {
      return {
        message: `there is nothing to build: no link${first === undefined ? '' : ` of ${it.clusters.join(', ')}`} has the public keys of both its gateways`,
        hint: `${MAKE_OR_COLLECT}: a link without keys carries nothing`,
      };
    }
    return first === undefined
      ? { message: 'there is nothing to build: the topology has no link', hint: undefined }
      : {
          message: `there is nothing to build: no link of ${it.clusters.join(', ')}`,
          hint: `run "weft lab --cluster ${first}" to build it with all its peers`,
        };
  }),
  'secrets-on-terminal': unable((it) => ({
    message: 'stdout is a terminal, and private keys would stay in its history',
    hint: `pipe them to the tool that seals or applies them, or use --secrets-dir DIR outside ${it.folder}, or pass --show`,
  })),
  'secrets-not-read': unable(() => ({
    message: 'stdout was closed before all Secrets were written; no key was recorded',
    hint: 'run the command again',
  })),
  'secrets-in-repository': unable((it) => ({
    message: `${it.place} is in ${it.repository === null ? 'the folder of the fleet' : `the git repository ${it.repository}`}, where private keys could be committed`,
    hint: 'choose a folder outside of any repository, such as ~/weft-secrets, pipe the Secrets to a tool that encrypts them, or pass --in-repository',
  })),
  'secrets-lost': unable(() => ({
    message: 'stdout is closed or /dev/null, so the private keys would be lost; no key was recorded',
    hint: 'pipe them to the tool that seals or applies them, or use --secrets-dir DIR',
  })),
  'keys-busy': unable((it) => ({
    message: `${it.keys} is being changed by ${it.holder}; no key was recorded`,
    hint: 'try again when it is done',
  })),
  'keys-lost': no((it) => ({
    message: `${countOf(it.gateways.length, 'gateway')} had a key and would have none: ${gatewayNames(it.gateways)}; nothing is written`,
    hint: `restore ${it.keys} from git, or pass --allow-destroy if ${it.gateways.length === 1 ? 'its tunnel is' : 'these tunnels are'} meant to go down`,
  })),
  'keys-moved': no((it) => ({
    message: `${countOf(it.gateways.length, 'gateway')} would have the key that another gateway had: ${gatewayNames(it.gateways)}; nothing is written`,
    hint: `exchange them back in ${it.keys}: no gateway has the private half of the key of another one; pass --allow-destroy if this corrects such a mistake`,
  })),
  'keys-in-use': no((it) => ({
    message: `${countOf(it.gateways.length, 'gateway')} ${it.gateways.length === 1 ? 'has' : 'have'} a key in ${it.out}/ that ${it.keys} does not contain: ${gatewayNames(it.gateways)}; no key was recorded`,
    hint: `restore ${it.keys} from git, or pass --replace to make new keys: each tunnel is down until both ends have theirs`,
  })),
  'keys-not-recorded': no((it) => ({
    message: `${countOf(it.gateways.length, 'gateway')} ${it.gateways.length === 1 ? 'has' : 'have'} no key in ${it.keys} yet: ${gatewayNames(it.gateways)}; no key was made`,
    hint: 'run "weft keys generate" first, or name other links',
  })),
  'keys-not-prepared': no((it) => ({
    message: `${countOf(it.gateways.length, 'gateway')} ${it.gateways.length === 1 ? 'has' : 'have'} no next key: ${gatewayNames(it.gateways)}; nothing is written`,
    hint: 'run "weft keys rotate" for these links first, and apply the Secrets that it makes',
  })),
  'keys-made-by-liqo': no((it) => ({
    message: `gateways make their own keys, so ${it.keys} has no next ones`,
    hint: 'run "weft keys collect --replace" when the gateways have made new keys',
  })),
  'keys-unknown': no(({ gateways, consumers, providers, keys }) => {
    const parts = [
      ...(gateways.length === 0 ? [] : [`those of ${countOf(gateways.length, 'gateway')} (${gatewayNames(gateways)})`]),
      ...(consumers.length === 0 ? [] : [`authentication keys of ${quotedClusters(consumers)}`]),
    ];
    return {
      message: `no key is missing, but some are in use that ${keys} does not know: ${parts.join('; ')}; no key was made`,
      hint: gateways.length > 0 ? readUnknownKeys(gateways) : readUnknownAuthentication(providers),
    };
  }),
  'authentication-lost': no((it) => ({
    message: `${countOf(it.consumers.length, 'cluster')} had an authentication key and would have none: ${quotedClusters(it.consumers)}; nothing is written`,
    hint: `restore ${it.keys} from git, or pass --allow-destroy if ${it.consumers.length === 1 ? 'its' : 'their'} providers are meant to refuse ${it.consumers.length === 1 ? 'it' : 'them'}`,
  })),
  'authentication-in-use': no((it) => ({
    message: `${countOf(it.consumers.length, 'cluster')} ${it.consumers.length === 1 ? 'has' : 'have'} an authentication key in ${it.out}/ that ${it.keys} does not contain: ${quotedClusters(it.consumers)}; no key was recorded`,
    hint: `restore ${it.keys} from git, or pass --replace to make new keys: a provider refuses the new one until it has forgotten the old one`,
  })),
  'identities-busy': unable((it) => ({
    message: `${it.identities} is being changed by ${it.holder}; no answer was recorded`,
    hint: 'try again when it is done',
  })),
  'view-not-known': unable(({ cluster, peer, cidr, was }) => ({
    message: `nothing shows how "${cluster}" sees ${cidr} of "${peer}": the lock has ${was}, which "${cluster}" uses for another peer`,
    hint: `dump "${cluster}" again once its Configuration for "${peer}" has a status, or remove that peer from the topology first`,
  })),
  'no-base-topology': unable(() => ({
    message: 'there is no topology to start from: the last commit has none',
    hint: 'commit the topology that the clusters run, or name its commit with --base REF',
  })),
  'no-live-cluster': unable(({ command }) => ({
    message:
      command === 'conformance'
        ? 'there is no cluster to dial: no context is given'
        : `there is no cluster to read: neither ${command === 'import --clusters' ? 'an inventory' : 'a dump'} nor a context is given`,
    hint:
      command === 'import --clusters'
        ? 'run "weft import --clusters FILE", with what "kubectl get clusters -A -o yaml" or "terraform output -json" printed, or with a table in CSV'
        : command === 'keys collect'
          ? 'run "weft keys collect --context CLUSTER=CONTEXT", or "weft keys collect --live CLUSTER=FILE" with a dump ("weft import --print-commands" prints how to make it)'
          : command === 'identities collect'
            ? 'run "weft identities collect --live CLUSTER=FILE", with what "kubectl get tenants -A -o json" printed, or "weft identities collect --context CLUSTER=CONTEXT"'
            : command === 'conformance'
              ? 'run "weft conformance --context CLUSTER=CONTEXT" with the contexts of at least two clusters'
              : `run "weft ${command} --live DUMPS", with a folder of dumps ("weft import --print-commands" prints how to make them), or "weft ${command} --context CLUSTER=CONTEXT"`,
  })),
  'cluster-not-read': unable(({ cluster, context, resource, failure }) => ({
    message: `kubectl cannot read ${resource} of "${cluster}" in the context ${context}: ${failure.message}`,
    hint: KUBECTL_HINTS[failure.kind],
  })),
  'secrets-exist': unable((it) => ({
    message: `${it.path} already exists and may contain the only copy of its keys; nothing is written`,
    hint: 'deliver its Secrets and move it away, or choose another folder',
  })),
  'files-exist': unable((it) => ({
    message: `${listOf(it.paths)} already ${it.paths.length === 1 ? 'exists' : 'exist'}; nothing is written`,
    hint:
      it.command === 'init'
        ? 'choose another folder: "weft init DIR"; for a newer schema, run "weft init --schema"'
        : 'choose another file: "weft import --topology FILE", or move these away',
  })),
  'not-a-schema-of-weft': unable((it) => ({
    message: `${it.path} is not a schema of weft; nothing is written`,
    hint: 'move it away, or name another file in the first line of the topology',
  })),
  'several-keys': unable((it) => ({
    message: `${countOf(it.keys.length, 'key')} of the topology are called "${it.name}"`,
    hint: `write more of its path: ${someOf(it.keys, KNOWN_SHOWN)}`,
  })),
  'several-codes': unable((it) => ({
    message: `"${it.name}" is in the codes of ${countOf(it.codes.length, 'diagnostic')}`,
    hint: `name one of them: ${listOf(it.codes)}`,
  })),
  'unknown-code': unable((it) => ({
    message: `there is no diagnostic and no key of the topology "${it.code}"`,
    hint: it.suggestion === undefined ? 'run "weft explain" to list them' : `did you mean "${it.suggestion}"?`,
  })),
  'bundles-blocked': unable((it) => blockedPaths(it)),
  'no-repository': unable(() => ({
    message: 'the repository is not known',
    hint: 'name it with --repository, as OWNER/NAME',
  })),
  'no-token': unable((_, { name, token }) => ({
    message: `there is no token for ${name}`,
    hint: `set ${token}`,
  })),
  'no-pull-request': unable((_, { pull }) => ({
    message: `the ${pull} is not known`,
    hint: 'name it with --pull-request',
  })),
  'branch-is-base': unable((it) => ({
    message: `${it.branch} cannot be merged into itself`,
    hint: 'name another branch with --branch',
  })),
  'branch-of-other-base': unable((it, { mark }) => ({
    message: `"${it.branch}" is the branch of ${mark}${it.pull}, which merges into "${it.into}" and not into "${it.base}"; nothing is sent`,
    hint: `close ${mark}${it.pull}, or name another branch with --branch`,
  })),
  'branch-of-other-topology': unable((it) => ({
    message: `"${it.branch}" has the manifests of ${it.source}, which is also named "${it.fleet}"; nothing is sent`,
    hint: `give each topology its own \`name\`, or name another branch with --branch${it.source.includes(':') ? '; if its repository was renamed, pass --force once, and commits of others on the branch are lost' : ''}`,
  })),
  'links-in-the-way': unable((it) => ({
    message: `"${it.base}" has links or submodules where generated files belong: ${someOf(it.paths, PATHS_SHOWN)}; nothing is sent`,
    hint: 'remove them, or name another folder with --out',
  })),
  'collected-not-committed': no((it) => ({
    message: `${it.file} was changed in this checkout and is not committed, and the manifests go to another repository`,
    hint: 'commit it beside the topology first',
  })),
  'lock-is-stale': no((it) => ({
    message: `the lock ${it.lock} would change, and it is not in the repository that receives the manifests`,
    hint: 'run "weft compile" and commit the lock first',
  })),
  'cluster-would-lose-peers': no((it) => ({
    message: `"${it.cluster}" would have no peer left; nothing is sent`,
    hint: DESTROY_HINT,
  })),
  'too-much-would-be-removed': no((it) => ({
    message: `${it.removals.map(describeRemoval).join('; ')}; nothing is ${it.undone}`,
    hint: [...new Set(it.removals.map((one) => hintOfRemoval(one)))].join('; '),
  })),
};

const KUBECTL_HINTS: Readonly<Record<Refusal<'cluster-not-read'>['failure']['kind'], string>> = {
  'not-installed': 'install kubectl, or dump the cluster elsewhere and pass --live CLUSTER=FILE',
  'no-such-context': 'name one of "kubectl config get-contexts": --context CLUSTER=CONTEXT',
  'no-such-kind': 'install Liqo in that cluster, or check the context',
  forbidden: 'allow the user of that context to list these objects, or dump the cluster with another user',
  'not-logged-in': 'log in to the cluster, and try "kubectl get namespaces" with this context',
  unreachable: 'check the network, and try "kubectl get namespaces" with this context',
  'timed-out': 'check the network; a login that waits for an answer must be done before',
  'too-large': 'dump the cluster with kubectl, in one file for each kind, and pass --live CLUSTER=FOLDER',
  unusable: 'look at what "kubectl get" answers with -o json and this context: a wrapper of that name may change it',
  failed: 'try the same with kubectl',
};

const NAMES_SHOWN = 3;

/** The reasons why a file is no lock. */
const NOT_A_LOCK = {
  topology: 'is the topology, not a lock',
  keys: 'is the path of a keys file, not of a lock',
  git: "is in git's own folder, where no lock belongs",
  other: 'is not a lock, and weft would replace it',
} as const;

const MAX_GATEWAYS = 3;

/** `"rome" towards "europe", ...`. */
const gatewayNames = (gateways: readonly { readonly cluster: string; readonly peer: string }[]): string =>
  someOf(
    gateways.map((it) => `${quoted(it.cluster)} towards ${quoted(it.peer)}`),
    MAX_GATEWAYS,
  );

const quotedClusters = (clusters: readonly string[]): string => someOf(clusters.map(quoted), MAX_GATEWAYS);

const folderWords = (folder: string): string => (folder === '' ? 'the root of the repository' : `${folder}/`);

/** The text for all problems, with the hint of the first. */
const blockedPaths = ({ problems }: Pick<Refusal<'tree-blocked'>, 'problems'>): RefusalText => ({
  message: problems.map(({ path, message }) => `${path}: ${message}`).join('\n'),
  hint: problems[0]?.hint,
});

const KNOWN_SHOWN = 10;
const PATHS_SHOWN = 5;

function suggestCluster(name: string, known: readonly string[]): string {
  const suggestion = didYouMean(name, known);
  if (suggestion !== undefined) return `did you mean "${suggestion}"?`;
  const several = name.split(',');
  if (several.length > 1 && several.every((it) => known.includes(it)))
    return 'name one cluster at a time: --cluster may be repeated';
  return `choose one of ${known.slice(0, KNOWN_SHOWN).join(', ')}${known.length > KNOWN_SHOWN ? ', ...' : ''}`;
}
