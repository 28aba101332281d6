import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { gitAttributes } from '../../../src/host/app/start-fleet.ts';
import { unknownIn } from '../../docs/pages.ts';
import { RELEASE, workspace } from './memory-host.ts';

const ACTION = new URL('../../../action.yml', import.meta.url);

/** The steps of a job that run weft. */
interface Step {
  readonly name: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

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
      expect.stringMatching(/^cd fleet && mkdir -p \.github\/weft && npm pack .* \/weft$/),
      'weft plan',
      'weft keys generate --secrets-dir ~/weft-secrets',
      'weft compile',
      'git init && git add --all && git commit',
      'weft drift --wait 10m --context CLUSTER',
    ]);
    expect(answer.stdout).toMatch(/^\/weft\/docs\/first-fleet\.md shows .*\n$/m);
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
    await it.weftWith({ release: RELEASE }, 'init');
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
      expect(weft.uses).toBe(`acme/weft@${RELEASE.commit}`);
      expect(weft.with.mode).toBe(mode);
      expect(job.concurrency.group).toMatch(
        /^weft-(check|comment|open)-\$\{\{ github\.(event\.pull_request\.number|ref) \}\}$/,
      );
      expect(job.concurrency['cancel-in-progress']).toBe(mode !== 'open');
    }
  });

  it('writes a workflow that keeps the diff and the report with the run, also when the check fails or nothing changes', async () => {
    const it = workspace();
    await it.weftWith({ release: RELEASE }, 'init');
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
    await it.weftWith({ release: RELEASE }, 'init');
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
    const uses = drift.steps.flatMap((one: Step) => one.uses ?? []);
    expect(uses).toEqual([expect.stringMatching(/^actions\/checkout@[0-9a-f]{40}$/)]);
    const secret = drift.steps.filter((one: object) => JSON.stringify(one).includes('secrets.'));
    expect(secret).toMatchObject([
      { env: { DRIFT_KUBECONFIG: expect.stringMatching(/^\$\{\{ secrets\.DRIFT_KUBECONFIG \}\}$/) } },
    ]);
    expect(text).toContain('drift -o markdown');
    const there = workspace({ 'topologies/fleet.yaml': 'mine' });
    const { stdout } = await there.weft('init', '--drift');
    expect(stdout).toMatch(/^wrote .github\/workflows\/drift.yml\n\nPut the contexts of your clusters/);
    expect(readdirSync(there.folder).sort()).toEqual(['.github', 'topologies']);
    expect(await there.weft('init', '--drift')).toMatchObject({ code: 2 });
  });

  it('writes a scheduled workflow that proposes the next state of a change, and both where both are asked for', async () => {
    const it = workspace({ 'topologies/fleet.yaml': 'mine' });
    expect((await it.weft('init', '--steps', '--drift')).stdout).toMatch(
      /^wrote .github\/workflows\/drift.yml\nwrote .github\/workflows\/steps.yml\n\nPut the contexts of your clusters/,
    );
    const text = it.read('.github/workflows/steps.yml');
    const { jobs, permissions, on } = parse(text);
    expect([permissions, Object.keys(on), Object.keys(jobs)]).toEqual([
      {},
      ['schedule', 'workflow_dispatch'],
      ['steps'],
    ]);
    expect(jobs.steps.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    const run =
      jobs.steps.steps.find((one: Step & { readonly run?: string }) => one.run?.includes('pr open'))?.run ?? '';
    expect(run).toContain('test ! -d steps || weft pr open --stage steps \\\n');
    expect([...run.matchAll(/--context (\S+)/g)].map(([, name]) => name)).toEqual(['europe', 'rome', 'milan']);
    expect(unknownIn(run.replaceAll('\\\n', ' ').trim())).toBeUndefined();
    const gitea = await workspace().weft('init', '--steps', '--forge', 'gitea');
    expect([gitea.code, gitea.stderr]).toEqual([
      2,
      expect.stringContaining('run "weft pr open --stage steps" in a scheduled job'),
    ]);
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
    const run = steps.find((one) => one.run?.includes('weft drift'))?.run ?? '';
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
      const { stdout } = await it.weftWith({ release: RELEASE }, 'init', '--forge', forge);
      expect(stdout).toContain(`\nwrote ${folder}/workflows/weft.yml\n`);
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
        expect(weft.uses).toBe(`https://github.com/acme/weft@${RELEASE.commit}`);
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
    const { stdout } = await it.weft('init');
    expect(stdout).toContain('wrote .forgejo/workflows/weft.yml\n');
    expect(stdout).toContain('\n  git add --all && git commit ');
  });

  it('writes jobs for GitLab where it reads them, or where those of others can include them', async () => {
    const it = workspace();
    const { stdout } = await it.weft('init', '--forge', 'gitlab');
    expect(stdout).toContain('\nwrote .gitlab-ci.yml\n');
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

  describe.each([
    ['github', '.github/workflows/weft.yml', '.github/weft', '::error::'],
    ['gitea', '.gitea/workflows/weft.yml', '.gitea/weft', ''],
    ['forgejo', '.forgejo/workflows/weft.yml', '.forgejo/weft', ''],
    ['gitlab', '.gitlab-ci.yml', '.gitlab/weft', ''],
  ])('of a weft that is no release, for %s', (forge, path, folder, mark) => {
    const tarball = `${folder}/liqo-weft-9.9.9.tgz`;
    const written = async () => {
      const it = workspace();
      const { stdout } = await it.weft('init', '--forge', forge);
      const text = it.read(path);
      const installs: readonly string[] =
        forge === 'gitlab'
          ? parse(text)['.weft'].before_script
          : Object.values<{ readonly steps: readonly Step[] }>(parse(text).jobs).map(
              ({ steps }) => steps[1]?.run ?? '',
            );
      return { it, stdout, text, installs };
    };

    it('names the package that is needed on the first line, and the command that makes it, which is printed, too', async () => {
      const { stdout, text } = await written();
      expect(text.split('\n')[0]).toContain(` ${tarball}, `);
      const command = /^# {3}(mkdir .*)$/m.exec(text)?.[1] ?? '';
      expect(command).toContain(
        `mkdir -p ${folder} && npm pack --silent --ignore-scripts --pack-destination ${folder} `,
      );
      // npm may have put this weft elsewhere, as with `--prefix`, so the printed command names its folder.
      expect(stdout).toContain(`\n  ${command.replace('"$(npm root --global)/liqo-weft"', '/weft')}\n`);
    });

    it('fails with a sentence until the package is there, and then installs it', async () => {
      const { it, installs } = await written();
      expect(new Set(installs).size).toBe(1);
      const npm = join(it.folder, 'bin/npm');
      it.write('bin/npm', '#!/bin/sh\necho "npm $*"\n');
      chmodSync(npm, 0o755);
      const run = () =>
        spawnSync('sh', ['-e', '-c', installs[0] ?? ''], {
          cwd: it.folder,
          encoding: 'utf8',
          env: { ...process.env, PATH: `${join(it.folder, 'bin')}:${process.env['PATH']}`, WEFT_PACKAGE: tarball },
        });
      expect(run()).toMatchObject({
        status: 1,
        stdout: `${mark}${tarball} is missing: the first lines of this file show how to make it\n`,
      });
      it.write(tarball, '');
      expect(run()).toMatchObject({ status: 0, stdout: `npm install --global --offline ./${tarball}\n` });
    });

    it('runs the same modes with the same options as the Action, and starts when the package changes', async () => {
      const { text } = await written();
      const file = parse(text);
      if (forge === 'gitlab') {
        expect(file['.weft'].variables.WEFT_PACKAGE).toBe(tarball);
        expect(file['weft check'].rules[0].changes).toContain(`${folder}/**/*`);
        return;
      }
      expect(file.env).toEqual({ WEFT_PACKAGE: tarball });
      expect(file.on.pull_request.paths).toContain(`${folder}/**`);
      const it = workspace();
      await it.weftWith({ release: RELEASE }, 'init', '--forge', forge);
      const ofRelease = parse(it.read(path));
      for (const [mode, job] of Object.entries<{ readonly steps: readonly Step[] }>(file.jobs)) {
        const step = job.steps[2];
        expect(step?.env).toEqual({ GITHUB_TOKEN: expect.stringMatching(/^\$\{\{ github\.token \}\}$/) });
        const { mode: asAction, ...inputs } = ofRelease.jobs[mode].steps[1].with;
        const options = Object.entries<unknown>(inputs).map(([name, value]) =>
          value === true ? `--${name}` : `--${name} ${optionValue(String(value))}`,
        );
        expect(step?.run).toBe(['weft', 'pr', asAction, ...options].join(' '));
        expect(unknownIn(step?.run ?? '')).toBeUndefined();
      }
    });
  });

  it('of a release needs nothing else: neither a package nor a value to fill in', async () => {
    for (const forge of ['github', 'gitea', 'forgejo', 'gitlab']) {
      const it = workspace();
      const drift = forge === 'github' ? ['--drift'] : [];
      const { stdout } = await it.weftWith({ release: RELEASE }, 'init', '--forge', forge, ...drift);
      expect(stdout).not.toMatch(/npm pack|release/);
      const paths = stdout.split('\n').flatMap((line) => /^wrote (\..*\.yml)$/.exec(line)?.[1] ?? []);
      expect(paths).toHaveLength(forge === 'github' ? 2 : 1);
      for (const path of paths) expect(it.read(path)).not.toMatch(/your-|example|0{40}|\.tgz|WEFT_PACKAGE|undefined/);
      if (forge === 'gitlab')
        expect(parse(it.read('.gitlab-ci.yml'))['.weft'].image.name).toBe('ghcr.io/acme/weft:9.9.9');
      if (forge === 'github')
        expect(it.read('.github/workflows/drift.yml')).toContain('run: npm install --global liqo-weft@9.9.9\n');
    }
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

/** The value of an input as a shell has it. */
const optionValue = (input: string): string => input.replace(/^\$\{\{ runner\.temp \}\}(.*)$/, '"$RUNNER_TEMP$1"');

const hubWith = (hub: string, leaf: string, more: string): string => `version: 1
name: ${hub}
hub: ${hub}
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, podCIDR: 10.200.0.0/16 }
clusters:
  ${hub}: { gateway: 203.0.113.10 }
  ${leaf}: ${more}
`;
