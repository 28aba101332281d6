import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const LONELY = TOPOLOGY.replace('shortcuts:', '  oslo: { podCIDR: 10.203.0.0/16, hub: [] }\nshortcuts:');

const fleet = () => workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY, 'b/other.yaml': LONELY }));

describe('weft trace', () => {
  it('walks from one cluster to another and back', async () => {
    const { code, stdout, stderr } = await fleet().weft('trace', 'rome', 'milan');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^rome\/10\.202\.0\.10 to milan\/10\.202\.0\.10: delivered, direct, by the shortcut\n {2}rome dials /,
    );
    expect(stdout).toMatch(/^ 4 {2}rome gateway for milan, prerouting .*\(out\/rome\/nftables\/milan\.nft:\d+\)$/m);
    expect(stdout).toMatch(/\nBack\n 1 {2}milan pod /);
  });

  it('takes the topology in front or behind, and knows cluster/address from a path', async () => {
    const it = fleet();
    const inFront = await it.weft('trace', 'b/other.yaml', 'rome/10.202.0.5', 'milan/10.202.0.7:8080');
    expect(inFront).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('rome/10.202.0.5 to milan/10.202.0.7:8080: delivered'),
    });
    expect(await it.weft('trace', 'rome/10.202.0.5', 'milan/10.202.0.7:8080', 'b/other.yaml')).toEqual(inFront);
    expect(await it.weft('trace', './b', 'rome/10.202.0.5', 'milan/10.202.0.7:8080')).toEqual(inFront);
  });

  it('reports a packet that is not delivered, and what would change it', async () => {
    const { code, stdout } = await fleet().weft('trace', 'b/other.yaml', 'rome', 'oslo');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'rome/10.202.0.10 to oslo/10.203.0.10: no route\n' +
        '  "rome" and "oslo" have no link, and no cluster has links to both.\n' +
        '  What would change it: Add a link to `peerings`, or make both spokes of one hub.\n',
    );
  });

  it('goes through a hub when asked, and from a node', async () => {
    const it = fleet();
    const { stdout } = await it.weft('trace', 'rome', 'milan', '--through', 'europe', '--out', 'elsewhere');
    expect(stdout).toContain('delivered, through europe\n');
    expect(stdout).toMatch(/rome dials \S+\.\?; milan sees the source as /);
    expect(stdout).toContain('(elsewhere/rome/nftables/');
    expect((await it.weft('trace', 'rome', 'milan', '--from-node')).stdout).toMatch(
      /^a node of rome to milan\/.*\n[\s\S]*unknown source: service-nodeport-milan/,
    );
  });

  it('asks the policies of both namespaces, and the protocol', async () => {
    const topology = readFileSync('test/golden/closed-namespaces/topology.yaml', 'utf8');
    const keys = readFileSync('test/golden/closed-namespaces/topology.keys.yaml', 'utf8');
    const { weft } = workspace({ 'topology.yaml': topology, 'topology.keys.yaml': keys });
    const said = async (...args: readonly string[]) => (await weft('trace', 'topology.yaml', ...args)).stdout;
    expect(await said('rome', 'milan:80', '--to-namespace', 'web')).toMatch(
      /delivered, direct, by the shortcut\n[\s\S]*An entry of `boundaries` lets it in, topology\.yaml:\d+\./,
    );
    expect(await said('rome', 'milan:80', '--to-namespace', 'shop-rome')).toMatch(
      /refused by a policy, direct, by the shortcut\n.*\n? *NetworkPolicy weft-boundaries in namespace "shop-rome" of/,
    );
    expect(await said('rome', 'milan:5432', '--to-namespace', 'shop-rome')).toContain('Only pods with app=db');
    expect(await said('rome', 'milan:80/udp')).toContain('milan/10.202.0.10:80: refused\n');
    expect(await said('rome', 'milan:5432')).toMatch(/A policy refuses it into namespace .*"web" of "milan"/);
    const { stdout } = await weft(
      'trace',
      'topology.yaml',
      'rome',
      'milan:80',
      '--to-namespace',
      'shop-rome',
      '-o',
      'json',
    );
    const { trace } = JSON.parse(stdout) as {
      readonly trace: { readonly fate: string; readonly policies: readonly string[] };
    };
    expect([trace.fate, trace.policies]).toEqual(['refused-by-policy', []]);
  });

  it('is data, too', async () => {
    const it = fleet();
    const { stdout, code } = await it.weft('trace', 'rome', 'milan', '--through', 'europe', '-o', 'json');
    expect(code).toBe(0);
    const { ok, schemaVersion, trace } = JSON.parse(stdout);
    expect([ok, schemaVersion]).toEqual([true, 1]);
    expect(trace).toMatchObject({
      from: { cluster: 'rome', address: { address: '10.202.0.10', network: null }, isNode: false },
      to: { cluster: 'milan', address: { text: '10.202.0.10' }, port: null },
      fate: 'delivered',
      route: { kind: 'through', hub: 'europe', hubs: ['europe'] },
      sent: { destination: { address: null, network: expect.stringMatching(/\/20$/) } },
      mapping: { hub: 'europe' },
    });
    expect(trace.there[1]).toMatchObject({
      cluster: 'rome',
      step: 'left-node',
      rule: { path: 'rome/nftables/nodes/europe.nft', line: expect.any(Number) },
    });
    expect(JSON.parse((await it.weft('trace', 'rome', '8.8.8.8', '-o', 'json')).stdout)).toMatchObject({
      ok: false,
      trace: { fate: 'no-route', to: { cluster: null } },
    });
    expect((await it.weft('trace', 'rome', 'milan', '-o', 'markdown')).stdout).toContain(
      '| 1 | rome pod | 10.202.0.10 |',
    );
  });

  it('says which gateway has no key, and goes another way if there is one', async () => {
    const { weft, read, write } = fleet();
    const keys = read('topologies/topology.keys.yaml');
    const removed = (cluster: string, peer: string, text: string) =>
      text.replace(new RegExp(`("${cluster}":\n(?: {4}.*\n)*?) {4}"${peer}": .*\n`), '$1');
    write('topologies/topology.keys.yaml', removed('rome', 'milan', keys));
    const around = await weft('trace', 'rome', 'milan');
    expect(around.code).toBe(0);
    expect(around.stdout).toContain(
      'delivered, through europe\n' +
        '  The gateway of "rome" towards "milan" has no public key, so the link of the two carries nothing.\n',
    );
    expect(JSON.parse((await weft('trace', 'rome', 'milan', '-o', 'json')).stdout).trace.keyless).toEqual([
      { cluster: 'rome', peer: 'milan' },
    ]);
    write('topologies/topology.keys.yaml', removed('europe', 'rome', removed('rome', 'milan', keys)));
    expect(await weft('trace', 'milan', 'rome')).toMatchObject({
      code: 1,
      stdout:
        'milan/10.202.0.10 to rome/10.202.0.10: no keys\n' +
        '  The gateway of "rome" towards "milan" has no public key, so the tunnel between the two does not come up.\n' +
        '  What would change it: Run `weft keys generate`, commit the keys file, and apply the Secrets.\n' +
        '\nThere\n 1  milan pod  10.202.0.10  ->  10.81.0.10\n',
    });
    expect((await weft('trace', '--all')).stdout).toContain(
      '  milan to rome: the gateway of "rome" towards "milan" has no public key\n',
    );
  });

  it('looks at every pair, and says yes when all reach each other', async () => {
    const it = fleet();
    expect(await it.weft('trace', '--all')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^milan +hub +\. +shortcut$/m),
    });
    const some = await it.weft('trace', 'b/other.yaml', '--all');
    expect(some).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('12 pairs of 4 clusters: 6 direct, 0 through another cluster, 6 not at all.'),
    });
    expect(some.stdout).toContain('  rome to oslo: no link, and no cluster with links to both\n');
    const { ok, pairs } = JSON.parse((await it.weft('trace', 'b/other.yaml', '--all', '-o', 'json')).stdout);
    expect([ok, pairs.length]).toEqual([false, 12]);
    expect(pairs[0]).toEqual({
      from: 'europe',
      to: 'milan',
      fate: 'delivered',
      keyless: [],
      route: { kind: 'direct', link: 'hub' },
    });
    expect((await it.weft('trace', '--all', '-o', 'markdown')).stdout).toContain('| rome | hub | shortcut | . |');
  });

  it.each([
    [['rmoe', 'milan'], 'did you mean "rome"?'],
    [['rome', 'milna'], 'did you mean "milan"?'],
    [['rome', 'milan', '--through', 'europa'], 'did you mean "europe"?'],
    [['rome', 'milan', '--through', 'milan'], '--through must not be an end of the path'],
    [[], 'missing argument FROM'],
    [['rome'], 'missing argument TO'],
    [['b/other.yaml', 'rome'], 'missing argument TO'],
    [['10.202.0.5', 'milan'], 'the sender needs a cluster'],
    [['rome', 'milan', 'europe'], 'too many arguments'],
    [['rome', 'milan/10.202.0.300'], '"10.202.0.300" is not an IPv4 address'],
    [['rome', '10.202.0'], '"10.202.0" is not an IPv4 address'],
    [['rome', '10.202.0.0/16'], 'is a network'],
    [['rome', 'milan/a/b'], 'more than one "/"'],
    [['rome', 'milan:0'], '0 is not a port: ports are between 1 and 65535'],
    [['rome', 'fd00::1'], 'neither a cluster nor an IPv4 address'],
    [['rome', 'milan', '--all'], '--all traces every pair'],
    [['--all', '--from-node'], '--all and --from-node exclude each other'],
    [['--all', '--through', 'europe'], '--all and --through exclude each other'],
    [['--all', '--to-namespace', 'shop'], '--all and --to-namespace exclude each other'],
    [
      ['rome', 'milan', '--from-node', '--from-namespace', 'web'],
      '--from-node and --from-namespace exclude each other',
    ],
    [['--service', 'demo/web', '--from-namespace', 'web'], '--service and --from-namespace exclude each other'],
    [['rome', 'milan:53/sctp'], 'is neither a cluster nor an IPv4 address'],
  ])('cannot answer %j', async (args, message) => {
    expect(await fleet().weft('trace', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('prints the mistakes of a topology that has some', async () => {
    const it = workspace({ 'topologies/topology.yaml': 'version: 1\n' });
    expect(await it.weft('trace', 'rome', 'milan')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('error topology/missing-key'),
    });
    expect(JSON.parse((await it.weft('trace', '--all', '-o', 'json')).stdout)).toMatchObject({ ok: false });
  });

  it('shows the way although an assertion about it is broken, as view and whois do', async () => {
    const broken = `${TOPOLOGY}assertions:\n  - { from: rome, to: milan, expect: unreachable }\n`;
    const it = workspace(withKeysFiles({ 'topologies/topology.yaml': broken }));
    expect((await it.weft('validate')).code).toBe(1);
    expect(await it.weft('trace', 'rome', 'milan')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('delivered, direct, by the shortcut'),
    });
    expect((await it.weft('view', 'rome')).code).toBe(0);
    expect((await it.weft('whois', '10.202.0.7')).code).toBe(0);
  });
});
