import { expect } from 'vitest';
import { compile } from '../../src/compile.ts';
import { lockSource } from './topology-spec.ts';

/**
 * Far above what such a small text takes, far below what a loop that runs away takes. Counted is the time of the
 * processor, so that a busy machine is no loop.
 */
const QUICK_MILLISECONDS = 5_000;

interface Texts {
  readonly topology: string;
  readonly keys?: string;
  readonly lock?: string;
}

/** Compiling may refuse anything, with a message and a place; it never throws and never takes its time. */
export function expectAnswer({ topology, keys, lock }: Texts): void {
  const start = process.cpuUsage();
  const result = compile(
    {
      topology: { path: 'topology.yaml', text: topology },
      keys: keys === undefined ? undefined : { path: 'topology.keys.yaml', text: keys },
      lock: lock === undefined ? undefined : lockSource(lock),
    },
    { relock: [], only: null },
  );
  expect(process.cpuUsage(start).user / 1000).toBeLessThan(QUICK_MILLISECONDS);
  expect(result.ok).toBe(!result.diagnostics.some((it) => it.severity === 'error'));
  for (const { span, message } of result.diagnostics) {
    expect(message).not.toMatch(/undefined|\[object|NaN|Infinity/);
    expect(span.start).toBeGreaterThanOrEqual(0);
    expect(span.end).toBeGreaterThanOrEqual(span.start);
    expect(span.end).toBeLessThanOrEqual(span.source.text.length);
  }
}
