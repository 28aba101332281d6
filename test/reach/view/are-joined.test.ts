import { expect, it } from 'vitest';
import { areJoined, clusterView } from '../../../src/reach/view/cluster-view.ts';
import { compiledFleets } from '../../support/fleets.ts';

const model = compiledFleets().find((it) => it.name === 'two-hubs-with-tiers')?.compiled.model;

it.each([
  ['a link', 'como', 'north', true],
  ['a hub in common', 'bern', 'south', true],
  ['a cluster with links to both, the hub of one', 'lab', 'alps', true],
  ['neither', 'bern', 'lab', false],
])('%s: %s and %s', (_, here, there, joined) => {
  const [one, other] = [here, there].map((it) => {
    const cluster = model?.clusters.get(it);
    if (!model || !cluster) throw new Error(`there is no "${it}"`);
    return clusterView(model, cluster);
  });
  expect(one && areJoined(one, there)).toBe(joined);
  expect(other && areJoined(other, here)).toBe(joined);
});
