import fc from 'fast-check';
import { it } from 'vitest';
import { LAW_SEED, runsOf } from '../support/drawn.ts';

const seed = LAW_SEED ?? 20_240_607;

/** A law that holds for whatever is drawn. The seed is fixed, so that a failure is the same on every machine. */
export function law<Ts extends [unknown, ...unknown[]]>(
  name: string,
  runs: number,
  property: fc.IProperty<Ts> | fc.IAsyncProperty<Ts>,
  { skip = false }: { readonly skip?: boolean } = {},
): void {
  const settings = { numRuns: runsOf(runs), seed };
  it(name, { timeout: 600_000, skip }, () =>
    property.isAsync() ? fc.assert(property as fc.IAsyncProperty<Ts>, settings) : fc.assert(property, settings),
  );
}
