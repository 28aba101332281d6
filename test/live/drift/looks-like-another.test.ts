import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { dumpOf, type Item, recordedFleet } from './recorded-fleet.ts';

const FLEETS = ['example/1.2', 'deck-two/1.0', 'links-with-options/1.2'];

const ID: Item = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
};

describe('a dump under the name of another cluster', () => {
  it.each(FLEETS)(
    'is refused, whichever two are exchanged, and every one under its own name is not: %s',
    async (name) => {
      const { files, dumps } = recordedFleet(name);
      const names = Object.keys(dumps);
      const { weft, write } = workspace(files);
      for (const it of names) write(`${it}.json`, dumpOf(dumps[it] ?? []));
      for (const it of names) {
        const { stdout, stderr } = await weft('drift', '--live', `${it}=${it}.json`);
        expect(stdout).toContain('no drift');
        // The recordings have no ForeignClusterConnections, as the operator of the fork was not there.
        expect(stderr.replaceAll('live/incomplete', '')).not.toMatch(/error \w+\//);
      }
      for (const [index, it] of names.entries()) {
        const other = names[(index + 1) % names.length] ?? '';
        const { code, stdout, stderr } = await weft('drift', '--live', `${it}=${other}.json`);
        // Two clusters with the same peers and the same networks cannot be distinguished; a difference is drift then.
        if (code === 1) expect(stdout).toContain('drift/');
        else expect(stderr).toMatch(/error live\/(looks-like-another: the dump for |incomplete: )/);
        expect(code).not.toBe(0);
      }
    },
  );

  it("is read when it has the cluster's own ID", async () => {
    const { files, dumps } = recordedFleet('example/1.2');
    const { weft } = workspace({
      ...files,
      'rome.json': dumpOf([...(dumps['milan'] ?? []), { ...ID, data: { CLUSTER_ID: 'rome' } }]),
    });
    const { code, stdout } = await weft('drift', '--live', 'rome=rome.json', '-o', 'json');
    expect(code).toBe(1);
    expect(stdout).not.toContain('looks-like-another');
    const refused = await weft('drift', '--live', 'milan=rome.json', '-o', 'json');
    expect(JSON.parse(refused.stdout).diagnostics[0].code).toBe('live/another-cluster');
  });

  it('has its code', async () => {
    const { files, dumps } = recordedFleet('example/1.2');
    const { weft } = workspace({ ...files, 'rome.json': dumpOf(dumps['milan'] ?? []) });
    const { code, stdout } = await weft('drift', '--live', 'rome=rome.json', '-o', 'json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).diagnostics[0].code).toBe('live/looks-like-another');
  });
});
