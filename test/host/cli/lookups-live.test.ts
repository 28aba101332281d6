import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

type Edit = (it: LiveItem, cluster: string) => readonly LiveItem[];

/** The fleet as dumps beside its topology, or, without files, as dumps alone. */
const fleet = (edit?: Edit, files: Readonly<Record<string, string>> = FILES) =>
  workspace({ ...files, ...dumpsOf(FILES, edit) });

const replaced = (it: LiveItem, from: string, to: string): LiveItem =>
  JSON.parse(JSON.stringify(it).replaceAll(from, to)) as LiveItem;

/** Rome sees milan's pods at another network, and its rules are those of it. */
const moved: Edit = (it, cluster) => [
  cluster === 'rome' && /Configuration$/.test(it.kind) && /^milan/.test(it.metadata.name)
    ? replaced(it, '10.81.0.0/16', '10.68.0.0/16')
    : it,
];

const disconnected: Edit = (it, cluster) => [
  cluster === 'rome' && it.kind === 'Connection' && it.metadata.name === 'gw-milan'
    ? replaced(it, '"Connected"', '"Error"')
    : it,
];

const DUMPS = ['--live', 'dumps/'] as const;

describe('weft view, trace and whois --live', () => {
  it('ask for no new key of a gateway that runs, but for its PublicKey', async () => {
    const isKeyOfMilan = (it: LiveItem, cluster: string) =>
      cluster === 'rome' && it.kind === 'PublicKey' && it.metadata.name === 'milan';
    const { weft } = fleet((it, cluster) => (isKeyOfMilan(it, cluster) ? [] : [it]));
    for (const argv of [['rome'], ['rome', 'milan'], ['rome', '-o', 'markdown']]) {
      const { stdout } = await weft('view', ...argv, ...DUMPS);
      expect(stdout).toContain(
        'no keys: a gateway of the link has no public key, so it carries nothing; apply the bundle',
      );
      expect(stdout).not.toContain('weft keys generate');
    }
  });

  it('answer without any topology', async () => {
    const { weft } = fleet(undefined, {});
    const head = 'Live, not git: europe, milan, rome, from dumps/.\n\n';
    const view = await weft('view', 'rome', 'milan', ...DUMPS);
    expect({ ...view, stdout: view.stdout.slice(0, head.length) }).toEqual({ code: 0, stdout: head, stderr: '' });
    expect(view.stdout).toContain('  milan serves, rome dials 203.0.113.30:');
    expect(view.stdout).not.toContain('git says');
    const trace = await weft('trace', 'rome', 'milan', ...DUMPS);
    expect(trace.code).toBe(0);
    expect(trace.stdout).toContain('rome dials 10.81.0.10; milan sees the source as 10.81.0.10.');
    expect(trace.stdout).not.toContain('out/');
    expect((await weft('trace', '--all', ...DUMPS)).code).toBe(0);
    expect((await weft('whois', '10.81.3.7', '--in', 'rome', ...DUMPS)).stdout).toContain(
      'a pod of milan, there 10.202.3.7',
    );
  });

  it('agree with a topology that is as the clusters are', async () => {
    const { weft } = fleet();
    for (const command of [
      ['view', 'rome'],
      ['trace', 'rome', 'milan'],
      ['whois', '10.81.3.7'],
    ]) {
      const { code, stdout } = await weft(...command, ...DUMPS);
      expect({ code, git: /git (says|has)/.test(stdout) }).toEqual({ code: 0, git: false });
    }
  });

  it('say where reality is not what git says', async () => {
    const { weft } = fleet(moved);
    expect((await weft('view', 'rome', 'milan', ...DUMPS)).stdout).toContain(
      'git says 10.81.0.0/16 for the pod network of milan in rome, which is 10.202.0.0/16 -> 10.68.0.0/16\n',
    );
    const trace = await weft('trace', 'rome', 'milan', ...DUMPS);
    expect(trace.stdout).toContain('rome dials 10.68.0.10');
    expect(trace.stdout).toContain('git says delivered, rome dials 10.81.0.10');
    const whois = await weft('whois', '10.81.3.7', '--in', 'rome', ...DUMPS);
    expect(whois.code).toBe(1);
    expect(whois.stdout).toContain('git says 10.81.3.7 is a pod of milan, there 10.202.3.7 (10.81.0.0/16) in rome');
    const { live } = JSON.parse((await weft('view', 'rome', ...DUMPS, '-o', 'json')).stdout);
    expect(live).toMatchObject({ looked: ['europe', 'milan', 'rome'], inferred: [], sources: ['dumps/'], faults: [] });
    expect(live.gitSays).toHaveLength(1);
    expect((await weft('view', 'rome', ...DUMPS, '-o', 'markdown')).stdout).toMatch(
      /^Live, not git[\s\S]*\n- git says/,
    );
  });

  it('say what is live where no cluster can see a peer so', async () => {
    // Inside the networks of the services of rome.
    const impossible: Edit = (it, cluster) => [
      cluster === 'rome' && it.kind === 'Configuration' && it.metadata.name === 'milan'
        ? replaced(it, '10.81.0.0/16', '10.99.0.0/16')
        : it,
    ];
    const { weft } = fleet(impossible);
    const fault =
      'rome towards milan: it sees the pod CIDR 10.202.0.0/16 as 10.99.0.0/16 (Configuration liqo-tenant-milan/milan), and it overlaps';
    const commands = [
      ['view', 'rome', 'milan'],
      ['view', 'rome'],
      ['trace', 'rome', 'milan'],
      ['whois', '10.99.3.7', '--in', 'rome'],
      ['whois', '10.99.3.7'],
    ];
    for (const command of commands) {
      const text = (await weft(...command, ...DUMPS)).stdout;
      expect(text).toContain(fault);
      expect(text).toMatch(/weft cannot compute with that view, so this answer has 10\.\d+\.0\.0\/16 instead\n/);
      const { live } = JSON.parse((await weft(...command, ...DUMPS, '-o', 'json')).stdout);
      expect(live.faults).toMatchObject([
        { cluster: 'rome', peer: 'milan', kind: 'unkept-view', text: expect.stringContaining(fault) },
      ]);
    }
    expect((await weft('view', 'rome', 'milan', ...DUMPS)).stdout).toContain(
      'git says 10.81.0.0/16 for the pod network of milan in rome, which is 10.202.0.0/16 -> 10.99.0.0/16\n',
    );
    expect((await weft('whois', '10.12.3.7', ...DUMPS)).stdout).not.toContain('towards milan');
    const adopted = await weft('drift', '--adopt', '--check', '--live', 'dumps');
    expect(adopted.stdout).toContain(
      'not as in the clusters: "rome" sees the pod CIDR 10.202.0.0/16 of "milan" as 10.99.',
    );
    expect(adopted.stdout).not.toContain(' as they are in the clusters');
    const document = JSON.parse((await weft('drift', '--adopt', '--check', '--live', 'dumps', '-o', 'json')).stdout);
    expect(document.adopted.unkept).toEqual([expect.stringContaining('as 10.99.0.0/16')]);
  });

  it('end a packet at a tunnel that is down, and say so', async () => {
    const { weft } = fleet(disconnected);
    const { code, stdout } = await weft('trace', 'rome', 'milan', ...DUMPS);
    expect(code).toBe(1);
    expect(stdout).toContain(': the tunnel is down, direct');
    expect(stdout).toContain('rome towards milan: the Connection liqo-tenant-milan/gw-milan is "Error"');
    expect(stdout).not.toContain('\nBack\n');
    expect((await weft('trace', 'rome', 'europe', ...DUMPS)).code).toBe(0);
    const all = JSON.parse((await weft('trace', '--all', ...DUMPS, '-o', 'json')).stdout);
    const down = all.pairs.filter((it: { fate: string }) => it.fate === 'tunnel-down');
    expect(down).toMatchObject([
      { from: 'milan', to: 'rome' },
      { from: 'rome', to: 'milan' },
    ]);
  });

  it('put what is beside what is expected in a runbook, from live clusters alone or with git', async () => {
    const runbook = ['view', 'rome', 'milan', '--runbook'] as const;
    const { weft } = fleet(moved);
    const both = (await weft(...runbook, ...DUMPS)).stdout;
    expect(both).toContain('status.cidr: 10.81.0.0/16\n    live: 10.68.0.0/16\n');
    expect((await weft(...runbook)).stdout).not.toContain('live: ');
    const { runbooks } = JSON.parse((await weft(...runbook, ...DUMPS, '-o', 'json')).stdout);
    expect(runbooks).toMatchObject([{ server: 'milan', client: 'rome' }]);
    expect(JSON.stringify(runbooks)).toContain('"live":"10.68.0.0/16"');
    const alone = (await fleet(moved, {}).weft(...runbook, ...DUMPS)).stdout;
    expect(alone).toContain('status.cidr: 10.68.0.0/16\n');
    expect((await weft(...runbook, '-o', 'markdown')).stdout).toMatch(/^## rome and milan: what to look at/);
  });

  it('are data with what is wrong', async () => {
    const { weft } = fleet((it, cluster) => moved(it, cluster).flatMap((one) => disconnected(one, cluster)));
    for (const argv of [
      ['view', 'rome', 'milan', '--runbook'],
      ['whois', '10.81.3.7'],
    ]) {
      const document = JSON.parse((await weft(...argv, ...DUMPS, '-o', 'json')).stdout);
      expect(document.live.faults).toHaveLength(1);
    }
  });

  it('have a runbook for each link on the way, and none without a peer', async () => {
    const behindHub = { 'topologies/topology.yaml': TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', '') };
    const { weft } = workspace(withKeysFiles(behindHub));
    const { runbooks } = JSON.parse((await weft('view', 'rome', 'milan', '--runbook', '-o', 'json')).stdout);
    expect(runbooks).toMatchObject([
      { server: 'europe', client: 'rome' },
      { server: 'europe', client: 'milan' },
    ]);
    expect(await weft('view', 'rome', '--runbook')).toMatchObject({ code: 2, stdout: '' });
  });

  it('cannot answer about a cluster that nothing shows, or from a dump that cannot be read', async () => {
    const it = fleet();
    it.write('broken.json', '{"kind": "List", "items": [');
    expect(await it.weft('view', 'paris', ...DUMPS)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no dump is of cluster "paris"'),
    });
    expect(await it.weft('view', 'rome', '--live', 'rome=broken.json')).toMatchObject({ code: 2, stdout: '' });
    expect(await it.weft('trace', '--service', 'demo/web', ...DUMPS)).toMatchObject({ code: 2, stdout: '' });
  });
});
