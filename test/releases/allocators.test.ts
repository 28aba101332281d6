import { describe, expect, it } from 'vitest';
import { createAllocator } from '../../src/ipam/allocators/create-allocator.ts';
import { prefixOf } from '../../src/net/text.ts';
import {
  type AllocatorKind,
  allocatorOf,
  allocatorTraits,
  firstLineThatMovesIntoPools,
} from '../../src/releases/allocators.ts';
import { RELEASE_LINES } from '../../src/releases/release.ts';

const KINDS: readonly AllocatorKind[] = ['liqo-1.0', 'liqo-1.2', 'best-fit'];

const POOL = prefixOf('10.0.0.0/8');
const OUTSIDE = prefixOf('100.64.0.0/16');

describe('an allocator', () => {
  it('is chosen by the line, unless the topology sets best-fit', () => {
    expect(RELEASE_LINES.map((it) => allocatorOf('liqo', it))).toEqual(['liqo-1.0', 'liqo-1.0', 'liqo-1.2']);
    expect(RELEASE_LINES.map((it) => allocatorOf('best-fit', it))).toEqual(['best-fit', 'best-fit', 'best-fit']);
  });

  it('moves requests into its pools from 1.2 on', () => {
    expect(firstLineThatMovesIntoPools()).toBe('1.2');
  });

  it.each(RELEASE_LINES)('may be used for the line %s that it is chosen for', (line) => {
    expect(allocatorTraits(allocatorOf('liqo', line)).emulates[line]).toBe(true);
  });

  it('is best-fit in 1.0 only', () => {
    expect(RELEASE_LINES.filter((it) => allocatorTraits('best-fit').emulates[it])).toEqual(['1.0']);
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
