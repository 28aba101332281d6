import type { TextFormat } from './text-format.ts';

/** Nanoseconds of each unit. */
const UNITS: Readonly<Record<string, number>> = { ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** Go counts durations in nanoseconds, in a signed integer of 64 bits. Source: golang/go@go1.23 src/time/format.go. */
const LONGEST_NANOSECONDS = 2 ** 63 - 1;

/** The duration in nanoseconds; `undefined` for a text that has another form. */
function nanosecondsOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (UNITS[unit ?? ''] ?? 0), 0);
}

/** The time between two events, as a flag of Liqo's gateway: Go cannot make a ticker of zero. */
export const GO_DURATION: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a duration above zero',
  hintFor: (text) => {
    const nanoseconds = nanosecondsOf(text);
    if (nanoseconds === undefined) return 'write a number with its unit, like "2s" or "500ms"';
    if (nanoseconds < 1) return 'write a time above zero, like "2s"; `ping: false` disables the ping';
    return nanoseconds >= LONGEST_NANOSECONDS ? 'write a shorter time, like "2s"' : undefined;
  },
};
