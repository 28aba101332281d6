import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { fleetOfTheSlides } from '../../live/simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../../live/simulated/simulate-liqoctl.ts';
import { workspace } from './memory-host.ts';

const DUMPS = Object.fromEntries(
  [...simulateLiqoctl(fleetOfTheSlides('1.2'))].map(([id, list]) => [`dumps/${id}.json`, JSON.stringify(list)]),
);
const HUB = 'dumps/hub.json';
const KEYS = 'topologies/topology.keys.yaml';

/** The one warning, wherever it is reported. */
const WARNING =
  '2 of 4 gateways have keys that git does not know, so no PublicKey is written for them: "hub" towards cluster2, cluster3';
const HINT =
  'dump "cluster2", "cluster3", whose PublicKeys have these keys, and take them from the keys file that "weft import" with another --topology writes; "weft keys generate" replaces keys that are in use only with --replace';

/** The fleet of the slides, of which only the hub was dumped. */
async function importedHub() {
  const fleet = workspace(DUMPS);
  return { ...fleet, printed: await fleet.weft('import', HUB, '--name', 'slides') };
}

function commit(cwd: string): void {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, stdio: 'pipe' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'imported');
}

const entryOf = (keys: string, cluster: string): string =>
  new RegExp(`^ {2}"${cluster}":\n(( {4}.*\n)+)`, 'm').exec(keys)?.[1] ?? '';

describe('keys of clusters that were not dumped', () => {
  it('are recorded as keys that exist, and every command has the same advice about them', async () => {
    const { weft, read, printed } = await importedHub();
    expect(printed.code).toBe(0);
    expect(entryOf(read(KEYS), 'hub')).toBe('    "cluster2": "unknown"\n    "cluster3": "unknown"\n');
    expect(entryOf(read(KEYS), 'cluster2')).toMatch(/^ {4}"hub": "\S{43}="\n$/);
    expect(read(KEYS)).toContain('# "unknown" is a key that is in use');
    const answers = [
      printed,
      await weft('validate'),
      await weft('plan'),
      await weft('compile'),
      await weft('plan', '--live', HUB),
    ];
    for (const it of answers) {
      expect(it.code).toBe(0);
      expect(it.stderr).toContain(WARNING);
      expect(it.stderr).toContain(`hint: ${HINT}\n`);
      expect(it.stdout).not.toContain('keys generate');
    }
    const lookups = [
      ['view', 'hub', 'cluster2'],
      ['view', 'hub'],
      ['trace', 'hub', 'cluster2'],
      ['trace', '--all'],
      ['verify'],
    ];
    for (const call of lookups) {
      const { code, stdout } = await weft(...call);
      expect([call, code]).toEqual([call, 0]);
      expect(stdout).not.toMatch(/no public key|carries nothing|no keys|keys generate/);
    }
  });

  it('are made by nobody but --replace, which only those get that have none', async () => {
    const { weft, read, write } = await importedHub();
    await weft('compile');
    const before = read(KEYS);
    const refused = await weft('keys', 'generate');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('("hub" towards "cluster2", "hub" towards "cluster3"); no key was made');
    expect(refused.stderr).toContain(`hint: ${HINT}\n`);
    expect(read(KEYS)).toBe(before);
    // A cluster that really has no key.
    write(
      'topologies/topology.yaml',
      read('topologies/topology.yaml').replace('clusters:\n', 'clusters:\n  new: {}\n'),
    );
    const made = await weft('keys', 'generate');
    expect(made.code).toBe(0);
    expect([...made.stdout.matchAll(/^# For cluster (.*)\.$/gm)].map((it) => it[1])).toEqual([
      'hub: the gateway towards new',
      'new: the gateway towards hub',
    ]);
    expect(made.stderr).toContain('2 other keys in use and not known there\n');
    expect(entryOf(read(KEYS), 'hub')).toMatch(
      /^ {4}"cluster2": "unknown"\n {4}"cluster3": "unknown"\n {4}"new": \{ key: "\S{44}", since: "\S{10}" \}\n$/,
    );
    const replaced = await weft('keys', 'generate', '--replace');
    expect(replaced.code).toBe(0);
    expect(replaced.stderr).toContain('2 keys were in use: ');
    expect(read(KEYS)).not.toContain('unknown');
  });

  it('are not compared: a plan from live clusters and drift say so, and claim nothing', async () => {
    const { weft } = await importedHub();
    await weft('compile');
    const plan = await weft('plan', '--live', HUB);
    expect(plan.stdout).toContain(
      '\nNot compared: 2 keys that git does not know, hub towards cluster2, hub towards cluster3.\n',
    );
    const { live } = JSON.parse((await weft('plan', '--live', HUB, '-o', 'json')).stdout);
    expect(live.unknownKeys).toEqual([
      { cluster: 'hub', peer: 'cluster2' },
      { cluster: 'hub', peer: 'cluster3' },
    ]);
    const both = await weft('plan', '--live', HUB, '--live', 'dumps/cluster2.json');
    expect(both.stdout).not.toMatch(/^Keys$/m);
    const drift = await weft('drift', '--live', HUB, '--live', 'dumps/cluster2.json');
    expect(drift.stdout).not.toContain('drift/second-key');
    expect(drift.stdout).toContain(
      'not compared: 1 PublicKey; git does not know this key: take it from the keys file that "weft import" with another --topology writes from this dump\n',
    );
  });

  it('are a key once the other clusters are dumped, which a plan tells from a key that takes its place', async () => {
    const { weft, read, write, folder } = await importedHub();
    await weft('compile');
    commit(folder);
    const again = await weft('import', 'dumps/', '--topology', 'again/topology.yaml', '--name', 'slides');
    expect(again.code).toBe(0);
    const known = read('again/topology.keys.yaml');
    expect(known).not.toContain('unknown');
    const before = read(KEYS);
    write(KEYS, before.replace(/ {2}"hub":\n( {4}.*\n)+/, `  "hub":\n${entryOf(known, 'hub')}`));
    const plan = await weft('plan');
    expect(plan.stdout).toMatch(/\+ hub towards cluster2: its public key is known now, \S+…\n/);
    expect(plan.stdout).toContain('needs care: the gateway has had a key that git did not know');
    expect(plan.stdout).not.toContain('could not come up');
    const live = await weft('plan', '--live', HUB, '--live', 'dumps/cluster2.json');
    // That of the cluster that was not dumped is the only one that nothing shows.
    expect(live.stdout).not.toContain('hub towards cluster2: its public key');
    expect(live.stdout).toMatch(
      /\+ hub towards cluster3: its public key is known now, \S+…\n {6}needs care: the gateway has had/,
    );
    write(KEYS, before);
    await weft('keys', 'generate', '--replace');
    const other = await weft('plan', '--live', HUB, '--live', 'dumps/cluster2.json');
    expect(other.stdout).toMatch(/~ hub towards cluster2: its public key is \S+… instead of \S+…\n/);
  });

  it('are known to a fleet that lost them: compile takes no PublicKey away', async () => {
    const { weft, read, write } = workspace(DUMPS);
    await weft('import', 'dumps/', '--name', 'slides');
    await weft('compile');
    write(KEYS, read(KEYS).replace(/( {2}"hub":\n {4}"cluster2": )"\S+"/, '$1"unknown"'));
    const { code, stderr } = await weft('compile');
    expect(code).toBe(1);
    expect(stderr).toContain('1 gateway had a key and would have none: "hub" towards "cluster2"');
  });

  it('keep their record under the new name of a cluster', async () => {
    const { weft, read, write } = await importedHub();
    await weft('compile');
    const topology = read('topologies/topology.yaml');
    write('topologies/topology.yaml', topology.replace(/\bcluster2: \{/, 'second: { renamedFrom: cluster2,'));
    expect((await weft('validate')).stderr).toContain('"hub" towards cluster3, second');
    await weft('keys', 'generate');
    expect(entryOf(read(KEYS), 'hub')).toBe('    "cluster3": "unknown"\n    "second": "unknown"\n');
  });

  it('are those of consumers, too, whose loans go on', async () => {
    const topology = `version: 1
name: loans
hub: hub
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, apiServer: https://api.hub.example:6443 }
  rome: { podCIDR: 10.202.0.0/16 }
sharing:
  - { consumer: rome, provider: hub }
`;
    const recorded = 'version: 1\nkeys: {}\nauthentication: { rome: unknown }\n';
    const { weft, read } = workspace({ 'topologies/topology.yaml': topology, [KEYS]: recorded });
    const { code, stderr } = await weft('validate');
    expect(code).toBe(0);
    expect(stderr).toContain('1 of 1 consumers has an authentication key that git does not know');
    expect(stderr).toContain('hint: dump "hub" with Tenants and Secrets, which have what is public of these keys');
    expect((await weft('view', 'rome')).stdout).toContain('its key is not known here');
    expect((await weft('plan')).stdout).not.toMatch(/keys generate.*\(rome\)$/m);
    expect((await weft('compile')).code).toBe(0);
    expect((await weft('verify')).code).toBe(0);
    expect((await weft('keys', 'generate')).stderr).toContain(
      'is written; 1 other key in use and not known there\nNext: weft compile\n',
    );
    expect(read(KEYS)).toContain('authentication:\n  "rome": "unknown"\n');
    const refused = await weft('keys', 'generate');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain('authentication keys of "rome"; no key was made');
    await weft('keys', 'generate', '--replace');
    expect(read(KEYS)).not.toContain('unknown');
  });
});
