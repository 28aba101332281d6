import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = () =>
  workspace(
    withKeysFiles({
      'topologies/topology.yaml': TOPOLOGY.replace('shortcuts:\n  - [rome, milan]\n', ''),
      'b/other.yaml': TOPOLOGY,
    }),
  );

/** Clusters behind one hub that all need a remap there. */
const OVERLAP = `version: 1
name: overlap
hub: hub
defaults: { podCIDR: 10.244.0.0/16, serviceCIDR: 10.96.0.0/12, reserved: [192.168.0.0/24] }
clusters:
  hub: { gateway: 203.0.113.1 }
  a: {}
  b: { podCIDR: 10.244.0.0/17 }
  c: { podCIDR: 10.240.0.0/13 }
`;

describe('weft view', () => {
  it('shows the peers of a cluster, and who is behind the hub', async () => {
    const { code, stdout, stderr } = await fleet().weft('view', 'rome');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^europe {2}hub +client +203\.0\.113\.10:\d+ +10\.200\.0\.0\/16 /m);
    expect(stdout).toMatch(/^milan +europe +10\.254\.\S+\? in \S+\/20 +\S+\/20 of europe +10\.254\.\S+\.0$/m);
  });

  it('takes a topology in front, and shows both directions of a link', async () => {
    const { code, stdout } = await fleet().weft('view', 'b/other.yaml', 'rome', 'milan');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^rome and milan are joined by a shortcut\n {2}milan serves, rome dials 203\.0\.113\.30:\d+, MTU 1340\n/,
    );
    expect(stdout).toContain('rome sees milan');
    expect(stdout).toContain('milan sees rome');
  });

  it('shows what a Configuration that is created again would get, and changes nothing', async () => {
    const it = workspace(withKeysFiles({ 'topologies/topology.yaml': OVERLAP }));
    await it.weft('compile');
    const lock = it.read('topologies/topology.lock.yaml');
    const { code, stdout } = await it.weft('view', 'hub', 'b', '--recreated');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /\nhub sees b at these addresses once its Configuration is deleted and created again:\n +pods +\S+ +\S+ +instead of \S+\n +external +\S+ +\S+ +instead of \S+\n$/,
    );
    expect(it.read('topologies/topology.lock.yaml')).toBe(lock);
    const { recreated } = JSON.parse((await it.weft('view', 'hub', 'b', '--recreated', '-o', 'json')).stdout);
    expect(recreated).toMatchObject({ cluster: 'hub', peer: 'b', views: [{ kind: 'pod' }, { kind: 'external' }] });
    expect((await it.weft('view', 'hub', 'b', '--recreated', '-o', 'markdown')).stdout).toContain(
      '| pods | 10.244.0.0/17 |',
    );
    expect(await it.weft('view', 'hub', '--recreated')).toMatchObject({ code: 2, stdout: '' });
    expect(await it.weft('view', 'a', 'b', '--recreated')).toMatchObject({ code: 2, stdout: '' });
  });

  it('answers for clusters without a link: yes through a hub, no without one', async () => {
    const it = fleet();
    expect(await it.weft('view', 'rome', 'milan')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('reaches pods of the other through another cluster'),
    });
    it.write(
      'topologies/topology.yaml',
      TOPOLOGY.replace('  - [rome, milan]', '  []').replace('milan:  { ', 'milan:  { hub: [], '),
    );
    expect(await it.weft('view', 'rome', 'milan')).toMatchObject({
      code: 1,
      stdout: 'rome and milan have no link, and no cluster has working links to both.\n',
    });
  });

  it('shows a link that lacks a key, and the way that is left', async () => {
    const it = fleet();
    const keys = it.read('b/other.keys.yaml');
    it.write('b/other.keys.yaml', keys.replace(/("milan":\n {4}"europe": .*\n) {4}"rome": .*\n/, '$1'));
    const { code, stdout } = await it.weft('view', 'b/other.yaml', 'rome', 'milan');
    expect(code).toBe(0);
    expect(stdout).toContain(
      '  it carries nothing: no public key for the gateway of milan towards rome; run "weft keys generate", or "weft keys collect" where Liqo makes the keys\n',
    );
    expect(stdout).toContain('each reaches pods of the other through another cluster\n');
    const all = await it.weft('view', 'b/other.yaml', 'rome');
    expect(all.stdout).toMatch(/^milan +shortcut .* no keys\b/m);
    expect(all.stdout).toContain('no keys: a gateway of the link has no public key, so it carries nothing');
    expect(all.stdout).toMatch(/^milan +europe +10\.254\./m);
    it.write('b/other.keys.yaml', 'version: 1\nkeys: {}\n');
    expect(await it.weft('view', 'b/other.yaml', 'rome', 'milan')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('no public key for the gateway of milan towards rome and rome towards milan'),
    });
  });

  it('is data, too: one document, of a pair only what they see of each other', async () => {
    const { views } = JSON.parse((await fleet().weft('view', 'b/other.yaml', 'rome', 'milan', '-o', 'json')).stdout);
    expect(views.map((it: { cluster: string }) => it.cluster)).toEqual(['rome', 'milan']);
    expect(views[0].peers.map((it: { peer: string }) => it.peer)).toEqual(['milan']);
    expect(views[0].peers[0]).toMatchObject({ link: 'shortcut', role: 'client', address: '203.0.113.30', mtu: 1340 });
    expect((await fleet().weft('view', 'rome', '-o', 'markdown')).stdout).toContain('| europe | hub | client |');
  });

  it.each([
    [['rmoe'], 2, 'did you mean "rome"?'],
    [['--runbook'], 2, 'missing argument PEER'],
    [['rome', 'rome'], 2, 'no view of itself'],
    [['rome', 'milan', 'europe'], 2, 'too many arguments'],
  ])('cannot answer %j', async (args, code, message) => {
    expect(await fleet().weft('view', ...args)).toMatchObject({
      code,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });

  it('lists the clusters when none is named', async () => {
    expect((await fleet().weft('view', 'b/other.yaml')).stdout).toBe(
      [
        'CLUSTER  PODS           GATEWAY       HUB     LINKS',
        'europe   10.200.0.0/16  203.0.113.10  is one  2',
        'milan    10.202.0.0/16  203.0.113.30  europe  2',
        'rome     10.202.0.0/16  -             europe  2',
        '',
        'run "weft view CLUSTER" for how one of them sees its peers, or "weft view links" for all links',
        '',
      ].join('\n'),
    );
    expect((await fleet().weft('view', 'b/other.yaml', '-o', 'markdown')).stdout).toMatch(
      /^\| cluster \| pods \| gateway \| hub \| links \|/,
    );
    const document = JSON.parse((await fleet().weft('view', 'b/other.yaml', '-o', 'json')).stdout);
    expect(document.clusters[2]).toEqual({
      cluster: 'rome',
      liqo: '1.2.0',
      retired: false,
      podCIDRs: ['10.202.0.0/16'],
      gateway: null,
      hubs: ['europe'],
      isHub: false,
      links: 2,
    });
  });

  it('prints the mistakes of a topology that has some', async () => {
    const it = workspace({ 'topologies/topology.yaml': 'version: 1\n' });
    expect(await it.weft('view', 'rome')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('error topology/missing-key'),
    });
    expect(JSON.parse((await it.weft('view', 'rome', '-o', 'json')).stdout)).toMatchObject({ ok: false });
  });
});
