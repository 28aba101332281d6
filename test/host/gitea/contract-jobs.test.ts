import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { CommandFailure } from '../../../src/host/front/command-failure.ts';
import { openGitea } from '../../../src/host/gitea/open-gitea.ts';
import type { ConnectForge } from '../../../src/host/http/proxies.ts';
import { memoryHost, TOPOLOGY } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { giteaWithFleet } from './forge-on-gitea.ts';

const TOPOLOGY_PATH = 'topologies/topology.yaml';
const WITHOUT_SHORTCUT = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');

interface Job {
  readonly mode?: 'check' | 'comment' | 'open';
  readonly options?: Readonly<Record<string, unknown>>;
  /** The branch that the job checks out. */
  readonly on?: string;
  /** The pull request that started the job; `from` is the repository of its branch. */
  readonly pull?: { readonly number: number; readonly from?: string };
  readonly token?: string;
}

/** A Gitea with a fleet on it, and jobs of its runner that check it out with the real git and call `weft pr`. */
async function fleetOnGitea() {
  const files = { [TOPOLOGY_PATH]: TOPOLOGY, 'README.md': 'a fleet\n' };
  const it = await giteaWithFleet({ repositories: [{ owner: 'acme', name: 'fleet', files }] });
  const { fake, gitea } = it;
  const scratch = mkdtempSync(join(tmpdir(), 'weft-jobs-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const connect: ConnectForge = ({ proxies, env, ...settings }) =>
    openGitea({ ...settings, product: 'Gitea', clock: fake.clock, fetch: gitea.fetch }, { proxies, env });
  let jobs = 0;
  const weftPr = async ({ mode = 'open', options = {}, on = 'main', pull, token = gitea.weft.token }: Job = {}) => {
    jobs++;
    const folder = fake.checkout(on);
    const fileOf = (name: string): string => join(scratch, `${name}-${jobs}`);
    const event = pull && {
      number: pull.number,
      merge_base: fake.world.repositories[0]?.store.mergeBase(fake.headOf('main') ?? '', fake.headOf(on) ?? ''),
      head: { ref: on, sha: fake.headOf(on), repo: { full_name: pull.from ?? 'acme/fleet' } },
      base: { ref: 'main', sha: fake.headOf('main'), repo: { full_name: 'acme/fleet' } },
    };
    writeFileSync(fileOf('event'), JSON.stringify(event === undefined ? {} : { pull_request: event }));
    writeFileSync(fileOf('summary'), '');
    // The variables of the runner of Gitea 1.26.
    const server = gitea.apiUrl.replace('/api/v1', '');
    const env = {
      ...{ PATH: process.env['PATH'] ?? '', CI: 'true', GITEA_ACTIONS: 'true', GITHUB_ACTIONS: 'true' },
      ...{ GITHUB_API_URL: gitea.apiUrl, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: 'acme/fleet' },
      ...{ GITHUB_WORKSPACE: folder, GITHUB_EVENT_PATH: fileOf('event'), GITHUB_RUN_NUMBER: String(jobs) },
      ...{ GITHUB_EVENT_NAME: pull ? 'pull_request' : 'push', GITHUB_OUTPUT: fileOf('outputs') },
      ...{ GITHUB_REF: pull ? `refs/pull/${pull.number}/head` : `refs/heads/${on}` },
      ...{ GITHUB_STEP_SUMMARY: fileOf('summary'), GITHUB_TOKEN: token },
    };
    const { host, said } = memoryHost(folder, { env });
    const code = await prCommand(host, { args: [mode], options: optionsFor('pr', options) }, connect).catch(
      (error: unknown) => {
        if (error instanceof CommandFailure) return `${error.message}\n${error.hint ?? ''}`;
        throw error;
      },
    );
    const ran = { code, ...said(), summary: readFileSync(fileOf('summary'), 'utf8') };
    expect(JSON.stringify(ran)).not.toContain(gitea.weft.token);
    return ran;
  };
  const edit = (text: string, branch = 'main') => fake.commit(branch, { [TOPOLOGY_PATH]: text });
  return { ...it, weftPr, edit };
}

describe('weft pr open in Gitea Actions', () => {
  it('keeps one pull request with the manifests, with the token of the job', async () => {
    const it = await fleetOnGitea();
    expect((await it.weftPr()).stderr).toContain('opened #1: https://gitea.example/acme/fleet/pulls/1');
    expect(it.fake.pulls[0]?.body).not.toContain('GitHub');
    expect((await it.weftPr()).stderr).toContain('nothing new for #1');
    await it.edit(WITHOUT_SHORTCUT);
    expect((await it.weftPr()).stderr).toContain('updated #1');
    await it.fake.merge(1, 'squash');
    expect((await it.weftPr()).stderr).toContain('main is up to date with the topology');
    expect(it.fake.pulls).toHaveLength(1);
  });

  it('says which token there is none of', async () => {
    const it = await fleetOnGitea();
    expect((await it.weftPr({ token: '' })).code).toMatch(/WEFT_TOKEN or GITEA_TOKEN/);
    expect(it.fake.branches()).toEqual(['main']);
  });

  it('opens none for a pull request from a fork', async () => {
    const it = await fleetOnGitea();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.fake.openPull({ number: 1, branch: 'edit', author: it.fake.user });
    const { stderr } = await it.weftPr({ on: 'edit', pull: { number: 1, from: 'eve/fleet' } });
    expect(stderr).toContain('a pull request from a fork gets no manifests');
    expect(it.gitea.log.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('a pull request in Gitea Actions', () => {
  it('is compared with where it began, not with what main has got since', async () => {
    const it = await fleetOnGitea();
    await it.edit(TOPOLOGY.replace('203.0.113.30', '203.0.113.31'), 'edit');
    await it.fake.openPull({ number: 1, branch: 'edit', author: it.fake.user });
    await it.edit(WITHOUT_SHORTCUT);
    const { code, stdout } = await it.weftPr({ mode: 'check', on: 'edit', pull: { number: 1 } });
    expect([code, stdout]).toEqual([0, expect.stringContaining('203.0.113.31')]);
    // Main has lost the shortcut meanwhile: the branch does not bring it back.
    expect(stdout).not.toContain('new shortcut');
  });

  it('shows mistakes as text: its runner prints annotations as they are', async () => {
    const it = await fleetOnGitea();
    await it.edit(TOPOLOGY.replace('[rome, milan]', '[rome, milano]'), 'edit');
    await it.fake.openPull({ number: 1, branch: 'edit', author: it.fake.user });
    const { code, stdout, stderr, summary } = await it.weftPr({ mode: 'check', on: 'edit', pull: { number: 1 } });
    expect(code).toBe(1);
    expect(stderr).toContain('did you mean "milan"?');
    expect(`${stdout}${stderr}`).not.toContain('::error');
    expect(summary).toContain('milano');
  });

  it('has one comment with the plan, which follows it', async () => {
    const it = await fleetOnGitea();
    await it.edit(WITHOUT_SHORTCUT, 'edit');
    await it.fake.openPull({ number: 1, branch: 'edit', author: it.fake.user });
    const job = { mode: 'comment', on: 'edit', pull: { number: 1 } } as const;
    expect((await it.weftPr(job)).code).toBe(0);
    const first = it.fake.comments[0]?.body;
    expect(first).toContain('rome');
    await it.edit(TOPOLOGY, 'edit');
    expect((await it.weftPr(job)).code).toBe(0);
    expect((await it.weftPr(job)).code).toBe(0);
    expect(it.fake.comments.map(({ author, body }) => [author.login, body === first])).toEqual([['weft', false]]);
    expect(it.gitea.count('issueCreateComment', 'issueEditComment')).toBe(2);
  });
});
