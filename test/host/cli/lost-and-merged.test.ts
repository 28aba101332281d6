import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workspace } from './memory-host.ts';

const FLEET = `version: 1
name: ord
hub: h
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  h: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, externalCIDR: 10.70.0.0/16 }
  l1: { podCIDR: 10.200.0.0/16 }
  l2: { podCIDR: 10.0.0.0/16 }
`;

const git = (cwd: string, ...args: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, stdio: 'pipe' });

describe('two branches that each add a cluster', () => {
  it('merge with conflicts in out/, and the next compile resolves all of them', async () => {
    const topology = 'topologies/topology.yaml';
    const { folder, write, weft } = workspace({ [topology]: FLEET });
    git(folder, 'init', '-q', '-b', 'main');
    expect((await weft('compile', '-q')).code).toBe(0);
    git(folder, 'add', '-A');
    git(folder, 'commit', '-qm', 'base');
    for (const name of ['m4', 'k5']) {
      git(folder, 'checkout', '-q', '-b', name, 'main');
      write(topology, `${FLEET}  ${name}: { podCIDR: 10.200.0.0/16 }\n`);
      expect((await weft('compile', '-q')).code).toBe(0);
      git(folder, 'add', '-A');
      git(folder, 'commit', '-qm', name);
    }
    expect(() => git(folder, 'merge', 'm4')).toThrow();
    expect(readFileSync(join(folder, 'out/addresses.json'), 'utf8')).toContain('<<<<<<<');
    write(topology, `${FLEET}  k5: { podCIDR: 10.200.0.0/16 }\n  m4: { podCIDR: 10.200.0.0/16 }\n`);
    const lock = join(folder, 'topologies/topology.lock.yaml');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^(<{7}|={7}|>{7}).*\n/gm, ''));

    let result = await weft('compile', '-q');
    for (let i = 0; i < 5 && result.code !== 0; i++) {
      const targets = [...result.stderr.matchAll(/weft compile --relock (\S+)"/g)].map((it) => it[1] as string);
      expect(targets, result.stderr).not.toEqual([]);
      result = await weft('compile', '-q', ...targets.flatMap((it) => ['--relock', it]));
    }
    expect([result.code, result.stderr.includes('weft did not write')]).toEqual([0, false]);
    expect((await weft('compile', '--check', '-q')).code).toBe(0);
    expect(readFileSync(join(folder, 'out/addresses.json'), 'utf8')).not.toContain('<<<<<<<');
  });
});

describe('a lock that got lost', () => {
  it('is reported when out/ is full', async () => {
    const { folder, weft } = workspace({ 'topologies/topology.yaml': FLEET });
    expect((await weft('compile')).stdout).not.toContain('There was no');
    rmSync(join(folder, 'topologies/topology.lock.yaml'));
    expect((await weft('compile')).stdout).toContain(
      'There was no topologies/topology.lock.yaml, although out/ has bundles: everything was decided again, and no file of theirs is different.',
    );
  });

  it('is not made again when that would move something, and the plan says so', async () => {
    const { folder, write, weft, read } = workspace({ 'topologies/topology.yaml': FLEET });
    expect((await weft('compile')).code).toBe(0);
    // The second compile keeps decisions that a first one would not make.
    const third = `${FLEET}  k5: { podCIDR: 10.200.0.0/16 }\n`;
    write('topologies/topology.yaml', third);
    expect((await weft('compile')).code).toBe(0);
    const lock = read('topologies/topology.lock.yaml');
    rmSync(join(folder, 'topologies/topology.lock.yaml'));
    const missing =
      'topologies/topology.lock.yaml is missing although there are bundles: addresses and ports would be decided again';
    for (const args of [['compile'], ['compile', '--check'], ['plan']]) {
      const { code, stderr } = await weft(...args);
      expect([code, stderr]).toEqual([1, expect.stringContaining(missing)]);
      expect(stderr).toContain('restore it from git, or pass "--relock all"');
    }
    const { diagnostics } = JSON.parse((await weft('plan', '-o', 'json')).stdout);
    expect(diagnostics.map(({ code }: { code: string }) => code)).toContain('plan/loses-lock');
    expect(existsSync(join(folder, 'topologies/topology.lock.yaml'))).toBe(false);
    expect((await weft('compile', '--relock', 'all')).code).toBe(0);
    expect(read('topologies/topology.lock.yaml')).not.toBe(lock);
  });
});

describe('--relock of two clusters without a link', () => {
  it('is misuse', async () => {
    const { weft } = workspace({ 'topologies/topology.yaml': FLEET });
    const { code, stderr } = await weft('compile', '-q', '--relock', 'l1/l2');
    expect([code, stderr.includes('"l1" and "l2" are not linked')]).toEqual([2, true]);
  });
});
