import fc from 'fast-check';
import { expect, it } from 'vitest';
import { printLockHeader } from '../../../src/base/core/generated-files.ts';
import { printLockKey } from '../../../src/base/core/lock-key.ts';
import { decisionAbout, decisionsOf, parseLock, printLock } from '../../../src/fleet/lock/lock.ts';
import { arbitraryLockKey } from '../../base/core/arbitrary-lock-key.ts';

it('the header is a comment whatever the name of the topology file', () => {
  const text = printLock('a\nversion: 2\u2028.yaml', new Map([['rome/europe/join', 1]]));
  expect(text.split('\n')).toEqual([
    printLockHeader('a\u240aversion: 2\ufffd.yaml').trimEnd(),
    'version: 1',
    'decisions:',
    '  rome/europe/join: 1',
    '',
  ]);
  expect(parseLock({ path: 'lock.yaml', text }).ok).toBe(true);
});

it('every decision is read back: the schema has the same keys as the printer', () => {
  const decidedFor = (kind: string): string | number => (kind === 'join' || kind === 'port' ? 7 : '10.128.0.0/20');
  fc.assert(
    fc.property(fc.array(arbitraryLockKey), (keys) => {
      const text = printLock('topology.yaml', new Map(keys.map((it) => [printLockKey(it), decidedFor(it.kind)])));
      const lock = parseLock({ path: 'topology.lock.yaml', text });
      expect(lock.diagnostics).toEqual([]);
      const decisions = decisionsOf(lock.ok ? lock.value : undefined);
      for (const it of keys) expect(decisionAbout(decisions, it)?.value).toBe(decidedFor(it.kind));
    }),
  );
});
