import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleetOfTheSlides } from '../../live/simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../../live/simulated/simulate-liqoctl.ts';
import { workspace } from './memory-host.ts';

const slides = simulateLiqoctl(fleetOfTheSlides('1.2'));
const DUMPS = Object.fromEntries([...slides].map(([id, list]) => [`dumps/${id}.json`, JSON.stringify(list)]));

const WRITTEN = [
  'topologies/topology.yaml',
  'topologies/topology.keys.yaml',
  'topologies/topology.lock.yaml',
  'schemas/topology.schema.json',
];

describe('weft import', () => {
  it('writes what the clusters are, and reports that nothing would move', async () => {
    const { weft, read } = workspace(DUMPS);
    const { code, stdout } = await weft('import', 'dumps/', '--name', 'slides');
    expect(code).toBe(0);
    expect(read('topologies/topology.yaml')).toContain('name: slides\nhub: hub\n');
    expect(stdout.split('\n').slice(0, 5)).toEqual([
      ...WRITTEN.map((it) => `wrote ${it}`),
      expect.stringMatching(/^3 clusters, 3 links; \d+ objects compared with what these files compile to$/),
    ]);
    expect(stdout).toContain(
      '  - adds secretRef to 6 gateways: it names the Secret that each uses already; no restart\n',
    );
    expect(stdout).toContain('\nnothing would move: 0 views, 0 ports, 0 restarts\n');
    expect(stdout).not.toMatch(/^ {2}! /m);
  });

  it.each([
    ['1.0', 3],
    ['1.1', 3],
    ['1.2', 0],
  ] as const)('names the tunnels that pause when PublicKeys are marked on %s: %i', async (release, count) => {
    const dumps = [...simulateLiqoctl(fleetOfTheSlides(release))].map(
      ([id, list]) => [`dumps/${id}.json`, JSON.stringify(list)] as const,
    );
    const { stdout } = await workspace(Object.fromEntries(dumps)).weft('import', 'dumps/', '--check');
    expect(stdout).toContain('nothing would move');
    const pause = '3 tunnels carry nothing once, for about 15 seconds';
    if (count === 0) expect(stdout).not.toContain('15 seconds');
    else
      expect(stdout).toContain(`! ${pause}, when Argo CD or Flux marks the PublicKeys:\n  cluster3, hub: as a server`);
    expect(stdout.includes('clusters that serve tunnels first')).toBe(count > 0);
  });

  it('writes files that compile to what it has compared, with the same lock', async () => {
    const { weft, read } = workspace(DUMPS);
    await weft('import', 'dumps/');
    const lock = read('topologies/topology.lock.yaml');
    const compiled = await weft('compile');
    expect(compiled.code).toBe(0);
    // These clusters run Liqo already, so the steps of a new fleet are wrong for them.
    expect(compiled.stdout).toContain('compare them with the clusters: weft plan --live DUMPS');
    expect(compiled.stdout).not.toContain('--new');
    expect(read('topologies/topology.lock.yaml')).toBe(lock);
    expect((await weft('compile', '--check')).code).toBe(0);
  });

  it('is followed by a compile, also where keys are only known in a cluster without a dump', async () => {
    const [, ...some] = Object.entries(DUMPS);
    const { weft } = workspace(Object.fromEntries(some));
    expect((await weft('import', 'dumps/')).code).toBe(0);
    expect((await weft()).stdout).toContain('\nNext:\n  weft compile  # write out/ and the lock\n');
  });

  it('writes nothing with --check, and says the same', async () => {
    const { weft, folder } = workspace(DUMPS);
    const checked = await weft('import', 'dumps/', '--check');
    expect(checked.code).toBe(0);
    for (const it of WRITTEN) {
      expect(checked.stdout).toContain(`would write ${it}\n`);
      expect(existsSync(join(folder, it))).toBe(false);
    }
    const { stdout } = await weft('import', 'dumps/');
    const changes = (text: string) => text.slice(text.indexOf('what applying'), text.indexOf('to let Argo CD'));
    expect(changes(stdout)).toBe(changes(checked.stdout));
  });

  it('replaces nothing, and names the way out', async () => {
    const { weft, read, folder } = workspace({ ...DUMPS, 'topologies/topology.keys.yaml': 'mine\n' });
    const { code, stderr } = await weft('import', 'dumps/');
    expect(code).toBe(2);
    expect(stderr).toContain('topologies/topology.keys.yaml already exists; nothing is written');
    expect(stderr).toContain('"weft import --topology FILE"');
    expect(read('topologies/topology.keys.yaml')).toBe('mine\n');
    expect(existsSync(join(folder, 'topologies/topology.yaml'))).toBe(false);
  });

  it.each([
    ['fleet', 'fleet.yaml'],
    ['topologies/', 'topologies/topology.yaml'],
  ])('refuses a topology that no command would find: %s', async (named, meant) => {
    const { weft, folder } = workspace(DUMPS);
    const { code, stderr } = await weft('import', 'dumps/', '--topology', named);
    expect(code).toBe(2);
    expect(stderr).toContain(`${named} does not end in .yaml`);
    expect(stderr).toContain(`did you mean ${meant}?`);
    expect(readdirSync(folder)).toEqual(['dumps']);
    expect((await weft('import', 'dumps/', '--topology', 'fleet.yml')).code).toBe(0);
    expect((await weft('compile', 'fleet.yml')).code).toBe(0);
  });

  it('writes the files of one import only, when two run at once', async () => {
    const { weft, folder } = workspace(DUMPS);
    const [one, other] = await Promise.all(['one', 'other'].map((it) => weft('import', 'dumps/', '--name', it)));
    const [winner, loser] = one?.code === 0 ? [one, other] : [other, one];
    expect([winner?.code, loser?.code]).toEqual([0, 2]);
    expect(loser?.stderr).toContain('already exists; nothing is written');
    const files = readdirSync(join(folder, 'topologies'));
    expect(files.filter((it) => it.startsWith('.weft-'))).toEqual([]);
    expect((await weft('compile', '--frozen-lock')).code).toBe(0);
  });

  it('leaves nothing behind where the topology is a link that leads nowhere', async () => {
    const { weft, folder } = workspace(DUMPS);
    mkdirSync(join(folder, 'topologies'));
    symlinkSync('../elsewhere.yaml', join(folder, 'topologies/topology.yaml'));
    const { code, stderr } = await weft('import', 'dumps/');
    expect(code).toBe(2);
    expect(stderr).toContain('topologies/topology.yaml already exists; nothing is written');
    expect(readdirSync(join(folder, 'topologies'))).toEqual(['topology.yaml']);
    expect(existsSync(join(folder, 'elsewhere.yaml'))).toBe(false);
  });

  it('writes nothing when a dump is cut in the middle', async () => {
    const cut = { ...DUMPS, 'dumps/hub.json': DUMPS['dumps/hub.json']?.slice(0, 5000) ?? '' };
    const { weft, folder } = workspace(cut);
    const { code, stderr } = await weft('import', 'dumps/');
    expect(code).toBe(2);
    expect(stderr).toContain('live/unreadable');
    expect(WRITTEN.filter((it) => existsSync(join(folder, it)))).toEqual([]);
  });

  it('prints JSON, and a script only as it is', async () => {
    const { weft } = workspace(DUMPS);
    const { stdout } = await weft('import', 'dumps/', '-o', 'json');
    const document = JSON.parse(stdout);
    expect(document.import.moves).toEqual({ views: 0, ports: 0, restarts: 0, keys: 0 });
    const refused = JSON.parse((await weft('import', 'dumps/', '-o', 'json')).stdout);
    expect(refused.failure.message).toContain('already exist');
    const script = await weft('import', '--print-commands', '-o', 'json');
    expect([script.code, JSON.parse(script.stdout).failure.message]).toEqual([
      2,
      '--print-commands prints a script, not json',
    ]);
  });

  it('finds the schema that an editor needs, and a name for the fleet', async () => {
    const { weft, read } = workspace({ ...DUMPS, 'schemas/topology.schema.json': '{}\n' });
    await weft('import', 'dumps/', '--topology', 'topologies/europe.yaml');
    expect(read('topologies/europe.yaml')?.split('\n').slice(0, 3)).toEqual([
      '# yaml-language-server: $schema=../schemas/topology.schema.json',
      'version: 1',
      'name: europe',
    ]);
  });
});
