import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { CommandFailure } from '../../../src/host/front/command-failure.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { memoryHost, TOPOLOGY, workspace } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { forgeOnGitHub } from './forge-on-github.ts';

const TOKEN = 'ghs_0123456789secret';

interface Given {
  readonly mode: 'check' | 'comment' | 'open';
  readonly options?: Readonly<Record<string, unknown>>;
  readonly event?: object;
  readonly env?: Readonly<Record<string, string>>;
  /** Reads the page that is shipped with weft. */
  readonly page?: () => Promise<string>;
}

interface Text {
  readonly path: string;
  readonly text: string;
}

/** The data in a page of a fleet. */
const dataIn = (page: string) => JSON.parse(/id="fleet">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

/** A checkout of the fleet as GitHub Actions makes it, with a forge that holds the same files. */
async function checkout(topology = TOPOLOGY) {
  const it = workspace({ 'topologies/topology.yaml': topology, 'event.json': '{}' });
  const { init, commit } = gitFolder(it.folder);
  init();
  /** The base branch has what is compiled. */
  const weft = async (...argv: readonly string[]) => {
    const answer = await it.weft(...argv);
    commit();
    return answer;
  };
  const github = await forgeOnGitHub({ 'topologies/topology.yaml': topology });
  const run = async ({ mode, options = {}, event = {}, env = {}, page }: Given) => {
    it.write('event.json', JSON.stringify(event));
    it.write('summary.md', '');
    it.write('outputs', '');
    const { host, said } = memoryHost(it.folder, {
      env: {
        GITHUB_WORKSPACE: it.folder,
        GITHUB_REPOSITORY: 'acme/fleet',
        GITHUB_TOKEN: TOKEN,
        GITHUB_EVENT_PATH: join(it.folder, 'event.json'),
        GITHUB_STEP_SUMMARY: join(it.folder, 'summary.md'),
        GITHUB_OUTPUT: join(it.folder, 'outputs'),
        GITHUB_RUN_ID: '7',
        GITHUB_REF: 'refs/heads/main',
        ...env,
      },
    });
    const base = mode === 'open' ? {} : { base: 'HEAD' };
    const call = { args: [mode], options: optionsFor('pr', { ...base, forge: 'github', ...options }) };
    const shipped = page === undefined ? host : { ...host, readBeside: page };
    const code = await prCommand(shipped, call, github.connect).catch((error: unknown) => {
      if (error instanceof CommandFailure) return `refused: ${error.message}; ${error.hint}`;
      throw error;
    });
    const outputs = Object.fromEntries(
      [...it.read('outputs').matchAll(/^(.+)<<(.+)\n([\s\S]*?)\n\2\n/gm)].map(([, name, , value]) => [name, value]),
    );
    return { code, ...said(), outputs, summary: it.read('summary.md') };
  };
  return { ...it, weft, github, run };
}

const PULL = {
  pull_request: {
    number: 4,
    head: { ref: 'edit', repo: { full_name: 'acme/fleet' } },
    base: { repo: { full_name: 'acme/fleet' } },
  },
};
const FORK = { pull_request: { ...PULL.pull_request, head: { ref: 'edit', repo: { full_name: 'stranger/fleet' } } } };
const BROKEN = TOPOLOGY.replace('hub: europe', 'hub: europa');

/** The files of `weft compile` in a folder: path -> text. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const it = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = it.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  const paths = files.filter((path) => !path.startsWith(join(folder, '.git/')));
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), execFileSync('cat', [path], { encoding: 'utf8' })]),
  );
}

describe('weft pr check', () => {
  it('passes a pull request that edits the topology alone, and shows its plan', async () => {
    const it = await checkout();
    await it.weft('keys', 'generate');
    await it.weft('compile');
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    const answer = await it.run({ mode: 'check', options: { 'plan-json': 'plan.json' }, event: PULL });
    expect(answer.code).toBe(0);
    expect(answer.stdout).toMatch(/shortcut/);
    expect(answer.summary).toContain('Blast radius');
    expect(answer.outputs).toEqual({
      ...{ changed: 'true', disruptive: 'true', 'trust-changes': '0', 'plan-json': 'plan.json' },
      ...{ add: '0', change: '0', remove: '1', 'pairs-interrupted': '1' },
      'plan-id': expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(JSON.parse(it.read('plan.json'))).toMatchObject({ fleet: 'europe', empty: false });
    expect(it.github.calls).toEqual([]);
    expect((await it.run({ mode: 'check', options: { current: true } })).code).toBe(1);
  });

  it('tells later steps of another repository, and shows both first, though no flow breaks', async () => {
    const delivered = `gitops: { repository: "https://git.example.com/fleet.git" }\n${TOPOLOGY}`;
    const it = await checkout(delivered);
    await it.weft('compile');
    it.write('topologies/topology.yaml', delivered.replace('git.example.com', 'git.example.net'));
    const dotenv = join(it.folder, 'weft.env');
    const answer = await it.run({ mode: 'check', options: { 'plan-json': 'plan.json' }, event: PULL });
    expect(answer.outputs).toMatchObject({ disruptive: 'true', 'trust-changes': '2', 'pairs-interrupted': '0' });
    // The step that the docs recommend for auto-merge.
    const page = readFileSync(new URL('../../../docs/pull-requests.md', import.meta.url), 'utf8');
    const condition = /^ {2}- if: (.*)\n {4}run: gh pr merge/m.exec(page)?.[1] ?? '';
    expect(condition).toContain("steps.weft.outputs.disruptive == 'false'");
    const [caution = ''] = /> \[!CAUTION\]\n(> .*\n)+/.exec(answer.summary) ?? [];
    const shown = caution.replaceAll('\u200b', '');
    expect(shown).toContain('https://git.example.net/fleet.git instead of https://git.example.com/fleet.git');
    expect(answer.stdout).toContain('https://git.example.net/fleet.git instead of https://git.example.com/fleet.git');
    const [change] = JSON.parse(it.read('plan.json')).changes;
    expect(change).toMatchObject({ kind: 'delivery-changed', trust: true, disruptive: true, setting: 'repository' });
    const env = { GITLAB_CI: 'true', WEFT_DOTENV: dotenv };
    await it.run({ mode: 'check', options: { forge: 'gitlab' }, env });
    expect(it.read('weft.env')).toMatch(/^WEFT_DISRUPTIVE=true\nWEFT_TRUST_CHANGES=2$/m);
  });

  it('tells later steps of an assertion that goes, though no file changes', async () => {
    const asserting = `${TOPOLOGY}assertions:\n  - { from: rome, to: milan, expect: reachable }\n`;
    const it = await checkout(asserting);
    await it.weft('keys', 'generate', '--secrets-dir', join(it.folder, '..', `${Date.now()}`));
    await it.weft('compile');
    it.write('topologies/topology.yaml', TOPOLOGY);
    const answer = await it.run({ mode: 'check', options: {}, event: PULL });
    expect(answer.summary).toContain('no longer demanded: rome must reach milan');
    expect(answer.outputs).toMatchObject({ disruptive: 'true', 'trust-changes': '0', remove: '1' });
  });

  it('writes the diff for later steps, and names it on the page of the run', async () => {
    const it = await checkout();
    await it.weft('compile');
    const without = await it.run({ mode: 'check', options: { diff: 'review' }, event: PULL });
    expect(Object.keys(without.outputs)).not.toContain('diff-html');
    expect(without.summary).not.toContain('Manifest diff');
    it.write('topologies/topology.yaml', TOPOLOGY.replace('203.0.113.30', '203.0.113.31'));
    const answer = await it.run({ mode: 'check', options: { diff: 'review' }, event: PULL });
    expect(answer.code).toBe(0);
    expect(answer.outputs).toMatchObject({
      ...{ 'diff-markdown': 'review/weft-diff.md', 'diff-html': 'review/weft-diff.html' },
    });
    expect(it.read('review/weft-diff.html')).toContain('203.0.113.31');
    expect(answer.summary).toContain('It is in `weft-diff.html` and `weft-diff.md` among the artifacts of this run.');
  });

  describe('with --report', () => {
    const EDITED = TOPOLOGY.replace('203.0.113.30', '203.0.113.31');
    const options = { report: 'review' };
    const edited = async () => {
      const it = await checkout();
      await it.weft('keys', 'generate');
      await it.weft('compile');
      it.write('topologies/topology.yaml', EDITED);
      return it;
    };

    it('writes the fleet before and after as a page, which later steps find and the page of the run names', async () => {
      const it = await checkout();
      await it.weft('compile');
      const unchanged = await it.run({ mode: 'check', options, event: PULL });
      expect([Object.keys(unchanged.outputs), existsSync(join(it.folder, 'review'))]).toEqual([
        expect.not.arrayContaining(['report']),
        false,
      ]);
      it.write('topologies/topology.yaml', EDITED);
      const answer = await it.run({ mode: 'check', options, event: PULL });
      expect([answer.code, answer.outputs['report']]).toEqual([0, 'review/weft-report.html']);
      expect(answer.summary).toContain(
        '**Before and after**: the fleet as a page, `weft-report.html` among the artifacts of this run.',
      );
      const { sources, base } = dataIn(it.read('review/weft-report.html'));
      expect([base.name, base.sources.topology.text, sources.topology.text]).toEqual(['HEAD', TOPOLOGY, EDITED]);
      it.write('topologies/topology.yaml', TOPOLOGY);
      await it.run({ mode: 'check', options, event: PULL });
      expect(existsSync(join(it.folder, 'review/weft-report.html'))).toBe(false);
    });

    it('contains no more than the repository has', async () => {
      const it = await edited();
      const { commit } = gitFolder(it.folder);
      commit();
      it.write('topologies/notes.yaml', 'not in git: s3cret\n');
      await it.run({ mode: 'check', options: { ...options, base: 'HEAD^1' }, event: PULL });
      const page = it.read('review/weft-report.html');
      const { sources, base, drift, out, weft } = dataIn(page);
      expect({ drift, out, weft }).toEqual({ drift: null, out: 'out', weft: '9.9.9 (01234567)' });
      const git = (...argv: readonly string[]) => execFileSync('git', ['-C', it.folder, ...argv], { encoding: 'utf8' });
      for (const [commitOf, side] of [
        ['HEAD', sources],
        ['HEAD^1', base.sources],
      ]) {
        const texts = Object.values<Text | readonly Text[] | undefined>(side).flatMap((one) => one ?? []);
        expect(texts.length).toBeGreaterThan(2);
        for (const { path, text } of texts) expect(git('show', `${commitOf}:${path}`)).toBe(text);
      }
      for (const text of [TOKEN, 's3cret', it.folder]) expect(page).not.toContain(text);
    });

    it.each<[string, (it: Awaited<ReturnType<typeof checkout>>) => Partial<Given>, string]>([
      ['among the bundles', () => ({ options: { report: 'out/x' } }), 'only compiled files belong in out/'],
      [
        'over another file',
        (it) => {
          it.write('review/weft-report.html', 'mine\n');
          return {};
        },
        'it contains something else',
      ],
      ['where weft was not installed with its page', () => ({ page: () => Promise.reject(new Error('gone')) }), 'gone'],
      [
        'that is too large to keep',
        () => ({ page: async () => `<script type="application/json" id="fleet"></script>${'x'.repeat(20_000_000)}` }),
        'more than 20000000',
      ],
    ])('only warns of a page %s', async (_, given, reason) => {
      const it = await edited();
      const without = await it.run({ mode: 'check', event: PULL });
      const env = { GITHUB_ACTIONS: 'true' };
      const answer = await it.run({ mode: 'check', options, event: PULL, env, ...given(it) });
      expect([answer.code, answer.outputs]).toEqual([0, without.outputs]);
      expect(answer.summary).toContain(without.summary);
      expect(answer.summary).toMatch(/^\*\*warning\*\*: there is no report: /m);
      const [annotation = ''] = answer.stdout.match(/^::warning title=weft::there is no report: .*/m) ?? [];
      expect(annotation).toContain(reason);
    });

    it('makes one for each fleet that changes', async () => {
      const it = await checkout();
      const asia = TOPOLOGY.replace('name: europe', 'name: asia');
      it.write('topologies/asia.yaml', asia);
      await it.weft('compile', '--all');
      it.write('topologies/asia.yaml', asia.replace('203.0.113.30', '203.0.113.31'));
      const answer = await it.run({ mode: 'check', options: { ...options, all: true }, event: PULL });
      expect(answer.outputs['report']?.trim()).toBe('review/asia/weft-report.html');
      expect(readdirSync(join(it.folder, 'review'))).toEqual(['asia']);
      expect(dataIn(it.read('review/asia/weft-report.html')).sources.topology.path).toBe('topologies/asia.yaml');
    });

    it('makes none for open, whose pull request contains the manifests', async () => {
      const it = await edited();
      const answer = await it.run({ mode: 'open', options });
      expect([answer.code, existsSync(join(it.folder, 'review'))]).toEqual([0, false]);
    });
  });

  it('annotates mistakes at their lines, fails, and writes nothing', async () => {
    const it = await checkout(BROKEN);
    const before = filesIn(it.folder);
    const answer = await it.run({ mode: 'check', event: PULL, env: { GITHUB_ACTIONS: 'true' } });
    expect(answer.code).toBe(1);
    expect(answer.stdout).toMatch(/^::error file=topologies\/topology\.yaml,line=3,/m);
    expect(answer.summary).toContain('The topology has errors: nothing is planned, written or sent.');
    expect(answer.outputs).toEqual({});
    expect(Object.keys(filesIn(it.folder)).sort()).toEqual([...Object.keys(before), 'outputs', 'summary.md'].sort());
  });

  it('finds a file that somebody edited by hand', async () => {
    const it = await checkout();
    await it.weft('compile');
    it.write(
      'out/rome/nftables/europe.nft',
      `${it.read('out/rome/nftables/europe.nft')}# mine\n`.replace('accept', 'drop'),
    );
    expect((await it.run({ mode: 'check', event: PULL })).code).toBe(1);
  });

  it('fails when too much would go, unless somebody means it', async () => {
    const it = await checkout();
    await it.weft('compile');
    it.write(
      'topologies/topology.yaml',
      TOPOLOGY.replace(/ {2}(rome|milan): .*\n/g, '').replace(/shortcuts[\s\S]*/, ''),
    );
    expect(await it.run({ mode: 'check' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('removes-too-much'),
    });
    expect((await it.run({ mode: 'check', options: { 'allow-destroy': true } })).code).toBe(0);
  });

  it('prints one JSON document with the plan, as the other modes do', async () => {
    const it = await checkout();
    await it.github.openPull(4);
    for (const mode of ['check', 'comment', 'open'] as const) {
      const event = mode === 'comment' ? PULL : {};
      const { stdout } = await it.run({ mode, options: { output: 'json' }, event });
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, plan: { fleet: 'europe' } });
    }
  });
});

describe('weft pr comment', () => {
  it('keeps one comment, of its own, up to date', async () => {
    const it = await checkout();
    await it.github.openPull(4);
    it.github.pushComment(4, 'stranger', '<!-- weft:plan id=europe -->\nnot mine');
    const first = await it.run({ mode: 'comment', event: PULL });
    expect(first).toMatchObject({
      code: 0,
      outputs: { 'pull-request-number': '4', 'comment-url': expect.stringContaining('/pull/4#issuecomment-') },
    });
    expect(it.github.fake.comments).toHaveLength(2);
    expect(it.github.fake.comments[1]?.body).toMatch(
      /^<!-- weft:plan id=europe topology=topologies\/topology.yaml -->\n\*\*Plan: /,
    );
    for (let run = 8; run < 17; run++) await it.run({ mode: 'comment', event: PULL, env: { GITHUB_RUN_ID: `${run}` } });
    expect(it.github.calls.filter((call) => call === 'updateComment')).toEqual([]);
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    expect((await it.run({ mode: 'comment', event: PULL })).stderr).toContain('updated the comment');
    expect(it.github.fake.comments).toHaveLength(2);
    expect(it.github.fake.comments[1]?.body).not.toContain('shortcut');
    expect(it.github.fake.comments[0]?.body).toContain('not mine');
  });

  it('says nothing when nothing changes, but corrects what it said', async () => {
    const it = await checkout();
    await it.github.openPull(4);
    await it.weft('compile');
    expect((await it.run({ mode: 'comment', event: PULL })).stderr).toContain('nothing changes');
    expect(it.github.fake.comments).toEqual([]);
    it.github.pushComment(4, 'weft', '<!-- weft:plan id=europe -->\nold');
    await it.run({ mode: 'comment', event: PULL });
    expect(it.github.fake.comments[0]?.body).not.toContain('old');
  });

  it.each([{ env: {} }, { env: { GITHUB_TOKEN: '' } }])(
    'is content with the page of the run for a fork: %j',
    async ({ env }) => {
      const it = await checkout();
      await it.github.openPull(4);
      const { ForgeError } = await import('../../../src/host/forge/forge.ts');
      it.github.between.set('createComment', () => {
        throw new ForgeError('not-permitted', {
          operation: 'comment',
          reason: 'Resource not accessible by integration',
          status: 403,
          hint: '',
        });
      });
      const answer = await it.run({ mode: 'comment', event: FORK, env });
      expect(answer.code).toBe(0);
      expect(answer.summary).toContain('Blast radius');
      expect(answer.stderr).toContain('from a fork');
    },
  );

  it('sends nothing for a topology with errors', async () => {
    const it = await checkout(BROKEN);
    expect((await it.run({ mode: 'comment', event: PULL })).code).toBe(1);
    expect(it.github.calls).toEqual([]);
  });

  it('asks for what it does not know', async () => {
    const it = await checkout();
    expect((await it.run({ mode: 'comment' })).code).toContain('the pull request is not known');
    expect((await it.run({ mode: 'comment', event: PULL, env: { GITHUB_REPOSITORY: '' } })).code).toContain(
      'the repository is not known',
    );
    expect((await it.run({ mode: 'comment', event: PULL, env: { GITHUB_TOKEN: '' } })).code).toContain(
      'there is no token',
    );
    expect((await it.run({ mode: 'comment', options: { 'pull-request': 'x' } })).code).toContain('not the number');
  });
});

describe('weft pr open', () => {
  it('proposes exactly what weft compile writes', async () => {
    const it = await checkout();
    const answer = await it.run({ mode: 'open' });
    expect(answer).toMatchObject({
      code: 0,
      outputs: {
        changed: 'true',
        operation: 'created',
        branch: 'weft/europe',
        'head-commit': it.github.headOf('weft/europe'),
        'pull-request-number': '1',
        'pull-request-url': 'https://github.com/acme/fleet/pull/1',
      },
    });
    expect(it.github.fake.pulls).toMatchObject([
      { title: 'Manifests of europe', base: 'main', head: { branch: 'weft/europe' }, state: 'open' },
    ]);
    expect(it.github.fake.pulls[0]?.body).toContain('Blast radius');
    expect(answer.summary).toContain('Blast radius');
    const proposed = it.github.filesOf('weft/europe');
    const other = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    await other.weft('compile');
    expect(proposed).toEqual(filesIn(other.folder));
    expect(Object.keys(filesIn(it.folder)).filter((path) => /^out\/|lock/.test(path))).toEqual([]);
  });

  it('goes onto the branch of the pull request that edits the topology', async () => {
    const it = await checkout();
    await it.github.fake.branch('edit');
    await it.run({ mode: 'open', event: PULL, env: { GITHUB_REF: 'refs/pull/4/merge' } });
    expect(it.github.fake.pulls).toMatchObject([{ base: 'edit', head: { branch: 'weft/europe-pr-4' } }]);
  });

  it('is closed with the pull request that it follows', async () => {
    const it = await checkout();
    await it.github.fake.branch('edit');
    const env = { GITHUB_REF: 'refs/pull/4/merge' };
    await it.run({ mode: 'open', event: PULL, env });
    const closed = { pull_request: { ...PULL.pull_request, state: 'closed' } };
    const { stderr, outputs } = await it.run({ mode: 'open', event: closed, env });
    expect(stderr).toContain('#4 is closed; closed #1');
    expect(outputs).toMatchObject({ operation: 'closed', 'pull-request-number': '1' });
    expect(it.github.fake.pulls).toMatchObject([{ state: 'closed' }]);
    expect(it.github.fake.comments[0]?.body).toContain('Nothing is left to merge: #4 is closed. weft closes this');
    expect((await it.run({ mode: 'open', event: closed, env })).stderr).toContain('#4 is closed\n');
    expect(it.github.fake.pulls).toHaveLength(1);
  });

  it('names files that were edited by hand and therefore stay', async () => {
    const it = await checkout();
    await it.weft('compile');
    it.write('out/rome/peers/milan/milan.yaml', 'kind: Pod\n');
    it.write('topologies/topology.yaml', TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''));
    await it.github.pushForeign('main', { 'topologies/topology.yaml': it.read('topologies/topology.yaml') });
    const { stderr, summary } = await it.run({ mode: 'open' });
    const words = '1 file that weft no longer writes stays, because of edits by hand: out/rome/peers/milan/milan.yaml';
    expect(stderr).toContain(words);
    expect(summary).toContain('edits by hand');
  });

  it('leaves forks alone', async () => {
    const it = await checkout();
    expect(await it.run({ mode: 'open', event: FORK })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('from a fork'),
    });
    expect(it.github.calls).toEqual([]);
  });

  it('gives another repository the bundles, and leaves the lock at home', async () => {
    const it = await checkout();
    const elsewhere = { mode: 'open', options: { repository: 'acme/manifests' } } as const;
    expect((await it.run(elsewhere)).code).toContain('commit the lock first');
    await it.weft('compile');
    expect((await it.run(elsewhere)).code).toBe(0);
    const paths = [...it.github.fake.at('acme/manifests').filesAt('weft/europe').keys()];
    expect(paths).toContain('out/rome/kustomization.yaml');
    expect(paths).not.toContain('topologies/topology.lock.yaml');
  });

  it('leaves the word to a newer run when the base branch has another topology', async () => {
    const it = await checkout();
    await it.github.pushForeign('main', { 'topologies/topology.yaml': `${TOPOLOGY}# newer\n` });
    expect(await it.run({ mode: 'open' })).toMatchObject({ code: 0, outputs: { changed: 'false', operation: 'none' } });
    expect(it.github.fake.pulls).toEqual([]);
  });

  it('refuses to take half the fleet down unless somebody means it', async () => {
    const it = await checkout();
    await it.weft('compile');
    it.write(
      'topologies/topology.yaml',
      TOPOLOGY.replace(/ {2}(rome|milan): .*\n/g, '').replace(/shortcuts[\s\S]*/, ''),
    );
    expect((await it.run({ mode: 'open' })).code).toMatch(/nothing is sent/);
    expect(it.github.calls).toEqual([]);
  });

  it('sends nothing for a topology with errors', async () => {
    const it = await checkout(BROKEN);
    expect((await it.run({ mode: 'open' })).code).toBe(1);
    expect(it.github.calls).toEqual([]);
  });

  it('says how to go on where pull requests are not permitted', async () => {
    const it = await checkout();
    const { explainFailure } = await import('../../../src/host/github/ask-github.ts');
    it.github.between.set('createPull', () => {
      throw explainFailure({
        operation: 'open a pull request',
        status: 403,
        reason: 'GitHub Actions is not permitted to create or approve pull requests.',
      });
    });
    const { code } = await it.run({ mode: 'open' });
    expect(code).toContain('https://github.com/acme/fleet/compare/main...weft/europe?expand=1');
    expect(code).toContain('Allow GitHub Actions to create and approve pull requests');
    expect(it.github.fake.branches().includes('weft/europe')).toBe(true);
  });
});

it('never shows a token, not even one that came back in an error', async () => {
  const it = await checkout();
  it.github.between.set('headOf', () => {
    throw new Error(`fetch failed for https://x:${TOKEN}@github.com`, { cause: new Error(TOKEN) });
  });
  const failed = await it.run({ mode: 'open' }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failed).toBeInstanceOf(Error);
  const { message, stack, cause } = failed as Error;
  expect(`${message} ${stack} ${cause}`).not.toContain(TOKEN);
  expect(message).toContain('https://x:***@github.com');
});

it('refuses a token that no header can carry, before a request fails with it', async () => {
  const it = await checkout();
  const { code } = await it.run({ mode: 'open', env: { GITHUB_TOKEN: `${TOKEN}\n${TOKEN.toUpperCase()}` } });
  expect(code).toMatch(/^refused: the token contains a line break, .* set it to the token alone/);
  expect(it.github.calls).toEqual([]);
});

it.each(['a..b', '-x', 'a b', 'weft/x.lock', 'x^'])(
  'refuses %j as a branch before anything is sent',
  async (branch) => {
    const it = await checkout();
    for (const options of [{ branch }, { into: branch }])
      expect((await it.run({ mode: 'open', options })).code).toContain('is not the name of a branch');
    expect(it.github.calls).toEqual([]);
  },
);
