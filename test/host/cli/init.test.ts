import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gitAttributes } from '../../../src/host/app/start-fleet.ts';
import { workspace } from './memory-host.ts';

const ACTION = new URL('../../../action.yml', import.meta.url);

/** True when a pattern of `paths` matches. Source: docs.github.com, "Filter pattern cheat sheet". */
function startsFor(pattern: string, path: string): boolean {
  const wildcards = { '**/': '(.*/)?', '**': '.*', '*': '[^/]*', '.': '\\.' } as const;
  const source = pattern.replace(/\*\*\/|\*\*|\*|\./g, (it) => wildcards[it as keyof typeof wildcards]);
  return new RegExp(`^${source}$`).test(path);
}

describe('weft init', () => {
  it('starts a fleet that lacks only its keys, and names the next commands and the page', async () => {
    const it = workspace();
    const answer = await it.weft('init', 'fleet');
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    const next = answer.stdout.split('\n').filter((line) => line.startsWith('  '));
    expect(next.map((line) => line.replace(/ {2,}#.*/, '').trim())).toEqual([
      'cd fleet && weft plan',
      'weft keys generate --secrets-dir ~/weft-secrets',
      'weft compile',
      'git add --all && git commit',
    ]);
    expect(answer.stdout).toMatch(/docs\/first-fleet\.md of weft .*\n$/);
    expect(it.read('fleet/topologies/topology.yaml')).toContain('externalCIDR: auto');
    expect(parse(it.read('fleet/topologies/topology.yaml')).name).toBe('fleet');
    const compiled = await it.weft('compile', 'fleet/topologies', '--out', 'fleet/out');
    expect(compiled.code).toBe(0);
    expect(compiled.stderr.match(/(warning|error) [a-z]+\/[\w-]+/g)).toEqual(['warning keys/missing']);
    expect(compiled.stdout).toContain('weft plan fleet/topologies/topology.yaml --new --out fleet/out\n');
    expect((await it.weft('view', 'fleet/topologies/topology.yaml', 'rome')).code).toBe(0);
  });

  it('has no part in comments that does not compile once the marks are gone', async () => {
    const it = workspace();
    await it.weft('init');
    const starter = it.read('topologies/topology.yaml');
    const commented = starter.match(/^ *# ?( *- |[a-z]+:( |$)| {2,}[a-z]+: ).*$/gm) ?? [];
    expect(commented.map((line) => line.replace(/^[ #]*/, '').split(':')[0])).toEqual(
      expect.arrayContaining(['reserved', 'sharing', 'offloading', 'gitops']),
    );
    const marked = new Set(commented);
    const lines = starter.split('\n').map((line) => (marked.has(line) ? line.replace(/# ?/, '') : line));
    it.write('topologies/topology.yaml', lines.join('\n'));
    const { code, stderr } = await it.weft('compile');
    expect([code, stderr.match(/ error .*/g)]).toEqual([0, null]);
    expect(parse(it.read('topologies/topology.yaml'))).toMatchObject({ sharing: [{}], offloading: [{}], gitops: {} });
  });

  it('writes a workflow with least privilege and actions pinned by commit', async () => {
    const it = workspace();
    await it.weft('init');
    const workflow = parse(it.read('.github/workflows/weft.yml'));
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(workflow.permissions).toEqual({});
    const paths: readonly string[] = workflow.on.pull_request.paths;
    for (const path of ['topologies/a.yaml', 'out/a/b.yaml', 'Out/a', '.gitattributes', 'a/.gitignore', '.gitmodules'])
      expect(
        paths.some((it) => startsFor(it, path)),
        path,
      ).toBe(true);
    for (const path of ['.sourceignore', 'a/.sourceignore', 'kustomization.yml', 'a/b/Kustomization'])
      expect(
        paths.some((it) => startsFor(it, path)),
        path,
      ).toBe(true);
    expect(paths.some((it) => startsFor(it, '.github/CODEOWNERS') || startsFor(it, 'README.md'))).toBe(false);
    const { check, comment, open } = workflow.jobs;
    expect(check.permissions).toEqual({ contents: 'read' });
    expect(comment.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(open.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    // GitHub's token of a fork may not comment, and no secret reaches it.
    expect(comment.if).toContain('head.repo.full_name == github.repository');
    expect(open.if).toBe("github.event_name == 'push'");
    for (const [mode, job] of Object.entries<typeof check>(workflow.jobs)) {
      const [checkout, weft] = job.steps;
      expect(job.steps).toHaveLength(mode === 'check' ? 3 : 2);
      expect(checkout.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
      expect(checkout.with['persist-credentials']).toBe(false);
      expect(weft.uses).toMatch(/^your-organisation\/weft@0{40}$/);
      expect(weft.with.mode).toBe(mode);
      expect(job.concurrency.group).toMatch(
        /^weft-(check|comment|open)-\$\{\{ github\.(event\.pull_request\.number|ref) \}\}$/,
      );
      expect(job.concurrency['cancel-in-progress']).toBe(mode !== 'open');
    }
  });

  it('writes a workflow that keeps the diff and the report with the run, also when the check fails or nothing changes', async () => {
    const it = workspace();
    await it.weft('init');
    const text = it.read('.github/workflows/weft.yml');
    const { check, comment, open } = parse(text).jobs;
    const [, weft, upload] = check.steps;
    expect(upload.uses).toMatch(/^actions\/upload-artifact@[0-9a-f]{40}$/);
    expect(upload.with['if-no-files-found']).toBe('ignore');
    expect(upload.if).toMatch(/^\$\{\{ !cancelled\(\) \}\}$/);
    // The comment names the files, and does not keep them a second time: two artifacts of a run cannot have one name.
    for (const { with: given } of [weft, comment.steps[1]])
      expect([given.diff, given.report]).toEqual([upload.with.path, upload.with.path]);
    expect(open.steps[1].with).toEqual({ mode: 'open', all: true });
  });

  it('writes a workflow with every input of a new pull request, as comments that can be used as they are', async () => {
    const it = workspace();
    await it.weft('init');
    const text = it.read('.github/workflows/weft.yml');
    const inputs = parse(text.replace(/^( {10})# ([a-z-]+: )/gm, '$1$2')).jobs.open.steps[1].with;
    const known = Object.keys(parse(readFileSync(ACTION, 'utf8')).inputs);
    expect(Object.keys(inputs)).toEqual([
      ...['mode', 'all', 'labels', 'reviewers', 'team-reviewers', 'assignees', 'title', 'body-prefix', 'draft'],
      ...['commit-message', 'signoff', 'delete-branch'],
    ]);
    for (const input of Object.keys(inputs)) expect(known).toContain(input);
  });

  it('writes a scheduled workflow that looks for drift, with least privilege, also into a fleet that is there', async () => {
    const it = workspace();
    expect((await it.weft('init', '--drift')).stdout).toContain('\nwrote .github/workflows/drift.yml\n');
    const text = it.read('.github/workflows/drift.yml');
    const workflow = parse(text);
    expect(Object.keys(workflow.on)).toEqual(['schedule', 'workflow_dispatch']);
    expect(workflow.permissions).toEqual({});
    const { drift } = workflow.jobs;
    expect(drift.permissions).toEqual({ contents: 'read' });
    const uses = drift.steps.flatMap((one: { readonly uses?: string }) => one.uses ?? []);
    expect(uses.length).toBe(2);
    for (const one of uses) expect(one).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
    const secret = drift.steps.filter((one: object) => JSON.stringify(one).includes('secrets.'));
    expect(secret).toMatchObject([
      { env: { DRIFT_KUBECONFIG: expect.stringMatching(/^\$\{\{ secrets\.DRIFT_KUBECONFIG \}\}$/) } },
    ]);
    expect(text).toContain('drift -o markdown');
    const there = workspace({ 'topologies/fleet.yaml': 'mine' });
    const { stdout } = await there.weft('init', '--drift');
    expect(stdout).toMatch(/^wrote .github\/workflows\/drift.yml\n\nPut the commit of weft and the contexts/);
    expect(readdirSync(there.folder).sort()).toEqual(['.github', 'topologies']);
    expect(await there.weft('init', '--drift')).toMatchObject({ code: 2 });
  });

  it.each([
    ['of the starter, where there are none yet', {}, ['europe', 'rome', 'milan']],
    [
      'of the starter, where the topology has mistakes',
      { 'topologies/fleet.yaml': 'mine' },
      ['europe', 'rome', 'milan'],
    ],
    [
      'of all topologies, without those that are retired',
      {
        'topologies/one.yaml': hubWith('asia', 'lhasa', '{ retired: true }'),
        'topologies/two.yaml': hubWith('africa', 'accra', '{}'),
      },
      ['asia', 'africa', 'accra'],
    ],
  ])('looks for drift in the clusters %s', async (_, files, clusters) => {
    const it = workspace(files);
    await it.weft('init', '--drift');
    const steps: readonly { readonly run?: string }[] = parse(it.read('.github/workflows/drift.yml')).jobs.drift.steps;
    const run = steps.find((one) => one.run?.includes('weft.js drift'))?.run ?? '';
    expect([...run.matchAll(/--context (\S+)/g)].map(([, name]) => name)).toEqual(clusters);
    expect(
      run
        .split('\n')
        .slice(0, -2)
        .every((line) => line.endsWith(' \\')),
    ).toBe(true);
  });

  it.each([
    ['gitea', '.gitea', 'ubuntu-latest'],
    ['forgejo', '.forgejo', 'docker'],
  ])(
    'writes a workflow for %s where its runners look for it, with actions by address and commit',
    async (forge, folder, runner) => {
      const it = workspace();
      expect((await it.weft('init', '--forge', forge)).stdout).toContain(`\nwrote ${folder}/workflows/weft.yml\n`);
      expect(readdirSync(it.folder)).not.toContain('.github');
      const text = it.read(`${folder}/workflows/weft.yml`);
      const workflow = parse(text);
      expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
      expect(workflow.on.pull_request.paths).toContain(`${folder}/workflows/weft.yml`);
      const inputs = Object.keys(parse(readFileSync(ACTION, 'utf8')).inputs);
      for (const [mode, job] of Object.entries<typeof workflow>(workflow.jobs)) {
        const [checkout, weft] = job.steps;
        expect(job['runs-on']).toBe(runner);
        expect(checkout.uses).toMatch(/^https:\/\/github\.com\/actions\/checkout@[0-9a-f]{40}$/);
        expect(weft.uses).toMatch(/^https:\/\/github\.com\/your-organisation\/weft@0{40}$/);
        // The job has no merge commit: the plan compares with where the branch began, which the event names.
        expect([weft.with, checkout.with['fetch-depth']]).toEqual([
          { mode, all: true },
          mode === 'open' ? undefined : 0,
        ]);
      }
      expect(workflow.jobs.comment.if).toContain('head.repo.full_name == github.repository');
      const commented = parse(text.replace(/^( {10})# ([a-z-]+: )/gm, '$1$2')).jobs.open.steps[1].with;
      for (const input of Object.keys(commented)) expect(inputs).toContain(input);
      const permissions = [workflow, ...Object.values<typeof workflow>(workflow.jobs)].map((one) => one.permissions);
      expect(permissions).toEqual(
        forge === 'forgejo'
          ? [undefined, undefined, undefined, undefined]
          : [
              {},
              { contents: 'read' },
              { contents: 'read', 'pull-requests': 'write' },
              { contents: 'write', 'pull-requests': 'write' },
            ],
      );
      expect(await it.weft('init', '--forge', forge)).toMatchObject({ code: 2 });
    },
  );

  it('writes for the forge that the clone came from', async () => {
    const it = workspace();
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: it.folder });
    git('init', '-q');
    git('remote', 'add', 'origin', 'git@codeberg.org:acme/fleet.git');
    expect((await it.weft('init')).stdout).toContain('wrote .forgejo/workflows/weft.yml\n');
  });

  it('writes jobs for GitLab where it reads them, or where those of others can include them', async () => {
    const it = workspace();
    const { stdout } = await it.weft('init', '--forge', 'gitlab');
    expect(stdout).toContain('\nwrote .gitlab-ci.yml\n');
    expect(stdout).toContain('the image of weft into the jobs');
    expect(readdirSync(it.folder)).not.toContain('.github');
    expect(await it.weft('init', '--forge', 'gitlab')).toMatchObject({ code: 2 });
    const theirs = workspace({ '.gitlab-ci.yml': 'test:\n  script: make\n' });
    const answer = await theirs.weft('init', '--forge', 'gitlab');
    expect(answer.stdout).toContain('\nwrote .gitlab/ci/weft.yml\n');
    expect(answer.stdout).toContain('    - local: .gitlab/ci/weft.yml\n');
    expect(theirs.read('.gitlab-ci.yml')).toBe('test:\n  script: make\n');
    expect(parse(theirs.read('.gitlab/ci/weft.yml'))['weft check'].rules[0].changes).toContain('.gitlab/ci/weft.yml');
    expect(await theirs.weft('init', '--forge', 'gitlab')).toMatchObject({ code: 2 });
  });

  it('has a workflow that looks for drift only for GitHub', async () => {
    const it = workspace();
    const { code, stderr } = await it.weft('init', '--drift', '--forge', 'gitea');
    expect([code, stderr]).toEqual([2, expect.stringContaining('run "weft drift" in a scheduled job of your own')]);
    expect(readdirSync(it.folder)).toEqual([]);
  });

  it('gives editors the schema that the modeline names', async () => {
    const it = workspace();
    await it.weft('init');
    const [modeline = ''] = it.read('topologies/topology.yaml').split('\n');
    const path = /\$schema=(.*)$/.exec(modeline)?.[1] ?? '';
    expect(JSON.parse(it.read(join('topologies', path)))).toMatchObject({
      $id: expect.stringContaining('editor'),
      title: 'fleet',
    });
  });

  it('writes nothing where its workflow is', async () => {
    const path = '.github/workflows/weft.yml';
    const it = workspace({ [path]: 'mine' });
    const before = readdirSync(it.folder);
    const answer = await it.weft('init');
    expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path} already exists`) });
    expect(it.read(path)).toBe('mine');
    expect(readdirSync(it.folder)).toEqual(before);
  });

  it.each(['topologies/topology.yaml', 'topologies/imported.yaml'])('adds the rest to %s', async (path) => {
    const it = workspace({ [path]: 'mine' });
    const answer = await it.weft('init');
    expect(answer).toMatchObject({ code: 0, stdout: expect.stringContaining('The topology that is there stays.') });
    expect(it.read(path)).toBe('mine');
    expect(readdirSync(join(it.folder, 'topologies'))).toEqual([basename(path)]);
    expect(readdirSync(join(it.folder, '.github/workflows'))).toEqual(['weft.yml']);
  });

  it('adds what git has to know to the end of .gitattributes, once, and changes nothing in it', async () => {
    const mine = '*.png binary\r\n/out/** linguist-generated=false';
    const it = workspace({ '.gitattributes': mine });
    expect((await it.weft('init')).stdout).toContain('\nadded lines to .gitattributes\n');
    const once = it.read('.gitattributes');
    expect(once).toBe(`${mine}\n\n${gitAttributes()}`);
    rmSync(join(it.folder, 'topologies'), { recursive: true });
    rmSync(join(it.folder, '.github'), { recursive: true });
    expect((await it.weft('init')).stdout).not.toContain('.gitattributes');
    expect(it.read('.gitattributes')).toBe(once);
  });

  it('gives each file of a fleet the attributes that git understands, also below the folder of several fleets', async () => {
    const it = workspace();
    await it.weft('init');
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: it.folder, encoding: 'utf8' });
    git('init', '-q');
    const attributesOf = (path: string) =>
      git('check-attr', 'merge', 'eol', 'linguist-generated', '--', path)
        .trim()
        .split('\n')
        .map((line) => line.split(': ')[2]);
    for (const path of [
      'out/addresses.json',
      'out/asia/addresses.json',
      'out/rome/kustomization.yaml',
      'out/rome/expected/networks.yaml',
      'out/.weft/rome.sha256',
      'topologies/topology.lock.yaml',
    ])
      expect([path, ...attributesOf(path)]).toEqual([path, 'union', 'lf', 'true']);
    expect(attributesOf('out/rome/peers/milan/milan.yaml')).toEqual(['unspecified', 'lf', 'true']);
    expect(attributesOf('topologies/topology.yaml')).toEqual(['unspecified', 'unspecified', 'unspecified']);
  });

  it('does not take a folder name that no fleet can have', async () => {
    const it = workspace();
    await it.weft('init', 'My Fleet_1');
    expect(parse(it.read('My Fleet_1/topologies/topology.yaml')).name).toBe('europe');
  });
});

const hubWith = (hub: string, leaf: string, more: string): string => `version: 1
name: ${hub}
hub: ${hub}
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, podCIDR: 10.200.0.0/16 }
clusters:
  ${hub}: { gateway: 203.0.113.10 }
  ${leaf}: ${more}
`;
