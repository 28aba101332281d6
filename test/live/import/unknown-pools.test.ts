import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { dumpOf, recordedFleet } from '../drift/recorded-fleet.ts';

/** Imports a recorded fleet, of which no Deployment of an IPAM was dumped. */
async function imported(name: string) {
  const { dumps } = recordedFleet(name);
  const texts = Object.entries(dumps).map(([cluster, items]) => [
    `dumps/${cluster}.json`,
    dumpOf(items.filter((it) => it.metadata.name !== 'liqo-ipam')),
  ]);
  const { weft, read } = workspace(Object.fromEntries(texts));
  const { stdout, stderr } = await weft('import', 'dumps');
  const said = `${stdout}${stderr}`;
  const compiled = await weft('compile');
  return {
    said,
    later: `${compiled.stdout}${compiled.stderr}`,
    topology: read('topologies/topology.yaml'),
  };
}

describe('an import without pools', () => {
  it('does not explain by anything else what unknown pools may explain, now or later', async () => {
    const { said, later, topology } = await imported('own-pools-and-carve/1.1');
    expect(said).toContain('import/pools-unknown');
    expect(said).toContain('the pools of its IPAM are not known, and with those that it has, some order may give them');
    expect(said).not.toContain('since then a peer was removed');
    expect(topology).toContain('accept:\n  - code: ipam/history\n    cluster: hub\n');
    expect(later).not.toContain('ipam/history:');
    expect(later).not.toMatch(/accept\S*:/);
  });

  it('accepts nothing where the usual pools explain all views', async () => {
    const { said, later, topology } = await imported('overlap/1.2');
    expect(`${said}${later}`).not.toMatch(/forced-view|ipam\/history/);
    expect(topology).not.toContain('accept:');
  });
});
