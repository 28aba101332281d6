import { expect, it } from 'vitest';
import { removedClusters } from '../../../src/host/app/losses.ts';
import { compileGolden } from '../../support/golden.ts';

it('names each cluster once, and only clusters that are no longer in the topology', () => {
  const outcome = compileGolden('two-hubs-with-tiers');
  if (!outcome.ok) throw new Error('it does not compile');
  const removed = [
    'oslo/kustomization.yaml',
    'oslo/helm-values.yaml',
    'como/expected/networks.yaml',
    '_flux/mine.yaml',
  ];
  expect(removedClusters(outcome.value.model, removed)).toEqual(['oslo']);
});

it('does not name a cluster that has another name now', () => {
  const outcome = compileGolden('renamed-cluster-keeps-what-is-recorded');
  if (!outcome.ok) throw new Error('it does not compile');
  const removed = ['oslo/kustomization.yaml', 'rome/kustomization.yaml'];
  expect(removedClusters(outcome.value.model, removed)).toEqual(['rome']);
});
