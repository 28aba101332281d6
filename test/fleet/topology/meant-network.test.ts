import { expect, it } from 'vitest';
import { meantNetwork } from '../../../src/fleet/topology/read-cidr.ts';

it.each([
  ['10.202.0.0/255.255.0.0', '10.202.0.0/16'],
  ['10.202.3.0 255.255.0.0', '10.202.0.0/16'],
  ['10.202.0.0-10.202.255.255', '10.202.0.0/16'],
  ['10.202.0.0 - 10.202.0.255', '10.202.0.0/24'],
  ['10.202/16', '10.202.0.0/16'],
  ['10.202.0/16', '10.202.0.0/16'],
  ['10.2O2.0.0/l6', '10.202.0.0/16'],
])('%s means %s', (text, network) => {
  expect(meantNetwork(text)).toBe(network);
});

it.each(['10.202.0.0-10.202.0.200', '10.202.0.0/33', '10.202.0.0/255.0.255.0', 'auto', '', '10.202.0.0-'])(
  'what %j means is not known',
  (text) => {
    expect(meantNetwork(text)).toBeUndefined();
  },
);
