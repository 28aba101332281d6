import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { actionInputs, runAction } from '../../../src/host/action/run-action.ts';
import { COMMANDS } from '../../../src/host/cli/command-table.ts';
import type { ExitCode } from '../../../src/host/front/host.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { memoryHost, RELEASE, TOPOLOGY, workspace } from '../cli/memory-host.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const BUNDLE = readFileSync(join(ROOT, '.github/action/index.js'), 'utf8');

describe('the inputs of the Action', () => {
  it('are requests for runs of weft pr', () => {
    const env = {
      RUNNER_TEMP: '/tmp/runner',
      INPUT_MODE: 'open, check',
      'INPUT_ALLOW-DESTROY': 'true',
      INPUT_BASE: '-x',
      INPUT_TOPOLOGY: 'a.yaml',
    };
    const nothing = {
      ...{ topology: undefined, lock: undefined, out: undefined, base: undefined, baseDir: undefined },
      ...{ repository: undefined, pullRequest: undefined, into: undefined, branch: undefined, author: undefined },
      ...{ maxRemoved: undefined, allowDestroy: false, current: false, force: false, all: false },
      ...{ title: undefined, bodyPrefix: undefined, commitMessage: undefined, labels: undefined },
      ...{ reviewers: undefined, teamReviewers: undefined, assignees: undefined },
      ...{ draft: false, deleteBranch: false, signoff: false, planId: undefined },
    };
    const rest = {
      ...nothing,
      ...{ base: '-x', allowDestroy: true, topology: 'a.yaml', planJson: '/tmp/runner/weft-plan.json' },
    };
    expect(actionInputs(env)).toEqual([
      { mode: 'check', ...rest },
      { mode: 'open', ...rest },
    ]);
    expect(actionInputs({})).toEqual([{ mode: 'check', ...nothing, planJson: 'weft-plan.json' }]);
    expect(() => actionInputs({ INPUT_MODE: 'chekc' })).toThrow('not "chekc"');
    expect(() => actionInputs({ INPUT_FORCE: 'yes' })).toThrow('force must be true or false, not "yes"');
  });

  it('are all documented, and all of them work', () => {
    const options = COMMANDS.find((it) => it.name === 'pr')?.options.map((it) => it.long) ?? [];
    const handled = Object.keys(action.inputs).filter((name) => {
      // These are read before, or are no option.
      if (['mode', 'token', 'working-directory'].includes(name)) return true;
      const calls = (value: string) => JSON.stringify(actionInputs({ [`INPUT_${name.toUpperCase()}`]: value }));
      return calls('true') !== calls('');
    });
    expect(handled.sort()).toEqual(Object.keys(action.inputs).sort());
    const known = new Set(Object.keys(action.inputs));
    // A folder to plan from is for people, the form of the output is the runner's, and a container reads no clusters.
    const others = ['base-dir', 'context', 'live', 'output', 'stage'];
    expect(options.filter((name) => !known.has(name)).sort()).toEqual(others);
    for (const it of Object.values<{ description: string }>({ ...action.inputs, ...action.outputs })) {
      expect(it.description.length).toBeGreaterThan(15);
    }
  }, 10_000);

  it('run one mode after the other, in the folder and with the token that were given, until one fails', async () => {
    const { host } = memoryHost('/repo', {
      env: {
        INPUT_MODE: 'check,comment,open',
        INPUT_TOKEN: 'abc',
        GITHUB_WORKSPACE: '/ws',
        'INPUT_WORKING-DIRECTORY': 'fleet',
      },
    });
    const ran: unknown[] = [];
    const code = await runAction(host, async ({ cwd, env }, { mode }): Promise<ExitCode> => {
      ran.push([mode, cwd, env['WEFT_TOKEN']]);
      return mode === 'comment' ? 1 : 0;
    });
    expect(code).toBe(1);
    expect(ran).toEqual([
      ['check', '/ws/fleet', 'abc'],
      ['comment', '/ws/fleet', 'abc'],
    ]);
  });

  it('comment on what a check has found, and end with its answer', async () => {
    const ran = async (answers: Readonly<Record<string, ExitCode>>) => {
      const { host } = memoryHost('/repo', { env: { INPUT_MODE: 'check,comment,open' } });
      const modes: string[] = [];
      const code = await runAction(host, async (_, { mode }): Promise<ExitCode> => {
        modes.push(mode);
        return answers[mode] ?? 0;
      });
      return [code, ...modes];
    };
    expect(await ran({ check: 1 })).toEqual([1, 'check', 'comment']);
    expect(await ran({ check: 1, comment: 2 })).toEqual([2, 'check', 'comment']);
    expect(await ran({ check: 2 })).toEqual([2, 'check']);
    expect(await ran({})).toEqual([0, 'check', 'comment', 'open']);
  });

  it('with a value that a mode refuses end as weft pr does', async () => {
    const { host, said } = memoryHost('/repo', { env: { INPUT_REPOSITORY: 'acme' } });
    expect(await runAction(host)).toBe(2);
    expect(said().stderr).toBe('error: "acme" is not a repository\n  hint: write it as OWNER/NAME\n');
    const broken = async (): Promise<ExitCode> => {
      throw new TypeError('x is not a function');
    };
    expect(await runAction(host, broken)).toBe(3);
    expect(said().stderr).toContain('has a bug: x is not a function');
  });

  it('that make no sense are told as an annotation', async () => {
    const { host, said } = memoryHost('/repo', { env: { INPUT_MODE: 'a%::error::b', GITHUB_ACTIONS: 'true' } });
    expect(await runAction(host)).toBe(2);
    expect(said().stdout).toMatch(
      /^::error title=weft::mode must be one of check, comment, open, not "a%25:∶error::b"\n$/,
    );
  });
});

describe('the committed bundle', () => {
  it('is what src/host/build/action.mjs makes of src/', () => {
    const script = `
      import { bundleAction } from ${JSON.stringify(join(ROOT, 'src/host/build/action.mjs'))};
      process.stdout.write(JSON.stringify(await bundleAction()));`;
    const made = JSON.parse(
      execFileSync('node', ['--input-type=module', '-e', script], { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 26 }),
    );
    expect(made['index.js'] === BUNDLE, '.github/action/index.js is old: node src/host/build/action.mjs').toBe(true);
    // The page of reports is read beside the program.
    const page = readFileSync(join(ROOT, '.github/action/report.html'), 'utf8');
    expect(made['report.html'] === page, '.github/action/report.html is old: npm run action').toBe(true);
    expect(made['LICENSES'] === readFileSync(join(ROOT, '.github/action/LICENSES'), 'utf8')).toBe(true);
  });

  it('names no machine, and quotes the licence of every package in it', () => {
    expect(BUNDLE).not.toContain(ROOT);
    expect(BUNDLE).not.toMatch(/["'`( ]\/(home|root|Users|work|tmp)\/\w/);
    const licences = readFileSync(join(ROOT, '.github/action/LICENSES'), 'utf8');
    const packages = new Set(
      [...BUNDLE.matchAll(/^ *\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm)].map(([, name]) => name),
    );
    expect(packages).toContain('@octokit/rest');
    for (const name of packages) expect(licences).toMatch(new RegExp(`^${name} \\d`, 'm'));
  });

  it('is what action.yml runs, alone and on the runner’s Node', () => {
    expect(action.runs).toEqual({ using: 'node24', main: '.github/action/index.js' });
    expect(existsSync(join(ROOT, action.runs.main))).toBe(true);
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY, outputs: '', summary: '' });
    gitFolder(it.folder).init();
    const answer = spawnSync('node', [join(ROOT, action.runs.main)], {
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: it.folder,
        RUNNER_TEMP: it.folder,
        GITHUB_OUTPUT: join(it.folder, 'outputs'),
        GITHUB_STEP_SUMMARY: join(it.folder, 'summary'),
        INPUT_MODE: 'check',
        INPUT_BASE: 'HEAD',
        INPUT_REPORT: 'review',
      },
    });
    expect(answer.status).toBe(0);
    expect(it.read('summary')).toContain('Blast radius');
    expect(it.read('review/weft-report.html')).toContain('"path":"topologies/topology.yaml"');
    expect([...it.read('outputs').matchAll(/^(.+)<</gm)].map(([, name]) => name)).toEqual([
      'changed',
      'disruptive',
      'trust-changes',
      'add',
      'change',
      'remove',
      'pairs-interrupted',
      'plan-id',
      'plan-json',
      'report',
    ]);
    for (const [, name = ''] of it.read('outputs').matchAll(/^(.+)<</gm)) expect(action.outputs).toHaveProperty(name);
  });
});

describe('the workflow of this repository', () => {
  const workflow = parse(readFileSync(join(ROOT, '.github/workflows/topology.yml'), 'utf8'));

  it('starts for the paths of the one that weft init writes', async () => {
    const it = workspace();
    await it.weftWith({ release: RELEASE }, 'init');
    const written = parse(it.read('.github/workflows/weft.yml'));
    const own = (paths: readonly string[]) => paths.map((path) => path.replace('topology.yml', 'weft.yml'));
    expect(own(workflow.on.pull_request.paths)).toEqual(written.on.pull_request.paths);
    expect(workflow.on.push).toEqual(written.on.push);
  });

  it('asks for no more than each job needs', () => {
    expect(workflow.permissions).toEqual({});
    expect(workflow.jobs.check.permissions).toEqual({ contents: 'read' });
    expect(workflow.jobs.comment.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(workflow.jobs.open.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    expect(workflow.jobs.comment.if).toContain('head.repo.full_name == github.repository');
  });

  it('pins what others wrote by commit, and leaves no credentials behind', () => {
    for (const { steps } of Object.values<{ steps: { uses: string; with: Record<string, unknown> }[] }>(
      workflow.jobs,
    )) {
      for (const step of steps) {
        if (step.uses.startsWith('./')) continue;
        expect(step.uses).toMatch(/@[0-9a-f]{40}$/);
        if (step.uses.startsWith('actions/checkout@')) expect(step.with['persist-credentials']).toBe(false);
      }
    }
  });

  it('lets a check go when a newer one comes, and never a writer', () => {
    const cancels = Object.entries<{ concurrency: Record<string, unknown> }>(workflow.jobs).map(
      ([name, it]) => [name, it.concurrency['cancel-in-progress']] as const,
    );
    expect(Object.fromEntries(cancels)).toEqual({ check: true, comment: true, open: false });
  });
});
