import fc from 'fast-check';
import type { LockKey } from '../../../src/base/core/lock-key.ts';
import { prefixAround } from '../../../src/base/net/prefix.ts';
import { arbitraryName } from './arbitrary-names.ts';

export const arbitraryLink = fc.record({ first: arbitraryName, second: arbitraryName });

const arbitraryPrefix = fc
  .tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.integer({ min: 0, max: 32 }))
  .map(([address, length]) => prefixAround(address, length));

/** Any decision, about clusters that are called like the words of its key. */
export const arbitraryLockKey: fc.Arbitrary<LockKey> = fc.oneof(
  fc.record({
    kind: fc.constant('block' as const),
    cluster: arbitraryName,
    block: fc.constantFrom('external' as const, 'internal' as const),
  }),
  fc.record({ kind: fc.constant('join' as const), link: arbitraryLink }),
  fc.record({ kind: fc.constant('port' as const), link: arbitraryLink, server: arbitraryName }),
  fc.record({
    kind: fc.constant('view' as const),
    link: arbitraryLink,
    viewer: arbitraryName,
    role: fc.constantFrom('pod' as const, 'external' as const),
    cidr: arbitraryPrefix,
  }),
);
