import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { containsAddress, fewestNetworks, lastAddress, prefixAround } from '../../../src/base/net/prefix.ts';
import { prefixOf, printPrefix } from '../../../src/base/net/text.ts';
import { law } from '../../laws/law.ts';

describe('the fewest networks', () => {
  it.each([
    [['10.0.0.0/9', '10.128.0.0/9'], ['10.0.0.0/8']],
    [
      ['10.1.0.0/16', '10.2.0.0/16'],
      ['10.1.0.0/16', '10.2.0.0/16'],
    ],
    [['10.3.0.0/16', '10.2.0.0/16', '10.1.0.0/16', '10.0.0.0/16'], ['10.0.0.0/14']],
    [['10.0.0.0/16', '10.0.7.0/24', '10.0.0.0/16'], ['10.0.0.0/16']],
    [['0.0.0.0/1', '128.0.0.0/1'], ['0.0.0.0/0']],
    [['255.255.255.254/32', '255.255.255.255/32'], ['255.255.255.254/31']],
    [[], []],
  ])('of %s are %s', (networks, wanted) => {
    expect(fewestNetworks(networks.map(prefixOf)).map(printPrefix)).toEqual(wanted);
  });

  const network = fc
    .tuple(fc.nat(255), fc.integer({ min: 24, max: 32 }))
    .map(([host, length]) => prefixAround(0x0a010200 + host, length));

  law(
    'have exactly the addresses of the given ones, and none of them can be joined',
    400,
    fc.property(fc.array(network, { maxLength: 24 }), (networks) => {
      const found = fewestNetworks(networks);
      for (let address = 0x0a0101fe; address <= 0x0a010301; address++) {
        const isIn = networks.some((it) => containsAddress(it, address));
        expect(found.filter((it) => containsAddress(it, address))).toHaveLength(isIn ? 1 : 0);
      }
      for (const [index, it] of found.entries()) {
        const next = found[index + 1];
        if (next === undefined) continue;
        const whole = prefixAround(it.base, it.length - 1);
        expect(it.length === next.length && lastAddress(next) === lastAddress(whole) && whole.base === it.base).toBe(
          false,
        );
      }
    }),
  );
});
