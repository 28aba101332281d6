import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

describe('weft lab', () => {
  it.each([
    [[], 'no link has the public keys of both its gateways'],
    [['--cluster', 'rome'], 'no link of rome has the public keys of both its gateways'],
  ])('builds nothing for links without keys: %j', async (args, message) => {
    const { weft } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const { code, stderr } = await weft('lab', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: there is nothing to build: ${message}\n`);
    expect(stderr).toContain(
      'hint: run "weft keys generate", or "weft keys collect" where Liqo makes the keys: a link without keys carries nothing\n',
    );
  });
});
