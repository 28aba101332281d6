import { describe, expect, it } from 'vitest';
import { EDITS } from './edits.ts';
import { runEdit } from './run-edit.ts';

const batchesOf = (name: string) => {
  const edit = EDITS.find((it) => it.name === name);
  if (edit === undefined) throw new Error(`no edit is called ${name}`);
  const { plan, after } = runEdit(edit);
  return { batches: plan.batches, clusters: after.model.clusters };
};

describe('clusters in which Liqo is installed again', () => {
  const { batches, clusters } = batchesOf('change-many-external-cidrs');

  it('are each in one batch, the hubs first and one by one', () => {
    expect(batches.flat().toSorted()).toEqual([...clusters.keys()]);
    expect(batches.slice(0, 2)).toEqual([['asia'], ['europe']]);
  });

  it('never leave a link with both ends away, or another cluster without a peer', () => {
    for (const batch of batches) {
      for (const { name, peers } of clusters.values()) {
        const away = [...peers.keys()].filter((it) => batch.includes(it));
        if (batch.includes(name)) expect(away, name).toEqual([]);
        else expect(away.length, name).toBeLessThan(peers.size);
      }
    }
  });

  it('are a tenth of the fleet at most', () => {
    expect(Math.max(...batches.map((it) => it.length))).toBe(Math.floor(clusters.size / 10));
  });

  it('are none where a network is only added, and none for a pod CIDR that can be replaced in two steps', () => {
    expect(batchesOf('add-a-pod-cidr').batches).toEqual([]);
    expect(batchesOf('change-a-pod-cidr-on-1.2').batches).toEqual([]);
    expect(batchesOf('change-a-pod-cidr').batches).toEqual([['oslo']]);
  });
});
