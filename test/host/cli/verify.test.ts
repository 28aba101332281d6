import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const CI = { env: { CI: 'true' } };

async function compiled() {
  const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  expect((await it.weft('compile')).code).toBe(0);
  return it;
}

type Workspace = Awaited<ReturnType<typeof compiled>>;

function edit(it: Workspace, path: string, from: string, to: string): void {
  const text = it.read(path);
  expect(text).toContain(from);
  it.write(path, text.replace(from, to));
}

describe('weft verify', () => {
  it('says that all promises are kept, and how many files it read', async () => {
    const it = await compiled();
    const answer = await it.weft('verify');
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(answer.stdout).toMatch(
      /^out\/ keeps its promises: \d+ files, 3 clusters, 3 links; 6 gateways have no public key, so their links carry nothing\n$/,
    );
    expect(await it.weft('verify', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('names file, line and column of what somebody edited', async () => {
    const it = await compiled();
    edit(it, 'out/rome/peers/europe/europe.yaml', 'mtu: 1340', 'mtu: 1300');
    const answer = await it.weft('verify');
    expect(answer).toMatchObject({ code: 1, stdout: '' });
    const line = it.read('out/rome/peers/europe/europe.yaml').split('\n').indexOf('  mtu: 1300') + 1;
    expect(answer.stderr).toContain(`out/rome/peers/europe/europe.yaml:${line}:8: error verify/mtu: `);
  });

  it('prints one JSON document', async () => {
    const it = await compiled();
    const good = JSON.parse((await it.weft('verify', '-o', 'json')).stdout);
    expect(good).toMatchObject({ ok: true, verified: { out: 'out', clusters: 3, links: 3 }, diagnostics: [] });
    edit(it, 'out/milan/nftables/rome.nft', 'dnat ip prefix to', 'dnat ip to');
    const bad = JSON.parse((await it.weft('verify', '-o', 'json')).stdout);
    expect(bad.ok).toBe(false);
    expect(bad.diagnostics[0]).toMatchObject({ code: 'verify/unreadable', file: 'out/milan/nftables/rome.nft' });
  });

  it('says of bundles of an earlier topology that they are stale, and what else is wrong', async () => {
    const it = await compiled();
    it.write('topologies/topology.yaml', TOPOLOGY.replace(/ {2}rome:.*\n/, '').replace(/shortcuts:\n.*\n/, ''));
    const stale = await it.weft('verify');
    expect(stale).toMatchObject({ code: 1, stdout: '' });
    expect([...stale.stderr.matchAll(/ error (\S+): (.*)/g)].map(([, code, text]) => [code, text])).toEqual([
      [
        'verify/differs',
        expect.stringMatching(
          /^out\/ is not what topologies\/topology.yaml compiles to: \d+ files are of an earlier compile$/,
        ),
      ],
    ]);
    const all = await it.weft('verify', '--verbose');
    expect(all.stderr).toContain('topologies/topology.lock.yaml:');
    expect(all.stderr.match(/ error /g)?.length).toBeGreaterThan(10);
    const json = JSON.parse((await it.weft('verify', '-o', 'json')).stdout);
    expect(json.diagnostics.length).toBeGreaterThan(10);
    edit(it, 'out/milan/peers/europe/europe.yaml', 'mtu: 1340', 'mtu: 1300');
    expect((await it.weft('verify')).stderr).toContain('error verify/mtu');
    rmSync(join(it.folder, 'out/milan/peers/europe/europe.yaml'));
    it.write('topologies/topology.yaml', TOPOLOGY);
    expect((await it.weft('verify')).stderr).toContain('error verify/missing-file');
  });

  it('reads another folder', async () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    await it.weft('compile', '--out', 'build/out');
    expect((await it.weft('verify', '--out', 'build/out/')).stdout).toMatch(/^build\/out\/ keeps/);
    edit(it, 'build/out/rome/helm-values.yaml', 'do not', 'do');
    expect((await it.weft('verify', '--out', 'build/out/')).stderr).toContain(
      'build/out/rome/helm-values.yaml:1:1: error verify/differs',
    );
  });

  it('tells a lock that is not what it would decide', async () => {
    const it = await compiled();
    const lock = it.read('topologies/topology.lock.yaml');
    it.write('topologies/topology.lock.yaml', lock.replace(/^# .*/, '# edited'));
    const answer = await it.weft('verify');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('topologies/topology.lock.yaml:1:1: error verify/differs');
    const [join = '', port] = lock.split('\n').filter((line) => line.startsWith('  milan/europe/'));
    it.write('topologies/topology.lock.yaml', lock.replace(`${join}\n`, ''));
    const missing = (await it.weft('verify')).stderr;
    expect(missing).toContain(`| ${port}`);
    expect(missing).toMatch(/before it, the line `milan\/europe\/join: \d+` is missing/);
    it.write('topologies/topology.lock.yaml', lock.replace(join, `  genoa/europe/join: 9\n${join}`));
    expect((await it.weft('verify')).stderr).toContain('restore it: the compiled file has no such line');
  });

  it('cannot answer without a bundle, and says no to a topology with errors', async () => {
    const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    expect(await it.weft('verify')).toMatchObject({ code: 2, stderr: expect.stringContaining('no folder out') });
    it.write('topologies/topology.yaml', TOPOLOGY.replace('10.200.0.0/16', '10.200.0.1/16'));
    expect(await it.weft('verify')).toMatchObject({ code: 1, stderr: expect.stringContaining('topology/host-bits') });
  });

  it('leaves alone what is not its business', async () => {
    const it = await compiled();
    it.write('out/README.md', '# ours\n');
    it.write('out/rome/NOTES.md', '# ours\n');
    it.write('out/.gitkeep', '');
    expect((await it.weft('verify')).code).toBe(0);
  });
});

describe('weft compile --check', () => {
  it('proves the bundle where CI is set, and there alone', async () => {
    const it = await compiled();
    expect((await it.weftWith(CI, 'compile', '--check')).code).toBe(0);
    edit(it, 'out/rome/peers/europe/europe.yaml', 'mtu: 1340', 'mtu: 1300');
    const outside = await it.weft('compile', '--check');
    expect(outside.code).toBe(1);
    expect(outside.stderr).not.toContain('verify/');
    const inside = await it.weftWith(CI, 'compile', '--check');
    expect(inside.code).toBe(1);
    expect(inside.stdout).toContain('~ out/rome/peers/europe/europe.yaml');
    expect(inside.stderr).toContain('error verify/mtu');
  });

  it('says no to a foreign manifest that the comparison leaves alone', async () => {
    const it = await compiled();
    it.write('out/rome/peers/europe/extra.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: extra }\n');
    expect((await it.weft('compile', '--check')).code).toBe(0);
    const answer = await it.weftWith(CI, 'compile', '--check');
    expect(answer.code).toBe(1);
    expect(answer.stderr).toContain('out/rome/peers/europe/extra.yaml:1:1: error verify/foreign-file');
  });

  it('does not tell every promise of a topology that was not compiled yet', async () => {
    const it = await compiled();
    it.write('topologies/topology.yaml', TOPOLOGY.replace('gateway: 203.0.113.10', 'gateway: 203.0.113.99'));
    const answer = await it.weftWith(CI, 'compile', '--check');
    expect(answer.code).toBe(1);
    expect(answer.stdout).toContain('out/ is out of date');
    expect(answer.stderr).not.toContain('verify/');
  });
});
