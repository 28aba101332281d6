import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

/** The data in a page. */
const dataIn = (page: string) => JSON.parse(/id="fleet">(.*?)<\/script>/s.exec(page)?.[1] ?? '');

describe('weft report', () => {
  it('writes a page with the sources beside the topologies, and replaces it', async () => {
    const { weft, read } = workspace(FILES);
    const written = { code: 0, stdout: '', stderr: 'wrote weft-report.html\n' };
    expect(await weft('report')).toEqual(written);
    expect(await weft('report')).toEqual(written);
    const { sources, base, drift, out } = dataIn(read('weft-report.html'));
    expect(sources.topology).toEqual({ path: 'topologies/topology.yaml', text: TOPOLOGY });
    expect(sources.keys.text).toBe(FILES['topologies/topology.keys.yaml']);
    expect({ base, drift, out }).toEqual({ base: null, drift: null, out: 'out' });
  });

  it('forbids what is not in the page', async () => {
    const { weft } = workspace(FILES);
    const { stdout } = await weft('report', '-o', '-');
    const [, policy = ''] = /Content-Security-Policy" content="([^"]*)"/.exec(stdout) ?? [];
    expect(policy.replace(/'sha256-[^']+'/g, 'HASH')).toBe(
      "default-src 'none'; script-src HASH; style-src HASH; worker-src blob:; img-src data:; base-uri 'none'; form-action 'none'",
    );
    expect(stdout).not.toMatch(/<(?:script|link|img|iframe)[^>]*(?:src|href)="(?!data:,)/);
    expect(stdout).not.toMatch(/ (?:style|on\w+)="/);
  });

  it('has the sources of a base', async () => {
    const before = TOPOLOGY.replace('10.200.0.0/16', '10.201.0.0/16');
    const { weft, read } = workspace({ ...FILES, 'base/topologies/topology.yaml': before });
    expect((await weft('report', '--base-dir', 'base', '-o', 'review.html')).code).toBe(0);
    const { base } = dataIn(read('review.html'));
    expect(base).toMatchObject({ name: 'base', sources: { topology: { text: before } } });
  });

  it('keeps other files, and the folder of the bundles', async () => {
    const { weft, folder, read } = workspace({ ...FILES, 'notes.html': '<p>mine</p>' });
    const kept = await weft('report', '-o', 'notes.html');
    expect(kept.code).toBe(2);
    expect(kept.stderr).toContain('error: the page cannot be written to notes.html');
    expect(read('notes.html')).toBe('<p>mine</p>');
    const inside = await weft('report', '-o', 'out/report.html');
    expect(inside.code).toBe(2);
    expect(inside.stderr).toContain('only compiled files belong in out/');
    expect(existsSync(join(folder, 'out'))).toBe(false);
  });

  it('is made although an assertion does not hold, and says no', async () => {
    const text = `${TOPOLOGY}assertions:\n  - { from: rome, to: milan, expect: unreachable }\n`;
    const { weft, folder } = workspace({ ...FILES, 'topologies/topology.yaml': text });
    const { code, stderr } = await weft('report');
    expect(code).toBe(1);
    expect(stderr).toContain('assertion/broken');
    expect(existsSync(join(folder, 'weft-report.html'))).toBe(true);
  });

  it('is not made of a topology with errors', async () => {
    const { weft, folder } = workspace({ 'topologies/topology.yaml': TOPOLOGY.replace('hub: europe', 'hub: berlin') });
    expect((await weft('report')).code).toBe(1);
    expect(existsSync(join(folder, 'weft-report.html'))).toBe(false);
  });

  it('opens without the parts that are named, and knows them', async () => {
    const { weft, folder, read } = workspace(FILES);
    const wrong = await weft('report', '--without', 'rom');
    expect(wrong).toMatchObject({ code: 2, stderr: 'error: no part is called "rom"\n  hint: did you mean "rome"?\n' });
    expect(existsSync(join(folder, 'weft-report.html'))).toBe(false);
    expect((await weft('report', '--without', 'rome/europe', '--without', 'milan')).code).toBe(0);
    expect(dataIn(read('weft-report.html')).without).toEqual(['rome/europe', 'milan']);
  });

  it('says what of a live cluster could not be compared, and has no answer then', async () => {
    const dumps = dumpsOf(FILES, (it, cluster) =>
      cluster === 'milan' && it.kind === 'FirewallConfiguration' ? [] : [it],
    );
    const { weft, read } = workspace({ ...FILES, ...dumps });
    const { code, stderr } = await weft('report', '--live', 'dumps/');
    const [, message = ''] = /error live\/incomplete: (.*)/.exec(stderr) ?? [];
    expect([code, message]).toEqual([2, expect.stringContaining('no firewallconfigurations')]);
    expect(dataIn(read('weft-report.html')).uncompared).toMatchObject([{ code: 'live/incomplete', message }]);
  });

  it('takes a name for a branch only where a topology is expected', async () => {
    const { weft } = workspace(FILES);
    const branch = 'error: there is no file nope\n  hint: compare with a branch or a commit: weft report --base nope\n';
    expect(await weft('report', 'nope')).toMatchObject({ code: 2, stderr: branch });
    const dump = 'error: there is no file nope\n  hint: check the path\n';
    expect(await weft('report', '--live', 'nope')).toMatchObject({ code: 2, stderr: dump });
  });

  it('takes one base', async () => {
    const { weft } = workspace(FILES);
    const { code, stderr } = await weft('report', '--base', 'HEAD', '--base-dir', 'base');
    expect(code).toBe(2);
    expect(stderr).toContain('--base and --base-dir exclude each other');
  });
});
