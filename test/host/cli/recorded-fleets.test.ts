import { describe, expect, it } from 'vitest';
import { allRecordedClusters, type RecordedClusters } from '../../live/dumps/recordings.ts';
import { workspace } from './memory-host.ts';

const all = allRecordedClusters();

/** The dump of each cluster, as kubectl prints it. */
const dumpsOf = ({ clusters }: RecordedClusters): Readonly<Record<string, string>> =>
  Object.fromEntries(
    clusters.map(({ name, objects }) => [
      `dumps/${name}.json`,
      JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...objects.values()] }),
    ]),
  );

const PROOF = /^ {2}weft drift .*$/m;

describe('a fleet that liqoctl made', () => {
  const recorded = all.find((it) => it.name === 'made-by-liqoctl 1.2');
  const names = ['hub', 'luna', 'mars'];

  /** The recorded dumps, imported. */
  async function imported() {
    if (recorded === undefined) throw new Error('made-by-liqoctl is not among the recordings');
    const fleet = workspace(dumpsOf(recorded));
    return { ...fleet, printed: await fleet.weft('import', 'dumps/', '--name', 'slides') };
  }

  it('is imported as it runs: nothing moves, no gateway restarts, every key stays', async () => {
    const { printed } = await imported();
    expect(printed).toMatchObject({ code: 0 });
    expect(printed.stdout).toContain(
      '  - adds secretRef to 6 gateways: it names the Secret that each uses already; no restart\n',
    );
    expect(printed.stdout).toContain('\nnothing would move: 0 views, 0 ports, 0 restarts\n');
    expect(printed.stdout + printed.stderr).not.toMatch(/another key|^ {2}! /m);
  });

  it('has nothing to do and no drift afterwards, before there are bundles and with them', async () => {
    const { weft } = await imported();
    for (const _ of ['before', 'compiled']) {
      const plan = await weft('plan', '--live', 'dumps/');
      expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('\nNothing to do: slides ') });
      const drift = await weft('drift', '--live', 'dumps/');
      expect(drift).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('\nno drift; 3 clusters ') });
      expect([...drift.stdout.matchAll(/^(\S+): as compiled /gm)].map((it) => it[1])).toEqual(names);
      expect((await weft('compile')).code).toBe(0);
    }
    expect((await weft('verify')).code).toBe(0);
  });

  it('is the same with an object that is labelled with no cluster', async () => {
    const { weft, read, write, printed } = await imported();
    const { items, ...list } = JSON.parse(read('dumps/hub.json')) as { readonly items: readonly object[] };
    const labels = { 'liqo.io/remote-cluster-id': '', 'networking.liqo.io/gateway-resource': 'true' };
    const nobodys = { apiVersion: 'networking.liqo.io/v1beta1', kind: 'PublicKey', spec: { publicKey: '' } };
    const metadata = { name: 'left', namespace: 'default', labels };
    write('dumps/hub.json', JSON.stringify({ ...list, items: [...items, { ...nobodys, metadata }] }));
    expect((await weft('import', 'dumps/', '--name', 'slides', '--check')).stderr).toBe(printed.stderr);
  });

  it('has a key for every gateway, so none is made', async () => {
    const { weft } = await imported();
    expect(await weft('keys', 'generate')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('stays as it is; every key is recorded'),
    });
  });

  it('is shown live as it is compiled', async () => {
    const { weft } = await imported();
    const live = ['--live', 'dumps/'];
    const calls = [
      ...names.map((it) => ['view', it]),
      ['view', 'hub', 'luna', '--runbook', '-v'],
      ['trace', 'luna', 'mars'],
      ['trace', '--all'],
      ['whois', '10.60.5.5'],
    ];
    for (const call of calls) {
      const [git, real] = [await weft(...call), await weft(...call, ...live)];
      expect(git, call.join(' ')).toMatchObject({ code: 0 });
      expect(real, call.join(' ')).toMatchObject({ code: 0 });
      // Only what is compiled has files, and each proof names the sources of its call.
      const same = git.stdout.replace(/ \(out\/\S+\)$/gm, '').replace(PROOF, '');
      expect(real.stdout.replace(/^Live, not git: .*\n\n/, '').replace(PROOF, ''), call.join(' ')).toBe(same);
    }
  });

  it('is a change of the Secrets where git has other ones than those in use', async () => {
    const { weft, read, write } = await imported();
    write('topologies/topology.yaml', read('topologies/topology.yaml').replace(/^keys: .*\n/m, ''));
    const plan = await weft('plan', '--live', 'dumps/');
    expect(plan.stdout).toContain('~ the fleet: keys.secretName is gw-keys instead of gw-{peer}\n');
    const drift = await weft('drift', '--live', 'dumps/');
    expect(drift.stdout).toContain('was edited: secretRef.name is gw-luna, and git has gw-keys\n');
  });
});
