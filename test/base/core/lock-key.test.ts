import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  networkTextOf,
  parseLockKey,
  printLinkId,
  printLockKey,
  reverseLinkId,
} from '../../../src/base/core/lock-key.ts';
import { prefixOf } from '../../../src/base/net/text.ts';
import { arbitraryLink, arbitraryLockKey } from './arbitrary-lock-key.ts';
import { arbitraryName } from './arbitrary-names.ts';

describe('a lock key', () => {
  it('is read back as it was printed, whatever the clusters are called', () => {
    fc.assert(
      fc.property(arbitraryLockKey, (key) => {
        expect(parseLockKey(printLockKey(key))).toEqual(key);
      }),
    );
  });

  it('is printed as it was read, or not read at all', () => {
    const part = fc.oneof(arbitraryName, fc.constantFrom('10.0.0.0', '10.0.0.1', '8', '08', '33', '', 'Rome', '_a'));
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((it) => it.join('/'));
    fc.assert(
      fc.property(text, (it) => {
        const key = parseLockKey(it);
        if (key !== undefined) expect(printLockKey(key)).toBe(it);
      }),
    );
  });

  it('distinguishes clusters called like the words of a key from these words', () => {
    expect(parseLockKey('rome/external')).toEqual({ kind: 'block', cluster: 'rome', block: 'external' });
    expect(parseLockKey('rome/external/join')).toEqual({ kind: 'join', link: { first: 'rome', second: 'external' } });
    expect(parseLockKey('view/join/port/view')).toEqual({
      kind: 'port',
      link: { first: 'view', second: 'join' },
      server: 'view',
    });
    expect(parseLockKey('port/view/view/port/pod/10.0.0.0/8')).toEqual({
      kind: 'view',
      link: { first: 'port', second: 'view' },
      viewer: 'port',
      role: 'pod',
      cidr: prefixOf('10.0.0.0/8'),
    });
  });

  it.each([
    '',
    'rome',
    'rome/pod',
    'rome/milan',
    'rome/milan/join/2',
    'rome/milan/view/rome/pod/10.0.0.7/16',
    '_/external',
  ])('is not %j', (text) => expect(parseLockKey(text)).toBeUndefined());

  it('has the text in the place of a network, which may not be one', () => {
    expect(networkTextOf('rome/milan/view/rome/pod/10.0.0.7/16')).toBe('10.0.0.7/16');
    expect(networkTextOf('rome/milan/port/rome')).toBeUndefined();
    expect(networkTextOf('view/view/join')).toBeUndefined();
  });
});

describe('the identity of a link', () => {
  it('is its two names, and reversed twice is itself', () => {
    fc.assert(
      fc.property(arbitraryLink, (link) => {
        expect(printLinkId(link)).toBe(`${link.first}/${link.second}`);
        expect(reverseLinkId(reverseLinkId(link))).toEqual(link);
      }),
    );
  });
});
