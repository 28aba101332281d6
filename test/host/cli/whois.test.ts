import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = () =>
  workspace(
    withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY, 'b/other.yaml': TOPOLOGY.replaceAll('rome', 'turin') }),
  );

describe('weft whois', () => {
  it('answers for every cluster, and for one', async () => {
    const { weft } = fleet();
    const all = await weft('whois', '10.202.0.7');
    expect(all).toMatchObject({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(
      /^10\.202\.0\.7\n {2}europe +a pod of milan, there .*\n {2}milan, rome +a pod of its own/,
    );
    const one = await weft('whois', '10.202.0.7', '--in', 'rome');
    expect(one.stdout).toMatch(
      /\n {2}milan uses 10\.202\.0\.7 for a pod of its own; rome dials that pod at 10\.\S+\.0\.7\.\n$/,
    );
  });

  it('takes the topology in front or behind', async () => {
    const { weft } = fleet();
    const inFront = await weft('whois', 'b/other.yaml', '10.202.0.7');
    expect(inFront.stdout).toContain('milan, turin');
    expect(await weft('whois', '10.202.0.7', './b')).toEqual(inFront);
  });

  it('is data, and Markdown', async () => {
    const { weft } = fleet();
    const { stdout } = await weft('whois', '203.0.113.10', '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      schemaVersion: 1,
      whois: { address: '203.0.113.10', gateways: [{ cluster: 'europe', as: ['addresses'] }] },
    });
    expect((await weft('whois', '10.96.0.1', '-o', 'markdown')).stdout).toContain(
      '| europe, milan, rome | a Service of its own (10.96.0.0/12) |',
    );
  });

  it('says no for an address that is nothing in the fleet', async () => {
    const { weft } = fleet();
    expect(await weft('whois', '8.8.8.8')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('packets leave by the default route'),
    });
    expect(JSON.parse((await weft('whois', '8.8.8.8', '-o', 'json')).stdout).ok).toBe(false);
  });

  it.each([
    [[], 'missing argument ADDRESS'],
    [['10.0.0.1', '10.0.0.2'], 'too many arguments: 10.0.0.2'],
    [['10.0.0.0/16'], 'is a network, and one address is needed'],
    [['rome/10.0.0.1'], 'run "weft whois 10.0.0.1 --in rome"'],
    [['10.0.0.1', '--in', 'rmoe'], 'did you mean "rome"?'],
  ])('cannot answer %j', async (args, message) => {
    expect(await fleet().weft('whois', ...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
  });
});
