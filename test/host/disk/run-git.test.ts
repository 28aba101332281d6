import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inFolders } from '../../../src/base/core/folder-files.ts';
import { openCommit } from '../../../src/host/disk/open-commit.ts';
import { gitEnvironment } from '../../../src/host/disk/run-git.ts';
import { withFolder } from './tree/temp-folder.ts';

const SECRETS = {
  GITHUB_TOKEN: 'secret',
  GH_TOKEN: 'secret',
  WEFT_TOKEN: 'secret',
  INPUT_TOKEN: 'secret',
  ACTIONS_RUNTIME_TOKEN: 'secret',
  ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'secret',
  SSH_ASKPASS: 'secret',
  GIT_ASKPASS: 'secret',
  GIT_SSH_COMMAND: 'secret',
  GIT_EXTERNAL_DIFF: 'secret',
  GIT_CONFIG_PARAMETERS: "'http.extraheader=secret'",
  GIT_CONFIG_COUNT: '3',
  GIT_CONFIG_KEY_0: 'http.https://github.com/.extraheader',
  GIT_CONFIG_VALUE_0: 'AUTHORIZATION: basic secret',
  GIT_CONFIG_KEY_1: 'Safe.Directory',
  GIT_CONFIG_VALUE_1: '/fleet',
  GIT_CONFIG_KEY_2: 'core.sshCommand',
  GIT_CONFIG_VALUE_2: 'secret',
};

function setEnvironment(values: Readonly<Record<string, string>>): void {
  const before = { ...process.env };
  onTestFinished(() => {
    for (const name of Object.keys(values)) {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
    }
  });
  Object.assign(process.env, values);
}

function repository(folder: string): void {
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'a.yaml'), 'version: 1\n');
  git('init', '--quiet');
  git('add', '--all');
  git(
    '-c',
    'user.name=a',
    '-c',
    'user.email=a@example.com',
    '-c',
    'commit.gpgsign=false',
    'commit',
    '--quiet',
    '-m',
    'a',
  );
}

describe('git', () => {
  it('gets no token and no setting of the job but the folders that it trusts', () => {
    const env = gitEnvironment({ PATH: '/bin', HOME: '/root', ...SECRETS });
    expect(Object.entries(env).filter(([, value]) => value.includes('secret'))).toEqual([]);
    expect(env).toMatchObject({ PATH: '/bin', HOME: '/root', GIT_TERMINAL_PROMPT: '0', GIT_CONFIG_COUNT: '1' });
    expect(env).toMatchObject({ GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '/fleet' });
    expect(gitEnvironment({ GIT_CONFIG_COUNT: 'many' })).toMatchObject({ GIT_CONFIG_COUNT: '0' });
  });

  it.skipIf(process.platform === 'win32')('is started without the tokens', () =>
    withFolder(async (folder) => {
      const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
      mkdirSync(join(folder, 'bin'));
      const seen = join(folder, 'environment');
      writeFileSync(join(folder, 'bin/git'), `#!/bin/sh\nenv >> '${seen}'\nexec '${real}' "$@"\n`);
      chmodSync(join(folder, 'bin/git'), 0o755);
      mkdirSync(join(folder, 'fleet'));
      repository(join(folder, 'fleet'));
      setEnvironment({ ...SECRETS, PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}` });
      const commit = await openCommit(join(folder, 'fleet'), 'HEAD');
      expect(await commit.readText('a.yaml')).toEqual({ kind: 'ok', text: 'version: 1\n' });
      expect(readFileSync(seen, 'utf8')).not.toContain('secret');
    }),
  );

  it.skipIf(process.platform === 'win32')('runs no program of a repository', () =>
    withFolder(async (folder) => {
      repository(folder);
      const owned = join(folder, 'owned');
      const program = join(folder, 'program');
      writeFileSync(program, `#!/bin/sh\ntouch '${owned}'\n`);
      chmodSync(program, 0o755);
      for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.askPass', 'diff.external'])
        execFileSync('git', ['config', key, program], { cwd: folder });
      execFileSync('git', ['config', 'credential.helper', `!${program}`], { cwd: folder });
      writeFileSync(join(folder, '.gitattributes'), '* filter=x diff=x\n');
      execFileSync('git', ['config', 'filter.x.smudge', program], { cwd: folder });
      execFileSync('git', ['config', 'diff.x.textconv', program], { cwd: folder });
      const commit = await openCommit(folder, 'HEAD');
      expect([...(await commit.filesBelow('', inFolders(new Map()))).keys()]).toEqual(['a.yaml']);
      expect(existsSync(owned)).toBe(false);
    }),
  );

  it('fetches nothing: objects that a partial clone lacks are missing', () =>
    withFolder(async (folder) => {
      mkdirSync(join(folder, 'origin'));
      repository(join(folder, 'origin'));
      execFileSync('git', ['config', 'uploadpack.allowFilter', 'true'], { cwd: join(folder, 'origin') });
      const clone = ['clone', '--quiet', '--no-checkout', '--filter=blob:none', `file://${folder}/origin`, 'clone'];
      execFileSync('git', clone, { cwd: folder, stdio: 'pipe' });
      const commit = await openCommit(join(folder, 'clone'), 'HEAD');
      await expect(commit.readText('a.yaml')).rejects.toMatchObject({
        name: 'GitError',
        hint: 'fetch the whole commit first if this is a partial clone',
      });
    }));

  it.each(['-x', '--upload-pack=touch owned', 'HEAD:a.yaml', ':/a', 'a\nb'])(
    'takes no option for a commit: %j',
    (ref) =>
      withFolder(async (folder) => {
        repository(folder);
        await expect(openCommit(folder, ref)).rejects.toMatchObject({ name: 'GitError' });
      }),
  );
});
