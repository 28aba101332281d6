import { describe, expect, it } from 'vitest';
import { prefixOf } from '../../../src/base/net/text.ts';
import {
  type AllocatorKind,
  allocatorOf,
  allocatorTraits,
  firstLineThatMovesIntoPools,
  hasAllocator,
} from '../../../src/base/releases/allocators.ts';
import { RELEASE_LINES, releaseOf } from '../../../src/base/releases/release.ts';
import { createAllocator } from '../../../src/fleet/ipam/allocators/create-allocator.ts';

const KINDS: readonly AllocatorKind[] = ['liqo-1.0', 'liqo-1.2', 'best-fit'];

const POOL = prefixOf('10.0.0.0/8');
const OUTSIDE = prefixOf('100.64.0.0/16');

const known = (text: string) => releaseOf(text) ?? expect.fail(`no release ${text}`);

describe('an allocator', () => {
  it('is chosen by the release, unless the topology sets best-fit', () => {
    const releases = ['1.0.0-rc.1', '1.0.0-rc.2', ...RELEASE_LINES].map(known);
    expect(releases.map((it) => allocatorOf('liqo', it))).toEqual([
      'best-fit',
      'best-fit',
      'liqo-1.0',
      'liqo-1.0',
      'liqo-1.2',
    ]);
    expect(new Set(releases.map((it) => allocatorOf('best-fit', it)))).toEqual(new Set(['best-fit']));
  });

  it('moves requests into its pools from 1.2 on', () => {
    expect(firstLineThatMovesIntoPools()).toBe('1.2');
  });

  it.each(RELEASE_LINES)('may be used for the line %s that it is chosen for', (line) => {
    expect(hasAllocator(known(line), allocatorOf('liqo', known(line)))).toBe(true);
  });

  it('is best-fit in no final release', () => {
    const releases = ['1.0.0-rc.1', '1.0.0-rc.2', '1.0.0', '1.0.3', '1.1', '1.2'];
    expect(releases.filter((it) => hasAllocator(known(it), 'best-fit'))).toEqual(['1.0.0-rc.1', '1.0.0-rc.2']);
  });

  it.each(KINDS)('%s handles a request outside its pools as in its traits', (kind) => {
    const given = createAllocator(kind, [POOL]).acquire(OUTSIDE);
    const what = given.ok ? (given.prefix.base === OUTSIDE.base ? 'granted' : 'moved') : 'refused';
    expect(what).toBe(allocatorTraits(kind).outsidePools);
  });

  it.each(KINDS)('%s shares reservations as in its traits', (kind) => {
    const ipam = createAllocator(kind, [POOL]);
    ipam.reserve(prefixOf('10.1.0.0/16'), true);
    expect(ipam.reserve(prefixOf('10.0.0.0/12'), true).ok).toBe(allocatorTraits(kind).sharesReservations);
  });
});
