import type { TextFormat } from './text-format.ts';

/** Milliseconds of each unit, the longest first, as they must be written. */
const UNITS: readonly (readonly [unit: string, milliseconds: number])[] = [
  ['y', 365 * 86_400_000],
  ['w', 7 * 86_400_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
  ['ms', 1],
];

const FORM = new RegExp(`^${UNITS.map(([unit]) => `(?:(\\d+)${unit})?`).join('')}$`);

/** Prometheus counts durations in nanoseconds, in a signed integer of 64 bits. */
const LONGEST_MILLISECONDS = 2 ** 63 / 1e6;

/**
 * The duration in milliseconds; `undefined` for a text that has another form.
 * Source: prometheus/common@v0.55.0 model/time.go (ParseDuration).
 */
export function millisecondsOf(text: string): number | undefined {
  const counts = text === '' ? null : FORM.exec(text)?.slice(1);
  return counts?.reduce((sum, count, i) => sum + Number(count ?? 0) * (UNITS[i]?.[1] ?? 0), 0);
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
