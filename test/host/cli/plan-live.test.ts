import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

const fleet = (edit?: (it: LiveItem, cluster: string) => readonly LiveItem[]) =>
  workspace({ ...FILES, ...dumpsOf(FILES, edit) });

const keysIn = (text: string): readonly string[] => [...text.matchAll(/\S{43}=/g)].map(([it]) => it);

/** Rome sees milan at another network. */
const moved = (it: LiveItem, cluster: string): readonly LiveItem[] => [
  cluster === 'rome' && it.kind === 'Configuration' && it.metadata.name === 'milan'
    ? (JSON.parse(JSON.stringify(it).replaceAll('10.81.0.0/16', '10.68.0.0/16')) as LiveItem)
    : it,
];

describe('weft plan --live', () => {
  it('is empty for clusters at rest, before and after a compile', async () => {
    const { weft } = fleet();
    const empty = 'From what is live in europe, milan, rome.\n\nNothing to do: europe matches its topology.\n';
    expect(await weft('plan', '--live', 'dumps/', '--detailed-exitcode')).toMatchObject({ code: 0, stdout: empty });
    await weft('compile');
    expect(await weft('plan', '--live', 'dumps/', '--detailed-exitcode')).toMatchObject({ code: 0, stdout: empty });
    expect((await weft('plan', '--live', 'rome=dumps/rome.json')).stdout).toMatch(
      /^From what is live in rome; as in their bundles: europe, milan\.\n\nNothing to do/,
    );
  });

  it('does not ask for new keys where live peers have those in use', async () => {
    const { weft, read, write } = fleet();
    const keys = read('topologies/topology.keys.yaml');
    write('topologies/topology.keys.yaml', 'version: 1\nkeys: {}\n');
    const { stderr } = await weft('plan', '--live', 'dumps/');
    expect(stderr).toContain('hint: record the keys in use, which PublicKeys of "milan", "rome", "europe" have');
    expect(stderr).not.toContain('hint: run "weft keys generate"');
    await weft('import', 'dumps/', '--topology', 'topologies/live.yaml');
    expect(keysIn(read('topologies/live.keys.yaml'))).toEqual(keysIn(keys));
    write('topologies/topology.keys.yaml', read('topologies/live.keys.yaml'));
    expect((await weft('plan', '--live', 'dumps/')).stderr).not.toContain('keys/missing');
  });

  it('is what reality differs in, with what breaks and what to do', async () => {
    const { weft } = fleet(moved);
    await weft('compile');
    const { code, stdout } = await weft('plan', '--live', 'dumps/', '--detailed-exitcode');
    expect(code).toBe(2);
    expect(stdout).toContain("rome sees milan's pods at 10.81.0.0/16 instead of 10.68.0.0/16");
    expect(stdout).toContain('Configuration');
    expect((await weft('plan')).stdout).toContain('Nothing to do');
    const { plan, live } = JSON.parse((await weft('plan', '--live', 'dumps/', '-o', 'json')).stdout);
    expect(plan.changes).toMatchObject([{ kind: 'view-moved', from: '10.68.0.0/16', to: '10.81.0.0/16' }]);
    expect(live).toEqual({
      looked: ['europe', 'milan', 'rome'],
      others: [],
      unknownKeys: [],
      unread: [],
      unexplained: [],
    });
    expect((await weft('plan', '--live', 'dumps/', '-o', 'markdown')).stdout).toMatch(/^From what is live in/);
  });

  it('adds what the edited topology has and reality has not', async () => {
    const it = fleet();
    await it.weft('compile');
    it.write(
      'topologies/topology.yaml',
      TOPOLOGY.replace('shortcuts:', '  turin: { podCIDR: 10.204.0.0/16 }\nshortcuts:'),
    );
    const { plan } = JSON.parse((await it.weft('plan', '--live', 'dumps/', '-o', 'json')).stdout);
    const kinds = plan.changes.map((one: { kind: string }) => one.kind);
    expect(kinds).toEqual(
      (JSON.parse((await it.weft('plan', '-o', 'json')).stdout).plan as typeof plan).changes.map(
        (one: { kind: string }) => one.kind,
      ),
    );
    expect(kinds).toEqual(expect.arrayContaining(['cluster-added', 'link-added']));
  });

  it('cannot answer without a readable dump, or from two places', async () => {
    const it = fleet();
    it.write('broken.json', '{"kind": "List", "items": [');
    expect(await it.weft('plan', '--live', 'rome=broken.json')).toMatchObject({ code: 2, stdout: '' });
    expect(await it.weft('plan', '--live', 'rome=broken.json', '--detailed-exitcode')).toMatchObject({ code: 1 });
    expect(await it.weft('plan', '--live', 'dumps/', '--base', 'HEAD')).toMatchObject({ code: 2, stdout: '' });
    expect(await it.weft('plan', '--live', 'absent.json')).toMatchObject({ code: 2, stdout: '' });
  });
});
