import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { nightly } from '../../support/drawn.ts';
import { describeLibrary } from '../library/installed-library.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** Everything below is in it. */
let scratch: string;
let installed: string;
let said: ReturnType<typeof run>;

/** Packs what vitest has built, and installs the tarball as a user does. `prepack` would build under the other tests. */
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'weft-package-'));
  npm(['pack', '--ignore-scripts', '--pack-destination', scratch], ROOT);
  const prefix = join(scratch, 'prefix');
  said = npm(['install', '--global', '--prefix', prefix, join(scratch, `liqo-weft-${version}.tgz`)], scratch);
  installed = join(prefix, 'lib/node_modules/liqo-weft');
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** npm without the network and without the settings of the user. */
function npm(args: readonly string[], cwd: string) {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name));
  const settings = { npm_config_userconfig: join(scratch, 'npmrc'), npm_config_cache: join(scratch, 'cache') };
  return run('npm', [...args, '--offline', '--no-update-notifier'], cwd, { ...Object.fromEntries(own), ...settings });
}

function run(program: string, args: readonly string[], cwd: string, env = process.env) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

const weft = (cwd: string, ...args: readonly string[]) => run(join(scratch, 'prefix/bin/weft'), args, cwd);

const filesOf = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((it) => statSync(join(folder, it)).isFile())
    .sort();

// Here, because packing takes longer than all of these.
describe('the library', () =>
  describeLibrary(() => {
    const project = join(scratch, 'project');
    cpSync(installed, join(project, 'node_modules/liqo-weft'), { recursive: true });
    return project;
  }));

describe('the package', () => {
  it('is installed without the network, a warning or another package', () => {
    expect(said).toMatchObject({ status: 0, stderr: '' });
    expect(said.stdout).toContain('added 1 package in');
  });

  it('contains what is built, its licences, the command, the types of the library, the pages and the schemas', () => {
    const files = filesOf(installed);
    expect(
      files.filter(
        (it) =>
          !/^(dist\/(program\/[\w-]+\.cjs|library\/[\w-]+\.js)|docs\/[\w-]+\.md|schemas\/(output\/)?[\w.-]+\.schema\.json)$/.test(
            it,
          ),
      ),
    ).toEqual([
      ...['LICENSE', 'README.md', 'dist/LICENSES', 'dist/library/documents.d.ts', 'dist/library/liqo-weft.d.ts'],
      ...['dist/report.html', 'dist/stage-files.cjs', 'dist/weft.cjs', 'package.json', 'src/host/start/weft.cjs'],
    ]);
    expect(files).toContain('docs/topology.md');
    expect(files).toContain('schemas/topology.schema.json');
    expect(files).toContain('schemas/output/plan.schema.json');
  });

  it('contains no path of this machine', () => {
    const texts = filesOf(installed).map((it) => [it, readFileSync(join(installed, it), 'utf8')] as const);
    expect(texts.filter(([, text]) => text.includes(ROOT)).map(([it]) => it)).toEqual([]);
  });

  it('has a command that starts a fleet and compiles it', () => {
    const fleet = join(scratch, 'fleet');
    mkdirSync(fleet);
    expect(weft(fleet, '--version').stdout).toMatch(new RegExp(`^${version}( \\(.*\\))?\\n$`));
    expect(weft(fleet, 'init')).toMatchObject({ status: 0, stderr: '' });
    expect(weft(fleet, 'compile')).toMatchObject({ status: 0 });
    expect(existsSync(join(fleet, 'out/rome/kustomization.yaml'))).toBe(true);
  });

  nightly(
    'writes jobs that run: the printed command packs what is installed, and a job installs that and checks a pull request',
    () => {
      const fleet = join(scratch, 'jobs');
      mkdirSync(fleet);
      const sh = (script: string, env: Readonly<Record<string, string>>) =>
        run('bash', ['-e', '-c', script], fleet, {
          ...process.env,
          npm_config_userconfig: join(scratch, 'npmrc'),
          npm_config_cache: join(scratch, 'cache'),
          ...env,
        });
      const git = (...args: readonly string[]) =>
        run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], fleet);
      git('init', '-q');
      const { stdout } = weft(fleet, 'init', '--forge', 'github');
      const { jobs, env } = parse(readFileSync(join(fleet, '.github/workflows/weft.yml'), 'utf8'));
      const [, install, check] = jobs.check.steps;
      // A release needs no package, and its Action is tested elsewhere.
      if (env === undefined) return expect(install.uses).toMatch(/\/weft@[0-9a-f]{40}$/);
      const [packing = ''] = stdout.match(/mkdir -p .* && npm pack .*/) ?? [];
      expect(sh(install.run, { ...env, npm_config_prefix: join(scratch, 'runner') })).toMatchObject({ status: 1 });
      expect(sh(packing, { npm_config_prefix: join(scratch, 'prefix') })).toMatchObject({ status: 0 });
      expect(sh(install.run, { ...env, npm_config_prefix: join(scratch, 'runner') })).toMatchObject({ status: 0 });
      const topology = join(fleet, 'topologies/topology.yaml');
      for (const pods of ['10.203.0.0/16', '10.204.0.0/16']) {
        writeFileSync(topology, readFileSync(topology, 'utf8').replace('10.203.0.0/16', pods));
        git('add', '--all');
        git('commit', '-q', '-m', pods);
      }
      const job = {
        PATH: `${join(scratch, 'runner/bin')}:${process.env['PATH']}`,
        RUNNER_TEMP: scratch,
        GITHUB_ACTIONS: 'true',
      };
      const checked = sh(check.run, { ...job, GITHUB_STEP_SUMMARY: join(scratch, 'summary.md') });
      expect(checked).toMatchObject({ status: 0 });
      expect(checked.stdout).toContain('::warning file=topologies/topology.yaml,');
      expect(readFileSync(join(scratch, 'summary.md'), 'utf8')).toContain('europe');
      expect(readdirSync(join(scratch, 'weft-review')).sort()).toEqual([
        'weft-diff.html',
        'weft-diff.md',
        'weft-report.html',
      ]);
    },
  );

  it('exports the library and its package.json, and nothing else', () => {
    const modules = join(installed, '..');
    const importing = (name: string) => run('node', ['--input-type=module', '-e', `await import('${name}')`], modules);
    expect(importing('liqo-weft')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(importing('liqo-weft/dist/weft.cjs').stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
    const reading = `console.log(require('liqo-weft/package.json').name)`;
    expect(run('node', ['-e', reading], modules).stdout).toBe('liqo-weft\n');
  });
});

describe('the command of a package that lacks a part', () => {
  it('says how to build it', () => {
    const clone = join(scratch, 'incomplete');
    cpSync(join(ROOT, 'src/host/start/weft.cjs'), join(clone, 'src/host/start/weft.cjs'));
    cpSync(join(ROOT, 'dist/weft.cjs'), join(clone, 'dist/weft.cjs'));
    expect(run('node', [join(clone, 'src/host/start/weft.cjs'), 'compile'], scratch)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^error: weft is not built\n/),
    });
  });
});

describe('the command of a clone that is not built', () => {
  it('says how to build it', () => {
    const clone = join(scratch, 'clone');
    cpSync(join(ROOT, 'src/host/start/weft.cjs'), join(clone, 'src/host/start/weft.cjs'));
    expect(run('node', [join(clone, 'src/host/start/weft.cjs'), 'compile'], scratch)).toEqual({
      status: 2,
      stdout: '',
      stderr: `error: weft is not built\n  hint: run \`npm ci && npm run build\` in ${clone}\n`,
    });
  });
});

describe('the build that npm runs, after an install and before it packs', () => {
  it('says which packages it needs where they are not installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([scripts.dependencies, scripts.prepack]).toEqual(Array(2).fill('node src/host/build/build-for-npm.mjs'));
    const bare = join(scratch, 'bare');
    cpSync(join(ROOT, 'src/host/build'), join(bare, 'src/host/build'), { recursive: true });
    expect(run('node', ['src/host/build/build-for-npm.mjs'], bare)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'weft is built with its development dependencies: run `npm ci` in this folder, without --omit=dev\n',
    });
  });
});
