import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { firstPair } from '../../../src/base/core/key-pair.ts';
import { linksToRotate, makeNextKeys, switchKeys } from '../../../src/fleet/keys/rotate-keys.ts';
import { bothEnds, type LinkEnd, type OwnEnd } from '../../../src/fleet/model/network-model.ts';
import { link } from '../../bundle/liqo/fixtures.ts';

const made = (own: LinkEnd, keyPair: Partial<LinkEnd['keyPair']>): LinkEnd => ({
  ...own,
  keyPair: { ...own.keyPair, ...keyPair },
});

const links = [
  { server: '2026-01-31', client: '2026-06-30' },
  { server: '2026-06-30', client: '2026-06-30' },
  { server: '2026-06-30', client: null },
].map(({ server, client }, i) => {
  const it = link('rome', ['europe', 'milan', 'oslo'][i] ?? '');
  return { ...it, server: made(it.server, { since: server }), client: made(it.client, { since: client }) };
});

const selected = (targets: Parameters<typeof linksToRotate>[1]['targets'], madeUntil: string | null) =>
  linksToRotate({ links }, { targets, madeUntil }).map(({ server, client }) =>
    [server.cluster.name, client.cluster.name].sort().join('/'),
  );

describe('the links whose keys are rotated', () => {
  it('are those that are named, by one end or by both', () => {
    expect(selected([], null)).toEqual(['europe/rome', 'milan/rome', 'oslo/rome']);
    expect(selected([{ cluster: 'milan', peer: null }], null)).toEqual(['milan/rome']);
    expect(selected([{ cluster: 'oslo', peer: 'rome' }], null)).toEqual(['oslo/rome']);
    expect(selected([{ cluster: 'milan', peer: 'oslo' }], null)).toEqual([]);
  });

  it('have an old key at one end at least; a key of an unknown day may be of any age', () => {
    expect(selected([], '2026-01-30')).toEqual(['oslo/rome']);
    expect(selected([], '2026-01-31')).toEqual(['europe/rome', 'oslo/rome']);
    expect(selected([], '2026-06-30')).toEqual(['europe/rome', 'milan/rome', 'oslo/rome']);
    expect(selected([{ cluster: 'milan', peer: null }], '2026-01-31')).toEqual([]);
  });
});

describe('a rotation', () => {
  const ends: readonly OwnEnd[] = bothEnds(link('rome', 'milan'));
  const other = firstPair('other');
  const recorded = new Map([
    [
      'rome',
      new Map([
        ['milan', firstPair('r1')],
        ['oslo', other],
      ]),
    ],
    ['milan', new Map([['rome', { ...firstPair('m4', '2026-01-31'), generation: 4 }]])],
  ]);
  let count = 0;
  const newPair = () => ({ privateKey: `private-${count++}`, publicKey: `public-${count}` });
  const next = makeNextKeys({ ends, recorded, newPair, today: '2026-11-28' });

  it('makes the next keys in a change of its own, in which no key in use changes', () => {
    expect(next.keys).toEqual(
      new Map([
        [
          'rome',
          new Map([
            ['milan', { ...firstPair('r1'), next: { key: 'public-2', since: '2026-11-28' } }],
            ['oslo', other],
          ]),
        ],
        [
          'milan',
          new Map([
            ['rome', { key: 'm4', generation: 4, since: '2026-01-31', next: { key: 'public-1', since: '2026-11-28' } }],
          ]),
        ],
      ]),
    );
    expect(recorded.get('rome')?.get('milan')?.next).toBeNull();
  });

  it('delivers Secrets with other names, which Liqo does not find', () => {
    const secret = parse(next.secrets.get('rome') ?? '');
    expect(secret).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'Opaque',
      metadata: { name: 'gw-keys-2', namespace: 'liqo-tenant-milan' },
      data: { privateKey: 'private-1', publicKey: 'public-2' },
    });
  });

  it('then makes them those in use, with the day on which they were made', () => {
    const switched = switchKeys(next.keys, ends);
    expect(switched.get('rome')?.get('milan')).toEqual({
      key: 'public-2',
      generation: 2,
      since: '2026-11-28',
      next: null,
    });
    expect(switched.get('milan')?.get('rome')).toEqual({
      key: 'public-1',
      generation: 5,
      since: '2026-11-28',
      next: null,
    });
    expect(switched.get('rome')?.get('oslo')).toBe(other);
    // Again, it changes nothing.
    expect(switchKeys(switched, ends)).toEqual(switched);
  });
});
