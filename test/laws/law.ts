import fc from 'fast-check';
import { it } from 'vitest';

/** `LAW_RUNS=10` runs every law ten times as often; `LAW_SEED=n` draws other examples than everybody else's runs do. */
const factor = Number(process.env['LAW_RUNS'] ?? 1);
const seed = Number(process.env['LAW_SEED'] ?? 20_240_607);

/** A law that holds for whatever is drawn. The seed is fixed, so that a failure is the same on every machine. */
export function law<Ts extends [unknown, ...unknown[]]>(
  name: string,
  runs: number,
  property: fc.IProperty<Ts> | fc.IAsyncProperty<Ts>,
): void {
  const settings = { numRuns: Math.max(1, Math.round(runs * factor)), seed };
  it(name, { timeout: 600_000 }, () =>
    property.isAsync() ? fc.assert(property as fc.IAsyncProperty<Ts>, settings) : fc.assert(property, settings),
  );
}
