import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const WITH_GITOPS = `${TOPOLOGY}gitops: { repository: https://git.example.org/fleet.git }\n`;
const FILES = withKeysFiles({ 'topologies/topology.yaml': WITH_GITOPS });

/** Every file below a folder with its text. */
function textsBelow(folder: string): Readonly<Record<string, string>> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = paths.filter((it) => statSync(join(folder, it)).isFile());
  return Object.fromEntries(files.map((it) => [it, readFileSync(join(folder, it), 'utf8')]));
}

describe('weft compile --shard', () => {
  it.each([1, 2, 3, 5])('writes in %i parts what a whole compile writes', async (of) => {
    const { folder, weft } = workspace(FILES);
    const parts = Array.from({ length: of }, (_, i) => `parts/${i + 1}`);
    for (const [i, out] of parts.entries()) {
      const { code, stderr } = await weft('compile', '--shard', `${i + 1}/${parts.length}`, '--out', out, '-q');
      expect([code, stderr]).toEqual([0, '']);
    }
    const written = parts.map((it) => join(folder, it)).flatMap((it) => Object.keys(textsBelow(it)));
    expect(new Set(written).size).toBe(written.length);
    // More parts than clusters leave some without a file.
    for (const it of parts.map((part) => join(folder, part)).filter((part) => existsSync(part)))
      cpSync(it, join(folder, 'joined'), { recursive: true });
    expect((await weft('compile')).code).toBe(0);
    expect(textsBelow(join(folder, 'joined'))).toEqual(textsBelow(join(folder, 'out')));
    expect((await weft('compile', '--check', '--out', 'joined')).code).toBe(0);
  });

  it('checks a part; the first one also what belongs to no cluster, or to one that is gone', async () => {
    const { folder, write, weft } = workspace(FILES);
    await weft('compile');
    const check = async () => [
      await weft('compile', '--check', '--shard', '1/2'),
      await weft('compile', '--check', '--shard', '2/2'),
    ];
    expect((await check()).map((it) => it.code)).toEqual([0, 0]);
    rmSync(join(folder, 'out/addresses.json'));
    expect((await check()).map((it) => it.code)).toEqual([1, 0]);
    await weft('compile');
    // All three have two links, so that the second one is in the second part.
    rmSync(join(folder, 'out/milan'), { recursive: true });
    expect((await check()).map((it) => it.code)).toEqual([0, 1]);
    await weft('compile');
    write('topologies/topology.yaml', WITH_GITOPS.replace(/^ {2}milan: .*\n/m, '').replace(/^shortcuts:\n.*\n/m, ''));
    const [first] = await check();
    expect(first?.stdout).toContain('- out/milan/kustomization.yaml');
    await weft('compile', '--shard', '1/2', '--allow-destroy');
    await weft('compile', '--shard', '2/2', '--allow-destroy');
    expect(readdirSync(join(folder, 'out')).sort()).not.toContain('milan');
    expect((await weft('compile', '--check')).code).toBe(0);
  });

  it.each(['0/2', '3/2', '1', 'a/b', '1/0', ''])('refuses %j', async (value) => {
    const { code, stderr } = await workspace(FILES).weft('compile', '--shard', value);
    expect(code).toBe(2);
    expect(stderr).toContain('write it as 3/16');
  });

  it.each([['--cluster', 'rome'], ['--all'], ['--watch']])('excludes %s', async (...other) => {
    const { code, stderr } = await workspace(FILES).weft('compile', '--shard', '1/2', ...other);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--shard exclude each other')]);
  });
});
