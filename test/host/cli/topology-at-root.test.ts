import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runAction } from '../../../src/host/action/run-action.ts';
import { schemaText } from '../../../src/host/app/editor-schema-text.ts';
import { gitAttributes } from '../../../src/host/app/start-fleet.ts';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost, TOPOLOGY, workspace } from './memory-host.ts';

const SCHEMA = 'schemas/topology.schema.json';

/** A fleet with its topology in its own folder. */
const fleet = (more: Readonly<Record<string, string>> = {}) => workspace({ 'topology.yaml': TOPOLOGY, ...more });

const gitIn =
  (cwd: string) =>
  (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
      cwd,
      encoding: 'utf8',
    });

describe('topology.yaml in the folder of a fleet', () => {
  it('is what commands take, with its files and out/ beside it', async () => {
    const { weft, folder } = fleet();
    expect((await weft('validate')).stdout).toBe('topology.yaml is valid: 3 clusters, 3 links\n');
    expect((await weft('keys', 'generate')).code).toBe(0);
    const compiled = await weft('compile');
    expect([compiled.code, compiled.stdout]).toEqual([0, expect.stringContaining('europe from topology.yaml\n')]);
    // Hints leave out a topology that commands find without its name.
    expect(compiled.stdout).toContain('For details: weft view europe\n');
    expect(readdirSync(folder).sort()).toEqual(['out', 'topology.keys.yaml', 'topology.lock.yaml', 'topology.yaml']);
    for (const argv of [['compile', '--check'], ['verify'], ['view', 'rome'], ['trace', 'rome', 'milan'], ['plan']])
      expect([argv, await weft(...argv, '-q')]).toEqual([argv, expect.objectContaining({ code: 0, stderr: '' })]);
    expect(await weft('completion', 'clusters', 'view', '')).toMatchObject({ stdout: 'europe\nrome\nmilan\n' });
  });

  it('is found from the folders below it, but not from a folder topologies/ below the fleet that contains it', async () => {
    const { folder, read } = fleet({ '.git/HEAD': 'ref: refs/heads/main\n' });
    const weftIn = async (below: string, ...argv: readonly string[]) => {
      mkdirSync(join(folder, below), { recursive: true });
      const { host, said } = memoryHost(join(folder, below));
      return { code: await runWeft(argv, host), ...said() };
    };
    expect((await weftIn('docs/a', 'compile')).stderr).toContain('Using the fleet in ../../\n');
    const kustomization = read('out/rome/kustomization.yaml');
    expect(await weftIn('out/rome', 'compile', '--check')).toMatchObject({ code: 0 });
    expect(await weftIn('docs', 'compile', '--check', '--all')).toMatchObject({ code: 0 });
    expect((await weftIn('docs', 'completion', 'clusters', 'view', '')).stdout).toBe('europe\nrome\nmilan\n');
    mkdirSync(join(folder, 'topologies'));
    for (const it of ['topology.yaml', 'topology.lock.yaml'])
      renameSync(join(folder, it), join(folder, 'topologies', it));
    expect(await weftIn('topologies', 'compile')).toMatchObject({ code: 0, stdout: expect.stringContaining('../out') });
    expect(read('out/rome/kustomization.yaml')).toBe(kustomization);
    expect(existsSync(join(folder, 'topologies/out'))).toBe(false);
  });

  it('is found in a repository with the name topologies', async () => {
    const { folder } = workspace({ 'topologies/.git/HEAD': 'ref: x\n', 'topologies/topology.yaml': TOPOLOGY });
    for (const below of ['', 'docs']) {
      mkdirSync(join(folder, 'topologies', below), { recursive: true });
      const { host } = memoryHost(join(folder, 'topologies', below));
      expect(await runWeft(['validate'], host)).toBe(0);
    }
  });

  it('is read from a commit, also one in which it was in topologies/', async () => {
    const { weft, folder, write } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const git = gitIn(folder);
    await weft('keys', 'generate');
    await weft('compile');
    git('init', '-q');
    git('add', '--all');
    git('commit', '-qm', 'before');
    for (const it of readdirSync(join(folder, 'topologies')))
      renameSync(join(folder, 'topologies', it), join(folder, it));
    rmSync(join(folder, 'topologies'), { recursive: true });
    const moved = await weft('plan', '--base', 'HEAD', '--detailed-exitcode');
    expect(moved.code).toBe(0);
    expect(await weft('compile', '--check')).toMatchObject({ code: 0 });
    git('add', '--all');
    git('commit', '-qm', 'moved');
    write('topology.yaml', TOPOLOGY.replace('gateway: 203.0.113.30', 'gateway: 203.0.113.31'));
    const edited = await weft('plan', '--base', 'HEAD');
    expect(edited.stdout).toContain('203.0.113.31');
    git('add', '--all');
    git('commit', '-qm', 'edited');
    const check = await weft('pr', 'check', '--base', 'HEAD^');
    expect([check.code, check.stdout]).toEqual([0, expect.stringContaining('203.0.113.31')]);
  });
});

describe('a folder with topology.yaml and topologies/', () => {
  const both = () => fleet({ 'topologies/asia.yaml': TOPOLOGY.replaceAll('europe', 'asia') });
  const NOTE = 'Using topology.yaml, not topologies/asia.yaml\n';

  it('says once on stderr which one is taken, unless it is quiet or all are', async () => {
    const { weft } = both();
    const validated = await weft('validate', '-o', 'json');
    expect(validated.stderr.match(/^Using .*\n/gm)).toEqual([NOTE]);
    expect((await weft('view', 'rome')).stderr).toBe(NOTE);
    expect((await weft('view', 'rome', '-q')).stderr).toBe('');
    expect((await weft('view', 'topologies/asia.yaml', 'rome')).stderr).toBe('');
    expect((await weft('compile', '--all')).stderr).not.toContain('Using');
  });

  it('says so in a job of the Action, too', async () => {
    const { folder } = both();
    const { host, said } = memoryHost(folder, { env: { GITHUB_WORKSPACE: folder, INPUT_MODE: 'check' } });
    await runAction(host, async () => 0);
    expect(said().stderr).toBe(NOTE);
    const all = memoryHost(folder, { env: { GITHUB_WORKSPACE: folder, INPUT_ALL: 'true' } });
    await runAction(all.host, async () => 0);
    expect(all.said().stderr).toBe('');
  });

  it('has two fleets for --all, each with bundles in a folder of its own', async () => {
    const { weft, folder } = both();
    expect((await weft('compile', '--all')).code).toBe(0);
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(['asia', 'europe']);
    expect((await weft('compile', '--all', '--check')).code).toBe(0);
  });

  it('is refused by --all if both are one fleet', async () => {
    const { weft } = fleet({ 'topologies/topology.yaml': TOPOLOGY });
    const { code, stderr } = await weft('compile', '--all');
    expect(code).toBe(1);
    expect(stderr).toContain('topology.yaml and topologies/topology.yaml both describe a fleet "europe"');
  });

  it('says nothing of topologies/ without a topology', async () => {
    const { weft } = fleet({ 'topologies/topology.lock.yaml': '', 'topologies/README.md': '' });
    expect((await weft('view', 'rome')).stderr).toBe('');
  });
});

describe('weft init in the folder of topology.yaml', () => {
  it('writes the rest, and the line that editors need', async () => {
    const it = fleet();
    const { code, stdout } = await it.weft('init');
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Editors check topology.yaml if its first line is:\n  # yaml-language-server: $schema=${SCHEMA}\n`,
    );
    expect([existsSync(join(it.folder, 'topologies')), it.read('topology.yaml')]).toEqual([false, TOPOLOGY]);
    expect(it.read(SCHEMA)).toBe(schemaText(['europe', 'rome', 'milan']));
  });

  it.each([
    ['the schema', SCHEMA, false],
    ['it by its folder', `./${SCHEMA}`, false],
    ['a schema elsewhere', 'https://example.com/topology.schema.json', false],
    ['the one above, as in topologies/', `../${SCHEMA}`, true],
  ])('asks for that line if the topology names %s: %s', async (_, schema, isAsked) => {
    const line = `# yaml-language-server: $schema=${schema}\n`;
    const { weft } = workspace({ 'topology.yaml': line + TOPOLOGY });
    expect((await weft('init')).stdout.includes('Editors check')).toBe(isAsked);
  });

  it('updates the schema that topology.yaml names, and finds its clusters', async () => {
    const { weft, read } = fleet({ 'topology.yaml': `# yaml-language-server: $schema=./own.json\n${TOPOLOGY}` });
    expect((await weft('init', '--schema')).stdout).toBe('wrote own.json\n');
    await weft('init', '--drift');
    expect(read('.github/workflows/drift.yml')).toMatch(/--context europe \\\n +--context rome \\\n +--context milan /);
  });

  it.each([
    ['github', '.github/workflows/weft.yml', '**/*.y*ml'],
    ['forgejo', '.forgejo/workflows/weft.yml', '**/*.y*ml'],
  ])('starts the jobs of %s for every file that the topology may include', async (forge, path, pattern) => {
    const it = fleet();
    await it.weft('init', '--forge', forge);
    const { on } = parse(it.read(path));
    expect(on.push.paths).toEqual(['topologies/**', 'topology.*', pattern]);
    expect(on.pull_request.paths).toContain('**/*.[Yy]*[Mm][Ll]');
    const below = workspace();
    await below.weft('init', '--forge', forge);
    const other = parse(below.read(path)).on;
    expect(other.push.paths).toEqual(['topologies/**', 'topology.*']);
    expect(other.pull_request.paths).not.toContain('**/*.[Yy]*[Mm][Ll]');
  });

  it('starts the jobs of GitLab for them, too', async () => {
    const it = fleet();
    await it.weft('init', '--forge', 'gitlab');
    const jobs = parse(it.read('.gitlab-ci.yml'));
    expect(jobs['weft open'].rules[0].changes).toEqual(['topologies/**/*', 'topology.*', '**/*.y*ml']);
    expect(jobs['weft check'].rules[0].changes).toContain('**/*.[Yy]*[Mm][Ll]');
  });

  it('gives its lock the attributes of a generated file', async () => {
    const { folder, write } = fleet();
    write('.gitattributes', gitAttributes());
    const git = gitIn(folder);
    git('init', '-q');
    const attributes = git('check-attr', 'merge', 'eol', 'linguist-generated', '--', 'topology.lock.yaml');
    expect(attributes.match(/: \w+$/gm)).toEqual([': union', ': lf', ': true']);
    expect(git('check-attr', 'merge', '--', 'sub/topology.lock.yaml', 'topology.yaml')).not.toContain('union');
  });
});
