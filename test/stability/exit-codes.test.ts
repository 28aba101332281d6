import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { workspace } from '../host/cli/memory-host.ts';

const TOPOLOGY = readFileSync(new URL('../../topologies/topology.yaml', import.meta.url), 'utf8');

it.each([
  [0, 'validate'],
  [0, 'compile'],
  [0, 'plan'],
  [1, 'compile --check'],
  [1, 'validate broken.yaml'],
  [1, 'plan --detailed-exitcode broken.yaml'],
  [2, 'plan --detailed-exitcode'],
  [2, 'validate missing.yaml'],
  [2, 'validate --unknown'],
  [2, 'unknown'],
])('is %i after "weft %s"', async (code, line) => {
  const it = workspace({ 'topologies/topology.yaml': TOPOLOGY, 'broken.yaml': 'version: 1\nclusters: {\n' });
  expect((await it.weft(...line.split(' '))).code).toBe(code);
});
