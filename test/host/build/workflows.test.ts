import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, pageAt } from '../../docs/pages.ts';
import { RELEASE, workspace } from '../cli/memory-host.ts';

const ROOT = new URL('../../..', import.meta.url).pathname;
const isMissing = (program: string): boolean => spawnSync(program, ['--version']).error !== undefined;

/** The workflows of `weft init` for a forge, by a weft that is a release or none, as GitHub would read them. */
async function initialized(forge: string, release?: typeof RELEASE): Promise<readonly [string, string][]> {
  const fleet = workspace();
  const folder = `.${forge}/workflows`;
  const drift = forge === 'github' ? ['--drift'] : [];
  await fleet.weftWith(release === undefined ? {} : { release }, 'init', '--forge', forge, ...drift);
  const kind = release === undefined ? 'package' : 'release';
  return readdirSync(join(fleet.folder, folder)).map((it) => [
    `${forge}-${kind}-${it}`,
    asOnGitHub(forge, fleet.read(`${folder}/${it}`)),
  ]);
}

/** GitHub has short names of actions alone; Forgejo has no permissions in workflows, and its runners have another label. */
function asOnGitHub(forge: string, text: string): string {
  const short = text.replaceAll('uses: https://github.com/', 'uses: ');
  if (forge !== 'forgejo') return short;
  return short.replaceAll('runs-on: docker', 'runs-on: ubuntu-latest').replace(/\njobs:\n/, '\npermissions: {}$&');
}

/** Every workflow: those of this repository, those that weft writes, and whole ones on pages. */
async function workflows(): Promise<readonly [string, string][]> {
  const own = join(ROOT, '.github/workflows');
  const written = await Promise.all(
    ['github', 'gitea', 'forgejo'].flatMap((it) => [initialized(it), initialized(it, RELEASE)]),
  );
  const pages = ['docs/pull-requests.md', 'docs/sharing.md'].flatMap((path) =>
    blocksOf(pageAt(path))
      .filter(({ language, text }) => language === 'yaml' && /^jobs:$/m.test(text))
      .map(({ text }, i): [string, string] => [`${path.replace(/\W/g, '-')}-${i}.yml`, text]),
  );
  return [
    ...readdirSync(own).map((it): [string, string] => [it, readFileSync(join(own, it), 'utf8')]),
    ...written.flat(),
    ...pages,
  ];
}

/** A repository in which all of them are. */
async function repository(): Promise<string> {
  const { folder } = workspace();
  const own = join(folder, '.github/workflows');
  mkdirSync(own, { recursive: true });
  for (const [name, text] of await workflows()) writeFileSync(join(own, name), text);
  expect(readdirSync(own).length).toBeGreaterThan(10);
  return folder;
}

/** The output of a linter. It has no message for a workflow without a fault. */
function lint(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  return status === 0 ? '' : `${stdout}${stderr}`.replace(/^ INFO .*\n/gm, '');
}

const INJECTED = `{ name: Hello, on: push, jobs: { a: { runs-on: ubuntu-24.04, steps: [{ run: "echo \${{ github.head_ref }}" }] } } }\n`;

describe.skipIf(isMissing('actionlint'))('actionlint (skipped without actionlint)', () => {
  const faultsIn = (folder: string): string =>
    lint(
      'actionlint',
      [
        '-no-color',
        '-oneline',
        ...readdirSync(join(folder, '.github/workflows')).map((it) => `.github/workflows/${it}`),
      ],
      folder,
    );

  it('finds no fault in a workflow', async () => {
    expect(faultsIn(await repository())).toBe('');
  });

  it('would find one', async () => {
    const folder = await repository();
    writeFileSync(join(folder, '.github/workflows/hello.yml'), INJECTED);
    expect(faultsIn(folder)).toContain('hello.yml');
  });
});

describe.skipIf(isMissing('zizmor'))('zizmor (skipped without zizmor)', () => {
  const faultsIn = (folder: string): string =>
    lint(
      'zizmor',
      ['--offline', '--no-progress', '--color=never', '--config', join(ROOT, '.github/zizmor.yml'), '.'],
      folder,
    );

  it('finds no fault in a workflow', async () => {
    expect(faultsIn(await repository())).toBe('');
  });

  it('would find one', async () => {
    const folder = await repository();
    writeFileSync(join(folder, '.github/workflows/hello.yml'), INJECTED);
    expect(faultsIn(folder)).toContain('template-injection');
  });
});
