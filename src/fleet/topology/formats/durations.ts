import type { TextFormat } from './text-format.ts';

/** Nanoseconds of each unit. */
const NANOSECONDS: Readonly<Record<string, number>> = { ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 };

/** Go counts durations in nanoseconds, in a signed integer of 64 bits. Source: golang/go@go1.23 src/time/format.go. */
const LONGEST_NANOSECONDS = 2 ** 63 - 1;

/** The duration in nanoseconds; `undefined` for a text that has another form. */
export function nanosecondsOf(text: string): number | undefined {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/([\d.]+)(ms|s|m|h)/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * (NANOSECONDS[unit ?? ''] ?? 0), 0);
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

/** Milliseconds of each unit, the longest first, as they must be written. */
const MILLISECONDS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['y', 365 * 86_400_000],
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

const PROMETHEUS_FORM = new RegExp(`^${MILLISECONDS.map(([unit]) => `(?:(\\d+)${unit})?`).join('')}$`);

/** Prometheus counts durations in nanoseconds, in a signed integer of 64 bits. */
const LONGEST_MILLISECONDS = 2 ** 63 / 1e6;

/**
 * The duration in milliseconds; `undefined` for a text that has another form.
 * Source: prometheus/common@v0.55.0 model/time.go (ParseDuration).
 */
export function millisecondsOf(text: string): number | undefined {
  const counts = text === '' ? null : PROMETHEUS_FORM.exec(text)?.slice(1);
  return counts?.reduce((sum, count, i) => sum + Number(count ?? 0) * (MILLISECONDS[i]?.[1] ?? 0), 0);
}

/** A time or a threshold of an alert. */
export const PROMETHEUS_DURATION: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a duration of Prometheus above zero',
  hintFor: (text) => {
    const milliseconds = millisecondsOf(text);
    if (milliseconds === undefined)
      return 'write whole numbers with their units, the longest first, like "5m" or "1h30m"';
    if (milliseconds < 1) return 'write a time above zero, like "5m"';
    return milliseconds >= LONGEST_MILLISECONDS ? 'write a shorter time, like "5m"' : undefined;
  },
};
