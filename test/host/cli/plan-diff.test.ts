import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const EDITED = TOPOLOGY.replace('203.0.113.30', '203.0.113.31');

async function edited(text = EDITED) {
  const it = workspace({ [PATH]: TOPOLOGY });
  await it.weft('compile');
  it.write(PATH, text);
  return it;
}

describe('weft plan --diff', () => {
  it('writes the same two files again and again, and says so', async () => {
    const it = await edited();
    const first = await it.weft('plan', '--diff', 'a/b');
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(
      /^wrote a\/b\/weft-diff\.md and a\/b\/weft-diff\.html: \+\d+ −\d+ lines to read in \d+ files? of 1 cluster, /m,
    );
    expect(readdirSync(join(it.folder, 'a/b')).sort()).toEqual(['weft-diff.html', 'weft-diff.md']);
    const files = [it.read('a/b/weft-diff.md'), it.read('a/b/weft-diff.html')];
    for (const text of files) expect(text).toContain('203.0.113.31');
    expect((await it.weft('plan', '-q', '--diff', 'a/b')).stderr).toBe('');
    expect([it.read('a/b/weft-diff.md'), it.read('a/b/weft-diff.html')]).toEqual(files);
    // The plan itself is as without it.
    expect(first.stdout).toBe((await it.weft('plan')).stdout);
  });

  it('removes the files of an earlier run when nothing changes, and makes no folder', async () => {
    const it = await edited();
    await it.weft('plan', '--diff', 'review');
    it.write('review/notes.txt', 'mine\n');
    await it.weft('compile');
    const { code, stderr } = await it.weft('plan', '--diff', 'review');
    expect(code).toBe(0);
    expect(stderr).toMatch(/\nnothing changes, so there is no diff\n$/);
    expect(readdirSync(join(it.folder, 'review'))).toEqual(['notes.txt']);
    await it.weft('plan', '--diff', 'other');
    expect(existsSync(join(it.folder, 'other'))).toBe(false);
  });

  it('is about the lock alone where only that changes, about removals, and about the first compile', async () => {
    const it = workspace({ [PATH]: TOPOLOGY });
    expect((await it.weft('plan', '--diff', 'new')).code).toBe(0);
    expect(it.read('new/weft-diff.md')).toMatch(/## rome\n\nnew cluster: \+\d+ −0 lines to read in \d+ files/);
    await it.weft('compile');
    it.write(PATH, TOPOLOGY.replace(/ {2}(rome|milan): .*\n/g, '').replace(/shortcuts[\s\S]*/, ''));
    const { code } = await it.weft('plan', '--diff', 'gone');
    expect(code).toBe(1);
    expect(it.read('gone/weft-diff.md')).toMatch(/## rome\n\ncluster is removed: \+0 −\d+ lines to read in \d+ files/);
  });

  it('writes neither file where one of them is of somebody else', async () => {
    const it = await edited();
    it.write('review/weft-diff.html', '<html>mine</html>\n');
    const { code, stderr } = await it.weft('plan', '--diff', 'review');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'error: the diff cannot be written to review/weft-diff.html: it contains something else\n',
    );
    expect(stderr).toContain('hint: name another folder with --diff\n');
    expect(readdirSync(join(it.folder, 'review'))).toEqual(['weft-diff.html']);
    expect(it.read('review/weft-diff.html')).toBe('<html>mine</html>\n');
  });

  it.skipIf(process.platform === 'win32')(
    'follows no link out of the repository, neither of a file nor of a folder',
    async () => {
      const outside = workspace({ 'weft-diff.md': '<!-- weft:diff -->\n' });
      const it = await edited();
      mkdirSync(join(it.folder, '.git'));
      mkdirSync(join(it.folder, 'review'));
      symlinkSync(join(outside.folder, 'weft-diff.md'), join(it.folder, 'review/weft-diff.md'));
      symlinkSync(outside.folder, join(it.folder, 'link'));
      for (const folder of ['review', 'link', 'link/below/it']) {
        const { code, stderr } = await it.weft('plan', '--diff', folder);
        expect(code).toBe(2);
        expect(stderr).toContain(': a symbolic link leads out of the repository\n');
      }
      expect(readdirSync(outside.folder)).toEqual(['weft-diff.md']);
      expect(outside.read('weft-diff.md')).toBe('<!-- weft:diff -->\n');
    },
  );

  it('ends with a reason where the folder is a file, or a folder of the system', async () => {
    const it = await edited();
    writeFileSync(join(it.folder, 'file'), 'a\n');
    for (const folder of ['file', '/proc/x', '/dev/stdout', PATH]) {
      const { code, stderr } = await it.weft('plan', '--diff', folder);
      expect(code).toBe(2);
      expect(stderr).toMatch(/^error: .*\n {2}hint: /m);
    }
    expect(readFileSync(join(it.folder, 'file'), 'utf8')).toBe('a\n');
  });

  it('does not write among the bundles, where a folder is what GitOps tools apply', async () => {
    const it = await edited();
    for (const folder of ['out', 'out/diff', './out/rome/x']) {
      const { code, stderr } = await it.weft('plan', '--diff', folder);
      expect([code, stderr]).toEqual([2, expect.stringContaining('only compiled files belong in out/')]);
    }
    expect(existsSync(join(it.folder, 'out/diff'))).toBe(false);
    expect((await it.weft('plan', '--diff', 'out-diff')).code).toBe(0);
  });

  it('compares with a commit or a folder as the plan does', async () => {
    const base = await edited(TOPOLOGY);
    const it = await edited();
    await it.weft('compile');
    await it.weft('plan', '--base-dir', base.folder, '--diff', 'review');
    expect(it.read('review/weft-diff.md')).toContain('203.0.113.31');
    expect(it.read('review/weft-diff.md')).toContain('203.0.113.30');
  });

  it('is what "weft diff" leads to', async () => {
    const { code, stderr } = await workspace().weft('diff');
    expect(code).toBe(2);
    expect(stderr).toContain(
      'hint: run "weft plan": it shows what compile would change; with --diff DIR also the lines\n',
    );
  });
});
