import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspace } from '../host/cli/memory-host.ts';
import { compileGolden, goldenFiles } from '../support/golden.ts';

const yamllint = (folder: string, ...args: readonly string[]) =>
  spawnSync('yamllint', ['--strict', ...args, '.'], { cwd: folder, encoding: 'utf8' });

const isInstalled = spawnSync('yamllint', ['--version']).status === 0;

// CI has it; an error says so where it is gone.
describe.skipIf(process.env['CI'] === undefined && !isInstalled)('yamllint (skipped where it is not installed)', () => {
  it('finds nothing in the folder of a new fleet', async () => {
    const it = workspace();
    await it.weft('init');
    expect((await it.weft('compile')).code).toBe(0);
    expect(yamllint(it.folder)).toMatchObject({ status: 0, stdout: '' });
  });

  it.each(['alerts-on-every-tunnel', 'gitops-with-argo-and-flux', 'sharing-with-argo-and-flux'])(
    'with its defaults finds no more than long lines and missing "---" in %s',
    (name) => {
      const folder = mkdtempSync(join(tmpdir(), 'weft-yamllint-'));
      try {
        for (const [path, text] of goldenFiles(compileGolden(name))) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), text);
        }
        const settings = '{extends: default, rules: {document-start: disable, line-length: disable}}';
        expect(yamllint(folder, '-d', settings)).toMatchObject({ status: 0, stdout: '' });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
