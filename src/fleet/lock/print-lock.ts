import { printLockHeader } from '../../base/core/header.ts';
import { printLockLine } from '../../base/core/lock-line.ts';
import { by } from '../../base/core/order.ts';
import type { NextDecisions } from './decisions.ts';

/** The text of the lock file: sorted by key (code units), one line a decision. Every key is a plain scalar in YAML 1.1 and 1.2. */
export function printLock(topologyFile: string, decisions: NextDecisions): string {
  const sorted = [...decisions].sort(by(([key]) => key));
  const body =
    sorted.length === 0 ? ' {}\n' : `\n${sorted.map(([key, value]) => `${printLockLine(key, value)}\n`).join('')}`;
  return `${printLockHeader(topologyFile)}version: 1\ndecisions:${body}`;
}
