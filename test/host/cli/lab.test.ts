import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

describe('weft lab', () => {
  it.each([
    [[], 'no link has the public keys of both its gateways'],
    [['--cluster', 'rome'], 'no link of rome has the public keys of both its gateways'],
    [['--steps', 'steps'], 'no link has the public keys of both its gateways'],
    [['--steps', 'steps', '--cluster', 'rome'], 'no link of rome has the public keys of both its gateways'],
  ])('builds nothing for links without keys: %j', async (args, message) => {
    const states = { 'steps/0-base/topology.yaml': TOPOLOGY, 'steps/1-finish/topology.yaml': TOPOLOGY };
    const { weft } = workspace({ 'topologies/topology.yaml': TOPOLOGY, ...states });
    const { code, stderr } = await weft('lab', ...args);
    expect(code).toBe(2);
    expect(stderr).toContain(`error: there is nothing to build: ${message}\n`);
    expect(stderr).toContain(
      'hint: run "weft keys generate", or "weft keys collect" where Liqo makes the keys: a link without keys carries nothing\n',
    );
  });

  it.each([
    [['--steps', 'steps', '--keep'], '--steps and --keep exclude each other'],
    [['--steps', 'steps', '--pcap', 'wires'], '--steps and --pcap exclude each other'],
    [['--steps', 'steps', 'topologies/topology.yaml'], '--steps and topologies/topology.yaml exclude each other'],
    [['--steps', 'steps'], 'steps has no states of a change'],
  ])('builds nothing for %j', async (args, message) => {
    const { weft } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const { code, stderr } = await weft('lab', ...args);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('reports the errors of a state, and a cluster that no state has', async () => {
    const states = { 'steps/0-base/topology.yaml': TOPOLOGY, 'steps/1-finish/topology.yaml': TOPOLOGY };
    const { weft, write } = workspace(states);
    expect(await weft('lab', '--steps', 'steps', '--cluster', 'rom')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('did you mean "rome"'),
    });
    write('steps/1-finish/topology.yaml', TOPOLOGY.replace('podCIDR', 'podCIDRs'));
    expect(await weft('lab', '--steps', 'steps')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('steps/1-finish/topology.yaml'),
    });
  });
});
