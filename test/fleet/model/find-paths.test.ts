import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { carriesPackets, keylessEnds } from '../../../src/fleet/model/network-model.ts';
import { findPaths, type Paths } from '../../../src/fleet/model/paths.ts';
import { keysOf } from '../../support/keys-of.ts';

const paths: Paths = findPaths([
  ['rome', 'europe'],
  ['milan', 'europe'],
  ['milan', 'alps'],
  ['alps', 'rome'],
  ['milan', 'como'],
  ['como', 'lugano'],
]);

describe('paths', () => {
  it.each([
    ['a link of their own', 'rome', 'europe', { kind: 'direct' }],
    ['two clusters in between', 'rome', 'milan', { kind: 'through', hub: 'alps', others: ['europe'] }],
    ['one cluster in between', 'como', 'europe', { kind: 'through', hub: 'milan', others: [] }],
    ['two clusters in a row in between', 'lugano', 'europe', { kind: 'none' }],
    ['no link at all', 'rome', 'oslo', { kind: 'none' }],
  ])('%s: %s and %s', (_, a, b, way) => {
    expect(paths.way(a, b)).toEqual(way);
    expect(paths.way(b, a)).toEqual(way);
  });

  it('list the clusters between two that have a link, too', () => {
    const triangle = findPaths([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ]);
    expect(triangle.between('a', 'b')).toEqual(['c']);
    expect(triangle.linkedWith('a')).toEqual(['b', 'c']);
    expect(triangle.linkedWith('z')).toEqual([]);
  });
});

describe('a link carries packets', () => {
  const topology = {
    path: 'topology.yaml',
    text: `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.202.0.0/16 }
`,
  };

  it.each<[string, readonly string[], readonly string[]]>([
    ['with the keys of both ends', [], []],
    ['not without the key of the server', ['europe/rome'], ['europe']],
    ['not without the key of the client', ['rome/europe'], ['rome']],
    ['not without any key', ['europe/rome', 'rome/europe'], ['europe', 'rome']],
  ])('%s', (_, without, keyless) => {
    const compiled = compile(
      { topology, keys: keysOf(topology, (it, peer) => !without.includes(`${it}/${peer}`)), lock: undefined },
      { relock: [], only: [] },
    );
    const [link] = compiled.ok ? compiled.value.model.links : [];
    expect(link && keylessEnds(link).map((it) => it.cluster.name)).toEqual(keyless);
    expect(link && carriesPackets(link)).toBe(keyless.length === 0);
  });
});
