import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { CommandFailure } from '../../../src/host/front/command-failure.ts';
import { connectOctokit, openForge } from '../../../src/host/github/open-github.ts';
import type { ConnectForge } from '../../../src/host/http/proxies.ts';
import { documentFaults } from '../../support/json-documents.ts';
import { memoryHost, TOPOLOGY } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { expectNoViolations } from '../fake-github/expect-no-violations.ts';
import { type FakeGitHub, type FakeGitHubOptions, fakeGitHub } from '../fake-github/fake-github.ts';
import type { Account } from '../fake-github/world.ts';

export interface Run {
  readonly mode?: 'check' | 'comment' | 'open';
  readonly options?: Readonly<Record<string, unknown>>;
  /** The branch that the job runs on. */
  readonly on?: string;
  /** The pull request that the job belongs to. */
  readonly pull?: {
    readonly number: number;
    readonly branch: string;
    readonly from?: string;
    readonly state?: 'closed';
  };
  readonly as?: Account;
  readonly repository?: string;
  /** The topology, if it is not the only one. */
  readonly topology?: string;
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran {
  /** The exit code, or what was refused. */
  readonly code: number | string;
  readonly stdout: string;
  readonly stderr: string;
  readonly summary: string;
}

/** path -> text */
export type Tree = Readonly<Record<string, string>>;

/** The files of clones, and the compiled results of commits, by their IDs: many tests start from one commit. */
const CLONED = new Map<string, Tree>();
const COMPILED = new Map<string, Tree>();

export const TOPOLOGY_PATH = 'topologies/topology.yaml';
export const BRANCH = 'weft/europe';
export const WITHOUT_SHORTCUT = TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '');

/** Nothing is asked of git that the variables of a real job say. */
const FORGE = { forge: 'github' } as const;

/** The open pull requests of a fleet. */
export const openPulls = ({ fake }: { readonly fake: FakeGitHub }): FakeGitHub['pulls'] =>
  fake.pulls.filter((it) => it.state === 'open');

/** A GitHub with a fleet on it, and jobs that check it out with the real git and call `weft pr`. */
export async function fleetOnGitHub(options: FakeGitHubOptions = {}, topology = TOPOLOGY) {
  const files = { [TOPOLOGY_PATH]: topology, 'README.md': 'a fleet\n' };
  const fake = await fakeGitHub({ repositories: [{ owner: 'acme', name: 'fleet', files }], ...options });
  const scratch = mkdtempSync(join(tmpdir(), 'weft-jobs-'));
  const said: string[] = [];
  onTestFinished(() => {
    fake.close();
    rmSync(scratch, { recursive: true, force: true });
  });
  const connect: ConnectForge = ({ repository, ...settings }) =>
    openForge({
      octokit: connectOctokit({ ...settings, clock: fake.clock, fetch: fake.fetch }),
      repository,
      clock: fake.clock,
      notify: settings.notify,
    });

  let jobs = 0;
  const checkOut = (branch: string): string => {
    const folder = join(scratch, `job-${++jobs}`);
    fake.clone(folder, branch);
    return folder;
  };

  async function weftPr({
    mode = 'open',
    options: given = {},
    on = 'main',
    pull,
    as = fake.bot,
    repository,
    topology: path,
    env = {},
  }: Run = {}): Promise<Ran> {
    const folder = fake.checkout(pull?.branch ?? on);
    const job = ++jobs;
    const event = pull && {
      number: pull.number,
      state: pull.state ?? 'open',
      head: { ref: pull.branch, repo: { full_name: pull.from ?? 'acme/fleet' } },
      base: { repo: { full_name: 'acme/fleet' } },
    };
    const fileOf = (name: string): string => join(scratch, `${name}-${job}`);
    const eventFile = fileOf('event.json');
    writeFileSync(eventFile, JSON.stringify(event ? { pull_request: event } : {}));
    writeFileSync(fileOf('summary'), '');
    const { host, said: told } = memoryHost(folder, {
      env: {
        GITHUB_WORKSPACE: folder,
        GITHUB_REPOSITORY: 'acme/fleet',
        GITHUB_TOKEN: as.token,
        GITHUB_EVENT_PATH: eventFile,
        GITHUB_STEP_SUMMARY: fileOf('summary'),
        GITHUB_OUTPUT: fileOf('outputs'),
        GITHUB_RUN_ID: String(job),
        GITHUB_REF: pull ? `refs/pull/${pull.number}/merge` : `refs/heads/${on}`,
        ...env,
      },
    });
    const base = mode === 'open' ? {} : { base: 'origin/main' };
    const all = { ...base, ...FORGE, ...given, ...(repository === undefined ? {} : { repository }) };
    const code = await prCommand(
      host,
      { args: path === undefined ? [mode] : [mode, path], options: optionsFor('pr', all) },
      connect,
    ).catch((error: unknown) => {
      if (error instanceof CommandFailure) return `${error.message}\n${error.hint ?? ''}`;
      throw error;
    });
    const summary = readFileSync(fileOf('summary'), 'utf8');
    const ran = { code, ...told(), summary };
    if (typeof code === 'number' && given['output'] === 'json')
      expect(documentFaults(['pr', mode, '-o', 'json'], { code, stdout: ran.stdout })).toEqual([]);
    said.push(JSON.stringify(ran));
    return ran;
  }

  return {
    fake,
    weftPr,
    edit: (text: string, branch = 'main') => fake.commit(branch, { [TOPOLOGY_PATH]: text }),
    /** path -> text of a clone by the real git. */
    cloned: (branch: string): Tree => {
      const commit = fake.headOf(branch) ?? branch;
      const tree = CLONED.get(commit) ?? treeOf(fake.checkout(branch));
      CLONED.set(commit, tree);
      return tree;
    },
    /** The result of `weft compile` in a clone. */
    compiled: async (branch: string): Promise<Tree> => {
      const commit = fake.headOf(branch) ?? branch;
      const known = COMPILED.get(commit);
      if (known !== undefined) return known;
      const folder = checkOut(branch);
      const { runWeft } = await import('../../../src/host/cli/run-weft.ts');
      const { host } = memoryHost(folder);
      if ((await runWeft(['compile'], host)) !== 0) throw new Error('it does not compile');
      gitIn(folder, 'add', '--all', '--force');
      const tree = treeOf(folder);
      COMPILED.set(commit, tree);
      return tree;
    },
    /** GitHub was talked to as it wants it, and no output shows a token. */
    finish: () => {
      expectNoViolations(fake);
      for (const { token } of tokensOf(fake)) {
        if (said.some((it) => it.includes(token))) throw new Error(`${token} was said`);
      }
    },
  };
}

const tokensOf = (fake: FakeGitHub): readonly Account[] => [fake.bot, fake.user];

const gitIn = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });

/** The files that git knows of in a folder. */
function treeOf(folder: string): Tree {
  const paths = gitIn(folder, 'ls-files', '-z').split('\0').slice(0, -1);
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
}
