import { CommandFailure } from '../front/command-failure.ts';

const MILLISECONDS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** `90s`, `10m` or `1h` in milliseconds. */
export function durationOf(option: string, value: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smh])$/.exec(value) ?? [];
  const milliseconds = Number(count) * (MILLISECONDS[unit] ?? Number.NaN);
  if (!Number.isNaN(milliseconds)) return milliseconds;
  throw new CommandFailure(`--${option} requires a duration, not "${value}"`, `write --${option} 90s, 10m or 1h`);
}
