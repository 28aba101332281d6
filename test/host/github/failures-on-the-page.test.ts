import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ACTION_INPUTS, runAction } from '../../../src/host/action/run-action.ts';
import type { RefusalKind } from '../../../src/host/app/refusal.ts';
import { COMMANDS } from '../../../src/host/cli/command-table.ts';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { ForgeError, type ForgeFailure } from '../../../src/host/forge/forge.ts';
import { runPullRequest } from '../../../src/host/front/pull-request/run-pull-request.ts';
import { printFailure } from '../../../src/host/front/show.ts';
import { drawn } from '../../support/drawn.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { memoryHost, TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { WITHOUT_SHORTCUT } from './contract.ts';
import { forgeOnGitHub } from './forge-on-github.ts';

type Mode = 'check' | 'comment' | 'open';
type Front = 'command line' | 'Action';
type Settings = Readonly<Record<string, string>>;

const PATH = 'topologies/topology.yaml';
const SMALL = TOPOLOGY.replace(/ {2}(rome|milan): .*\n/g, '').replace(/shortcuts[\s\S]*/, '');

/** A checkout with a fleet, and the GitHub that it is from. */
async function fleet() {
  const files = { [PATH]: TOPOLOGY };
  const it = workspace({ ...files, 'event.json': '{}' });
  const { init, commit } = gitFolder(it.folder);
  init();
  return { ...it, commit, github: await forgeOnGitHub(files) };
}

type Fleet = Awaited<ReturnType<typeof fleet>>;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: string;
}

interface Run {
  readonly mode: Mode;
  readonly settings?: Settings;
  readonly topology?: string;
  readonly env?: Settings;
  /** Without the commit that a pull request is merged into. */
  readonly noBase?: boolean;
}

/** One mode of `weft pr`, as a workflow runs it with the command line or with the Action. */
async function run(
  it: Fleet,
  front: Front,
  { mode, settings: given = {}, topology, env = {}, noBase = mode === 'open' }: Run,
): Promise<Ran> {
  const settings = noBase ? given : { base: 'HEAD', ...given };
  it.write('summary.md', '');
  const { host, said } = memoryHost(it.folder, {
    env: {
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: it.folder,
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_TOKEN: 'ghs_0123456789secret',
      GITHUB_EVENT_PATH: join(it.folder, 'event.json'),
      GITHUB_STEP_SUMMARY: join(it.folder, 'summary.md'),
      GITHUB_REF: 'refs/heads/main',
      RUNNER_TEMP: it.folder,
      ...env,
      ...(front === 'Action' ? inputsOf({ ...settings, mode, ...(topology === undefined ? {} : { topology }) }) : {}),
    },
  });
  const code =
    front === 'Action'
      ? await runAction(host, (inside, texts, options) => runPullRequest(inside, texts, options, it.github.connect))
      : await commandLine();
  return { code, ...said(), summary: it.read('summary.md') };

  async function commandLine(): Promise<number> {
    const typed = Object.entries(settings).map(([name, value]) => [name, value === 'true' ? true : value]);
    const options = optionsFor('pr', Object.fromEntries(typed));
    const args = topology === undefined ? [mode] : [mode, topology];
    return prCommand(host, { args, options }, it.github.connect).catch((error: unknown) =>
      printFailure(host, error, { color: undefined, debug: false, json: false }),
    );
  }
}

const inputsOf = (settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value]));

interface Row extends Run {
  /** Makes the refusal possible. */
  readonly given?: (it: Fleet) => unknown;
  /** Only one of the fronts has the setting. */
  readonly only?: Front;
  readonly code: 1 | 2;
  /** Words of the refusal. */
  readonly says: string;
}

const elsewhere: Settings = { repository: 'acme/manifests' };

/** The way to each refusal of `weft pr`; a text for those that it cannot reach. */
const REFUSALS: { readonly [Kind in RefusalKind]: Row | string } = {
  'no-folder': 'only --all',
  'no-topologies': {
    mode: 'check',
    given: (it) => rmSync(join(it.folder, 'topologies'), { recursive: true }),
    code: 2,
    says: 'there is no topology here',
  },
  'no-topology-in-folder': {
    ...{ mode: 'check', topology: 'empty', code: 2, says: 'there is no topology (*.yaml) in empty' },
    given: (it) => mkdirSync(join(it.folder, 'empty')),
  },
  'several-topologies': {
    ...{ mode: 'open', topology: 'many', code: 2, says: 'many contains several topologies' },
    given: (it) => ['many/a.yaml', 'many/b.yaml'].forEach((path) => void it.write(path, TOPOLOGY)),
  },
  'topology-without-ending': 'of weft import, which the Action does not run',
  'not-a-topology': {
    mode: 'check',
    topology: 'topologies/topology.lock.yaml',
    code: 2,
    says: 'is a lock, not a topology',
  },
  'no-file': {
    mode: 'check',
    topology: 'topologies/topologie.yaml',
    code: 2,
    says: 'there is no file topologies/topologie',
  },
  'file-is-folder': {
    ...{ mode: 'check', code: 2, says: 'topologies/topology.lock.yaml is a folder' },
    given: (it) => mkdirSync(join(it.folder, 'topologies/topology.lock.yaml')),
  },
  'file-unreadable': {
    ...{ mode: 'check', code: 2, says: 'cannot read topologies/topology.keys.yaml' },
    given: (it) => symlinkSync('topology.keys.yaml', join(it.folder, 'topologies/topology.keys.yaml')),
  },
  'no-base-folder': 'only --base-dir',
  'no-base': {
    ...{ mode: 'open', code: 2, says: 'so the state before is unknown' },
    given: async (it) => {
      await it.weft('compile');
      rmSync(join(it.folder, 'out/addresses.json'));
    },
  },
  'base-in-pull-request': {
    ...{ mode: 'check', code: 2, says: 'is a commit of the pull request itself' },
    given: (it) => {
      const repo = { full_name: 'acme/fleet' };
      const head = { ref: 'edit', sha: it.commit(), repo };
      it.write('event.json', JSON.stringify({ pull_request: { number: 4, head, base: { repo } } }));
    },
  },
  'not-the-pull-request': {
    ...{
      mode: 'check',
      code: 2,
      says: 'which is neither the newest commit of the pull request, aaaaaaaa',
    },
    given: (it) => {
      it.commit();
      const pull = { number: 4, head: { ref: 'edit', sha: 'a'.repeat(40) } };
      it.write('event.json', JSON.stringify({ pull_request: pull }));
    },
  },
  'no-base-commit': { mode: 'check', noBase: true, code: 2, says: 'the commit to compare with is not known' },
  'path-outside-folder': {
    ...{ mode: 'check', only: 'command line', noBase: true, code: 2, says: 'is outside' },
    ...{ settings: { 'base-dir': '.', out: '../out' } },
  },
  'path-outside-checkout': { mode: 'open', settings: { out: '../there' }, code: 2, says: 'so it cannot be proposed' },
  'no-bundles': 'only weft verify',
  'bundles-not-a-folder': 'only weft verify',
  'unknown-cluster': 'only --cluster',
  'unknown-label': 'only weft graph',
  'not-linked': 'only --relock',
  'nothing-open': 'only weft ports',
  'cluster-not-live': 'only --live',
  'no-service': 'only weft trace',
  'unknown-part': 'only weft whatif, trace and graph',
  'same-fleet-name': 'only --all',
  'out-of-another-fleet': {
    ...{ mode: 'open', code: 1, says: 'out/ contains the bundles of the fleet "europe"' },
    given: async (it) => {
      await it.weft('compile');
      it.write(PATH, TOPOLOGY.replace('name: europe', 'name: asia'));
    },
  },
  'out-has-several-fleets': {
    ...{ mode: 'open', code: 2, says: 'out/ contains one folder of bundles for each of 2 fleets' },
    given: async (it) => {
      it.write('topologies/asia.yaml', TOPOLOGY.replace('name: europe', 'name: asia'));
      await it.weft('compile', '--all');
    },
  },
  'bundles-above-fleets': 'only --all',
  'out-has-other-files': {
    ...{ mode: 'open', code: 2, says: 'out/ contains files that no record of weft lists' },
    given: (it) => it.write('out/notes.txt', 'mine\n'),
  },
  'out-is-repository': { mode: 'open', settings: { out: '.' }, code: 2, says: 'is the root of a repository' },
  'no-place-for-plan': {
    ...{ mode: 'open', settings: { 'plan-json': PATH }, code: 2 },
    says: `the plan cannot be written to ${PATH}: it contains something else`,
  },
  'no-stages': 'only weft pr open --stage',
  'not-a-stage': 'only weft pr open --stage',
  'no-place-for-steps': 'only weft plan --steps',
  'no-place-for-diff': {
    ...{ mode: 'open', settings: { diff: 'mine' }, code: 2 },
    says: 'the diff cannot be written to mine/weft-diff.html: it contains something else',
    given: (it) => it.write('mine/weft-diff.html', 'mine\n'),
  },
  'not-a-lock': {
    ...{ mode: 'open', settings: { lock: 'notes.txt' }, code: 2, says: 'notes.txt is not a lock' },
    given: (it) => it.write('notes.txt', 'mine\n'),
  },
  'lock-of-another-topology': {
    ...{
      mode: 'open',
      settings: { lock: 'topologies/b.lock.yaml' },
      code: 2,
      says: 'is the lock of topologies/b.yaml',
    },
    given: (it) => it.write('topologies/b.yaml', TOPOLOGY),
  },
  'entry-points-elsewhere': {
    ...{ mode: 'check', code: 1, says: 'other' },
    given: (it) =>
      it.write(PATH, `${TOPOLOGY}gitops: { repository: https://example.com/network, path: other, argo: {} }\n`),
  },
  'same-entry-point': 'only --all',
  'lock-would-change': 'only --frozen-lock',
  'fleet-would-be-empty': 'only weft compile',
  'clusters-would-be-empty': 'only weft compile',
  'tree-blocked': 'only weft compile',
  'tree-busy': 'only weft compile',
  'nothing-reflected': 'only weft translate',
  'no-link-to-try': 'only weft lab',
  'secrets-on-terminal': 'only weft keys generate',
  'secrets-not-read': 'only weft keys generate',
  'secrets-in-repository': 'only weft keys generate',
  'secrets-lost': 'only weft keys generate',
  'authentication-in-use': 'only weft keys generate',
  'authentication-lost': 'only weft compile',
  'keys-lost': 'only weft compile',
  'keys-moved': 'only weft compile',
  'keys-busy': 'only weft keys generate',
  'keys-in-use': 'only weft keys generate',
  'keys-not-recorded': 'only weft keys rotate',
  'keys-not-prepared': 'only weft keys rotate',
  'no-base-topology': 'only weft plan --steps',
  'keys-made-by-liqo': 'only weft keys rotate',
  'keys-unknown': 'only weft keys generate',
  'identities-busy': 'only weft identities collect',
  'no-live-cluster': 'only commands that read clusters',
  'view-not-known': 'only commands that read clusters',
  'cluster-not-read': 'only commands that read clusters',
  'secrets-exist': 'only weft keys generate',
  'files-exist': 'only weft init and weft import',
  'not-a-schema-of-weft': 'only weft init',
  'several-codes': 'only weft explain',
  'several-keys': 'only weft explain',
  'unknown-code': 'only weft explain',
  'bundles-blocked': {
    ...{ mode: 'open', code: 2, says: 'out/rome' },
    given: async (it) => {
      await it.weft('compile');
      rmSync(join(it.folder, 'out/rome'), { recursive: true });
      symlinkSync('..', join(it.folder, 'out/rome'));
    },
  },
  'no-repository': { mode: 'open', env: { GITHUB_REPOSITORY: '' }, code: 2, says: 'the repository is not known' },
  'no-token': { mode: 'open', env: { GITHUB_TOKEN: '' }, code: 2, says: 'there is no token for GitHub' },
  'no-pull-request': { mode: 'comment', code: 2, says: 'the pull request is not known' },
  'branch-is-base': {
    ...{ mode: 'open', settings: { branch: 'main', into: 'main' }, code: 2, says: 'cannot be merged into itself' },
  },
  'branch-of-other-base': {
    ...{ mode: 'open', settings: { branch: 'manifests' }, code: 2, says: 'is the branch of #9' },
    given: (it) => it.github.fake.branch('dev').then(() => openInto(it, 'dev')),
  },
  'branch-of-other-topology': {
    ...{ mode: 'open', settings: { branch: 'weft/x' }, code: 2, says: 'has the manifests of topologies/other.yaml' },
    given: async (it) => {
      it.write('topologies/other.yaml', WITHOUT_SHORTCUT);
      await it.github.fake.commit('weft/x', { 'a.md': 'a\n' }, { message: OTHER_TOPOLOGY });
    },
  },
  'links-in-the-way': {
    ...{ mode: 'open', code: 2, says: '"main" has links or submodules where generated files belong' },
    given: (it) => it.github.fake.commit('main', { out: 'README.md' }, { modes: { out: '120000' } }),
  },
  'collected-not-committed': {
    ...{ mode: 'open', settings: elsewhere, code: 1, says: 'is not committed' },
    given: async (it) => {
      await it.weft('compile');
      it.commit();
      it.write('topologies/topology.identities.yaml', 'version: 1\nidentities: {}\n');
    },
  },
  'lock-is-stale': {
    mode: 'open',
    settings: elsewhere,
    code: 1,
    says: 'the lock topologies/topology.lock.yaml would change',
  },
  'cluster-would-lose-peers': { mode: 'open', given: shrink, code: 1, says: 'would have no peer left' },
  'too-much-would-be-removed': {
    ...{ mode: 'open', settings: { 'max-removed': '0' }, code: 1, says: 'nothing is sent' },
    given: async (it) => {
      await it.weft('compile');
      it.commit();
      it.write(PATH, TOPOLOGY.replace(/ {2}milan: .*\n/, '').replace(/shortcuts[\s\S]*/, ''));
    },
  },
};

const OTHER_TOPOLOGY = `Compile\n\nWeft-Topology: topologies/other.yaml\nWeft-Topology-Digest: sha256:${'a'.repeat(64)}\n`;

const openInto = (it: Fleet, base: string) =>
  it.github.fake.openPull({ number: 9, branch: 'manifests', base, author: it.github.fake.user });

async function shrink(it: Fleet): Promise<void> {
  await it.weft('compile');
  it.commit();
  it.write(PATH, SMALL);
}

/** Checks the texts of the page: no flag for users of the Action, and only existing settings. */
function expectKnownSettings(text: string, front: Front): void {
  const outsideOfCommands = text.replace(/"weft [^"]*"/g, '').replace(/git config --global --add/, '');
  const flags = [...outsideOfCommands.matchAll(/(?<![\w-])--([a-z][a-z-]+)/g)].map(([, name]) => name);
  const options: readonly string[] = COMMANDS.find(({ name }) => name === 'pr')?.options.map(({ long }) => long) ?? [];
  if (front === 'Action') expect(flags).toEqual([]);
  else for (const name of flags) expect(options).toContain(name);
  for (const [, name] of text.matchAll(/the input "([^"]*)"/g)) expect(ACTION_INPUTS).toContain(name);
  if (front === 'Action') expect(text).not.toContain('WEFT_TOKEN');
}

const annotations = ({ stdout }: Ran, level: string): readonly string[] =>
  stdout.split('\n').filter((line) => line.startsWith(`::${level} title=weft::`));

/** Markdown escapes; the letters are enough to find a sentence again. */
const letters = (text: string): string => text.replace(/<br>|[^\p{L}\p{N}]/gu, '');

describe.each(['command line', 'Action'] as const)('on the page of a run of the %s', (front) => {
  const rows = Object.entries(REFUSALS).flatMap(([kind, row]) =>
    typeof row === 'string' || (row.only ?? front) !== front ? [] : [[kind, row] as const],
  );

  it.each(drawn(rows, ([kind]) => kind === rows[0]?.[0]))(
    'the refusal %s is an annotation and in the summary',
    async (_, row) => {
      const it = await fleet();
      await row.given?.(it);
      const ran = await run(it, front, row);
      expect(ran.stderr).toContain(row.says);
      const [annotation = ''] = annotations(ran, 'error');
      expect(annotation).toContain(row.says);
      expect(letters(ran.summary)).toContain(letters(row.says));
      expect(ran.code).toBe(row.code);
      expectKnownSettings(`${annotation}\n${ran.stderr}`, front);
    },
  );

  const FAILURES: { readonly [Kind in ForgeFailure]: string } = {
    'not-signed-in': 'Bad credentials',
    'not-permitted': 'Resource not accessible by integration',
    'pulls-not-permitted': 'GitHub Actions is not permitted to create or approve pull requests.',
    protected: 'Protected branch update failed for refs/heads/weft/x.',
    'not-found': 'it does not exist',
    empty: 'Git Repository is empty.',
    limited: 'API rate limit exceeded',
    'too-large': 'Your input was too large',
    unreachable: 'socket hang up',
    refused: 'Something new',
  };

  it.each(drawn(Object.entries(FAILURES), ([kind]) => kind === 'unreachable'))(
    'the failure %s is an annotation and in the summary',
    async (failure, reason) => {
      const it = await fleet();
      it.github.between.set('headOf', () => {
        const details = { operation: 'read the branch main', reason, status: 0, hint: 'name it with --into' };
        throw new ForgeError(failure as ForgeFailure, details);
      });
      const ran = await run(it, front, { mode: 'open' });
      const [annotation = ''] = annotations(ran, 'error');
      expect(annotation).toContain(`cannot read the branch main: ${reason}`);
      expect(letters(ran.summary)).toContain(letters(reason));
      expect(ran.code).toBe(2);
      expectKnownSettings(`${annotation}\n${ran.stderr}`, front);
    },
  );

  it('mistakes of the topology are annotations at their lines, and a table', async () => {
    for (const mode of ['check', 'comment', 'open'] as const) {
      const it = await fleet();
      it.write(PATH, TOPOLOGY.replace('hub: europe', 'hub: europa'));
      const ran = await run(it, front, { mode, settings: { 'pull-request': '4' } });
      expect(ran.stdout).toMatch(/^::error file=topologies\/topology\.yaml,line=3,/m);
      expect(ran.summary).toContain('The topology has errors');
      expect(ran.code).toBe(1);
    }
  });

  it('an edit by hand is an annotation at its line, and a row of the summary, in check and in comment', async () => {
    const it = await fleet();
    await it.github.openPull(4);
    await it.weft('compile');
    it.commit();
    const path = 'out/rome/nftables/europe.nft';
    it.write(path, it.read(path).replace('accept', 'drop'));
    for (const mode of ['check', 'comment'] as const) {
      const ran = await run(it, front, { mode, settings: { 'pull-request': '4' } });
      expect(ran.stdout).toMatch(/^::error file=out\/rome\/nftables\/europe\.nft,line=\d+,/m);
      expect(ran.summary).toContain('`out/rome/nftables/europe.nft:');
      expect(ran.code).toBe(1);
    }
  });

  it('bundles that are out of date are an error', async () => {
    const it = await fleet();
    const ran = await run(it, front, { mode: 'check', settings: { current: 'true' } });
    expect(annotations(ran, 'error')).toEqual([
      expect.stringContaining('out/ is out of date with topologies/topology'),
    ]);
    expect(letters(ran.summary)).toContain(letters('out/ is out of date with topologies'));
    expect(ran.code).toBe(1);
  });

  it('an outdated checkout is a warning', async () => {
    const it = await fleet();
    await it.github.pushForeign('main', { [PATH]: `${TOPOLOGY}# newer\n` });
    const ran = await run(it, front, { mode: 'open' });
    expect(annotations(ran, 'warning')).toEqual([
      expect.stringContaining('topologies/topology.yaml differs between "main"'),
    ]);
    expect(letters(ran.summary)).toContain(letters('differs between "main" and this checkout'));
    expect(ran.code).toBe(0);
  });

  it('a conflict is a warning, and so are edits that weft overwrites', async () => {
    const it = await fleet();
    await run(it, front, { mode: 'open' });
    await it.github.fake.merge(1);
    for (const [path, text] of it.github.fake.filesAt('main')) it.write(path, text);
    it.write(PATH, WITHOUT_SHORTCUT);
    await it.github.pushForeign('main', { [PATH]: WITHOUT_SHORTCUT, 'README.md': 'one\n' });
    await run(it, front, { mode: 'open' });
    const branch = 'weft/europe';
    await it.github.pushForeign(branch, { 'README.md': 'mine\n', 'out/rome/kustomization.yaml': 'mine\n' });
    await it.github.pushForeign('main', { 'README.md': 'theirs\n', 'out/milan/kustomization.yaml': 'theirs\n' });
    const ran = await run(it, front, { mode: 'open' });
    expect(annotations(ran, 'warning')).toEqual([
      expect.stringContaining('overwritten although others edited them; the edits stay in the history: out/rome'),
      expect.stringContaining('changed on both branches, so a person must merge them: README.md'),
    ]);
    for (const words of ['overwritten although others edited', 'must merge them: README.md'])
      expect(letters(ran.summary)).toContain(letters(words));
    expect(ran.code).toBe(0);
  });

  it('a run that gets no pull request or no comment is a notice', async () => {
    const it = await fleet();
    const queue = { GITHUB_EVENT_NAME: 'merge_group', GITHUB_REF: 'refs/heads/gh-readonly-queue/main/pr-1-a' };
    const own = { GITHUB_REF: 'refs/heads/weft/europe' };
    const cases = [
      [{ mode: 'open', env: queue }, 'a merge queue gets no pull request'],
      [{ mode: 'comment', env: queue }, 'a merge queue has no pull request to comment on'],
      [{ mode: 'open', env: own }, 'this is a branch of weft'],
    ] as const;
    for (const [given, words] of cases) {
      const ran = await run(it, front, given);
      expect(annotations(ran, 'notice')).toEqual([expect.stringContaining(words)]);
      expect(letters(ran.summary)).toContain(letters(words));
      expect(ran.code).toBe(0);
    }
  });

  it('a document for programs stays one document', async () => {
    if (front === 'Action') return;
    const it = await fleet();
    const ran = await run(it, front, { mode: 'open', settings: { output: 'json' }, env: { GITHUB_TOKEN: '' } });
    expect(ran.stdout).not.toContain('::');
    expect(ran.summary).toContain('there is no token for GitHub');
  });
});

it('annotates files by their path in the checkout, which may be a folder of the workspace', async () => {
  const it = await fleet();
  const path = 'fleet/topologies/topology.yaml';
  it.write(path, TOPOLOGY.replace('hub: europe', 'hub: europa'));
  mkdirSync(join(it.folder, 'fleet/.git'));
  for (const given of [{ topology: path }, { settings: { 'working-directory': 'fleet' } }] as const) {
    const ran = await run(it, 'Action', { mode: 'check', ...given });
    expect(ran.stdout).toMatch(/^::error file=topologies\/topology\.yaml,line=3,/m);
    expect(ran.summary).toContain('`topologies/topology.yaml:3`');
  }
});
