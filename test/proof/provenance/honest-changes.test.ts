import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost } from '../../host/cli/memory-host.ts';
import { pullRequest, type Repository, repositoryIn } from './pull-request.ts';

const TOPOLOGY = 'topologies/topology.yaml';
const ROME = 'out/rome/peers/europe/europe.yaml';

/** Allowed changes of a pull request below `out/`. Each starts from a compiled fleet on `main`. */
const HONEST: Readonly<Record<string, (it: Repository) => void | Promise<void>>> = {
  'no edit': () => {},
  'an edit of the topology alone': (it) => it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31'),
  'an edit of the topology with its files': async (it) => {
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    await it.compile();
  },
  'the files of one cluster': async (it) => {
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    await it.compile('--cluster', 'rome');
  },
  'a new cluster with its files': async (it) => {
    it.edit(TOPOLOGY, 'shortcuts:', '  paris:  { podCIDR: 10.210.0.0/16 }\nshortcuts:');
    await it.compile();
  },
  'a cluster that leaves, with its files': async (it) => {
    it.edit(TOPOLOGY, /shortcuts:\n.*\n/, '');
    await it.compile();
  },
  'line ends of Windows': (it) => {
    for (const path of it.bundles().keys()) it.write(`out/${path}`, it.read(`out/${path}`).replaceAll('\n', '\r\n'));
  },
  'a base that moved on, with its files': async (it) => {
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    it.commit();
    it.git('checkout', '--quiet', 'main');
    it.edit(TOPOLOGY, '203.0.113.10', '203.0.113.11');
    await it.compile();
    it.commit();
    it.git('checkout', '--quiet', 'edit');
  },
  'a base that moved on and was merged': async (it) => {
    it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');
    it.commit();
    it.git('checkout', '--quiet', 'main');
    it.edit(TOPOLOGY, '203.0.113.10', '203.0.113.11');
    await it.compile();
    it.commit();
    it.git('checkout', '--quiet', 'edit');
    it.git('merge', '--quiet', 'main', '-m', 'merged');
  },
  'other bundles in another folder': async (it) => {
    it.git('mv', 'out', 'manifests');
    it.edit(TOPOLOGY, 'fleet.git', 'fleet.git, path: manifests');
    await it.compile('--out', 'manifests');
  },
  'warnings that are accepted': (it) =>
    it.edit(TOPOLOGY, 'shortcuts:', 'accept: [{ code: keys/missing, reason: later }]\nshortcuts:'),
  'a file outside of the bundles': (it) => it.write('docs/README.md', 'a fleet\n'),
};

describe('a pull request with nothing smuggled in:', () => {
  it.each(Object.entries(HONEST))('%s', async (name, edit) => {
    const repository = await pullRequest();
    await edit(repository);
    repository.commit();
    const options = name.includes('another folder') ? { out: 'manifests' } : {};
    const check = await repository.check({ options: { ...options, 'allow-destroy': true } });
    expect(check.stderr).not.toContain('provenance/');
    expect(check.code).toBe(0);
  });

  it('foreign files that the base has, one of them removed', async () => {
    const repository = await pullRequest();
    repository.git('checkout', '--quiet', 'main');
    repository.write('out/README.md', 'ours\n');
    repository.write('out/rome/notes.yaml', 'a: 1\n');
    repository.commit();
    repository.git('checkout', '--quiet', '-B', 'edit');
    repository.remove('out/README.md');
    repository.commit();
    expect((await repository.check()).code).toBe(0);
    repository.write('out/rome/notes.yaml', 'a: 2\n');
    expect(await repository.check()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('out/rome/notes.yaml:1'),
    });
  });

  it('the first one, which brings weft', async () => {
    const repository = await pullRequest();
    repository.git('checkout', '--quiet', '--orphan', 'new');
    const first = repository.commit();
    repository.git('checkout', '--quiet', '-B', 'main', `${first}`);
    repository.git('rm', '-r', '--quiet', '.');
    repository.commit('a base without a fleet');
    repository.git('checkout', '--quiet', '-B', 'edit');
    repository.git('checkout', first, '--', '.');
    repository.commit();
    expect((await repository.check()).code).toBe(0);
  });
});

describe('the base of a pull request', () => {
  /** A checkout as `actions/checkout` makes it: the merge of base and pull request, with so many commits. */
  const mergeCheckout = async (edit: (it: Repository) => void, depth: number): Promise<Repository> => {
    const origin = await pullRequest();
    edit(origin);
    origin.commit();
    origin.git('checkout', '--quiet', 'main');
    origin.git('merge', '--quiet', '--no-ff', 'edit', '-m', 'merge');
    const folder = join(origin.folder, 'clone');
    execFileSync('git', ['clone', '--quiet', `--depth=${depth}`, `file://${origin.folder}`, folder], { stdio: 'pipe' });
    return repositoryIn(folder);
  };
  const forge = (it: Repository): void => it.edit(ROME, '203.0.113.10', '198.51.100.66');
  const edit = (it: Repository): void => it.edit(TOPOLOGY, '203.0.113.30', '203.0.113.31');

  /** The environment of the steps in the workflow of `weft init`. */
  const workflow = async (): Promise<Readonly<Record<string, { base: string; depth: number }>>> => {
    const repository = await pullRequest();
    const { host } = memoryHost(repository.folder);
    expect(await runWeft(['init', 'new'], host)).toBe(0);
    const { jobs } = parse(readFileSync(repository.at('new/.github/workflows/weft.yml'), 'utf8'));
    const of = (job: string) => ({
      base: jobs[job].steps.flatMap(({ run }: { run?: string }) => / --base (\S+)/.exec(run ?? '')?.[1] ?? [])[0],
      depth: jobs[job].steps[0].with['fetch-depth'],
    });
    return { check: of('check'), comment: of('comment') };
  };

  it('is found by the workflow that `weft init` writes', async () => {
    const { check, comment } = await workflow();
    for (const [mode, job] of [
      ['check', check],
      ['comment', comment],
    ] as const) {
      if (job === undefined) throw new Error(mode);
      const options = { base: job.base };
      const forged = await mergeCheckout(forge, job.depth);
      expect((await forged[mode]({ options })).code).toBe(1);
      const honest = await mergeCheckout(edit, job.depth);
      expect((await honest[mode]({ options })).code).toBe(0);
    }
  });

  it('is asked for where the checkout is too shallow', async () => {
    const repository = await mergeCheckout(forge, 1);
    for (const mode of ['check', 'comment'] as const) {
      await expect(repository[mode]({ options: { base: 'HEAD^1' } })).rejects.toMatchObject({
        message: 'git finds no commit HEAD^1',
        hint: expect.stringContaining('fetch-depth: 2'),
      });
    }
  });

  it('is asked for where nothing names it', async () => {
    const repository = await pullRequest();
    for (const mode of ['check', 'comment'] as const) {
      const { code } = await repository[mode]({ options: { base: undefined } });
      expect(code).toMatch(/^2: the commit to compare with is not known.*set --base to origin\/main.*fetch-depth: 2/);
    }
  });

  it('is that of the event where no input names it', async () => {
    const repository = await pullRequest();
    const main = repository.git('rev-parse', 'main');
    forge(repository);
    repository.commit();
    const events = [
      { pull_request: { number: 4, base: { sha: main } } },
      { pull_request: undefined, merge_group: { base_sha: main } },
      { pull_request: undefined, before: main },
    ];
    for (const event of events) expect((await repository.check({ options: { base: undefined }, event })).code).toBe(1);
  });

  it('is no commit of the pull request itself', async () => {
    const repository = await pullRequest();
    forge(repository);
    repository.commit();
    repository.write('docs/README.md', 'harmless\n');
    const sha = repository.commit();
    const pull = { number: 4, head: { ref: 'edit', sha } };
    const given = { options: { base: 'HEAD^1' }, event: { pull_request: pull } };
    for (const mode of ['check', 'comment'] as const)
      expect((await repository[mode](given)).code).toMatch(
        /^2: the base HEAD\^1 is a commit of the pull request itself/,
      );
    expect((await repository.check({ ...given, options: { base: 'main' } })).code).toBe(1);
  });

  it('is the first parent of the merge that is checked out, because the base branch may have moved', async () => {
    const repository = await pullRequest();
    edit(repository);
    await repository.compile();
    const sha = repository.commit();
    const before = repository.git('rev-parse', 'main');
    repository.git('checkout', '--quiet', 'main');
    repository.edit('topologies/topology.yaml', '203.0.113.10', '203.0.113.11');
    await repository.compile();
    repository.commit('main moves');
    const pull = (head: string) => ({ pull_request: { number: 4, head: { sha: head }, base: { sha: before } } });
    const given = { options: { base: undefined }, event: pull(sha) };
    // The default checkout of pull_request_target is the base branch: compared with itself, nothing would change.
    for (const mode of ['check', 'comment'] as const)
      expect((await repository[mode]({ options: { base: 'HEAD^1' }, event: pull(sha) })).code).toMatch(
        /^2: the checkout is .* neither the newest commit of the pull request, .*, nor a merge of it/,
      );
    repository.git('merge', '--quiet', '--no-edit', '--strategy=ours', 'edit');
    edit(repository);
    await repository.compile();
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--amend', '--no-edit');
    expect((await repository.check(given)).code).toBe(0);
    expect(repository.git('rev-parse', 'HEAD^1')).not.toBe(before);
  });

  it('can be a folder', async () => {
    const repository = await pullRequest();
    repository.git('worktree', 'add', '--quiet', '../base-of-it', 'main');
    const folder = join(repository.folder, '../base-of-it');
    const options = { base: undefined, 'base-dir': folder };
    expect((await repository.check({ options })).code).toBe(0);
    forge(repository);
    expect((await repository.check({ options })).code).toBe(1);
    repository.git('worktree', 'remove', '--force', folder);
  });
});
