import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../src/host/cli/command-table.ts';
import { workspace } from './memory-host.ts';

/** Has bash complete a line with our script, the way an interactive shell would, and says what it offers. */
async function complete(line: string, files: Readonly<Record<string, string>> = {}): Promise<readonly string[]> {
  const { folder, weft } = workspace(files);
  writeFileSync(join(folder, 'weft.bash'), (await weft('completion', 'bash')).stdout);
  // Bash takes words apart at =, as COMP_WORDBREAKS says.
  const words = line.split(/ |(?<==)|(?==)/);
  const script = `
    source ./weft.bash
    COMP_WORDS=(${words.map((it) => `'${it}'`).join(' ')})
    COMP_CWORD=${words.length - 1}
    _weft
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const printed = execFileSync('bash', ['--norc', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return printed.split('\n').filter((it) => it !== '');
}

describe('completion in bash', () => {
  it('is a script that bash can read', async () => {
    const { stdout } = await workspace().weft('completion', 'bash');
    expect(spawnSync('bash', ['-n'], { input: stdout, encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['weft ', [...new Set(COMMANDS.map((it) => it.name.split(' ')[0] as string)), 'help']],
    ['weft co', ['compile', 'conformance', 'completion']],
    ['weft keys ', ['generate', 'collect', 'rotate']],
    ['weft compile --re', ['--relock']],
    ['weft --quiet compile --al', ['--all', '--allow-empty', '--allow-destroy']],
    ['weft compile -o ', ['text', 'json', 'github', 'gitlab', 'sarif']],
    ['weft compile --output=s', ['sarif']],
    ['weft view --output ', ['text', 'json', 'markdown']],
    ['weft keys generate --sec', ['--secrets-dir']],
    ['weft completion ', ['bash', 'zsh', 'fish', 'powershell', 'clusters']],
    ['weft explain ipam/order', ['ipam/order-dependent']],
    ['weft compile --color a', ['auto', 'always']],
    ['weft compile ', []],
    ['weft compile --cluster ', []],
  ])('offers for "%s" %j', async (line, expected) => {
    expect(await complete(line)).toEqual(expected);
  });

  it('offers folders where a folder is wanted', async () => {
    expect(await complete('weft compile --out o', { 'out/a': '', 'other file': '' })).toEqual(['out']);
  });

  it('offers a folder by its name, and neither expands nor runs it', async () => {
    const names = ['*', '$(touch owned)', '`touch owned`', "a'b", 'a;touch owned'];
    const files = Object.fromEntries([...names, 'owned-not'].map((it) => [`${it}/file`, '']));
    expect([...(await complete('weft compile --out ', files))].sort()).toEqual([...names, 'owned-not'].sort());
  });

  it('offers every option of every command', async () => {
    for (const { name, options } of COMMANDS) {
      expect(await complete(`weft ${name} --`)).toEqual(expect.arrayContaining(options.map((it) => `--${it.long}`)));
    }
  });
});

describe.each(['zsh', 'fish', 'powershell'])('completion in %s', (shell) => {
  it('knows every command and option', async () => {
    const { stdout, code } = await workspace().weft('completion', shell);
    expect(code).toBe(0);
    for (const { name, options } of COMMANDS) {
      for (const word of name.split(' ')) expect(stdout).toContain(word);
      for (const it of options)
        expect(stdout).toMatch(new RegExp(shell === 'fish' ? `-l ${it.long}\\b` : `--${it.long}\\b`));
    }
  });
});
