import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decisionLines, parseLockLines, printLockKey, printLockLine } from '../../../src/base/core/lock-key.ts';
import { printLock } from '../../../src/fleet/lock/lock.ts';
import { law } from '../../laws/law.ts';
import { arbitraryLockKey } from './arbitrary-lock-key.ts';

law(
  'the decisions of a printed lock are read back',
  100,
  fc.property(fc.dictionary(arbitraryLockKey.map(printLockKey), fc.constantFrom('10.0.0.0/16', 30001)), (decisions) => {
    const lock = printLock('topology.yaml', new Map(Object.entries(decisions)));
    const read = parseLockLines(decisionLines(lock));
    expect(Object.fromEntries(read)).toEqual(
      Object.fromEntries(Object.entries(decisions).map(([key, value]) => [key, String(value)])),
    );
  }),
);

it('lines of other forms are left out', () => {
  expect(parseLockLines(['  # a comment', '  rome/join:', '  rome/join: 1 2', 'rome/join: 1', ''])).toEqual(new Map());
});

it('a line of Windows is read', () => {
  expect(parseLockLines(decisionLines('decisions:\r\n  rome/milan/join: 1\r\n'))).toEqual(
    new Map([['rome/milan/join', '1']]),
  );
  expect(printLockLine('rome/milan/join', 1)).toBe('  rome/milan/join: 1');
});
