import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { labScope } from '../../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../../src/reach/lab/plan-lab.ts';
import { arbitraryTerm, compiledWith, FLEETS, type Term } from '../../bundle/enforcement/random-boundaries.ts';
import { LAW_SEED, RUNS_ALL, runsOf } from '../../support/drawn.ts';
import { carryOut, labsOnMachine, whyNoLab } from './lab-support.ts';

/*
 * Labs of fleets with closed links: real tunnels, the chains that a bundle has beside those of Liqo, and every flow in both
 * directions. Packets that the trace says a fence refuses must fail, and all others must arrive.
 */

const reason = whyNoLab();

/** One set on a push, of equal networks with shortcuts: a lab takes seconds, most of them waiting for answers that must not come. */
const SETS = RUNS_ALL ? runsOf(200) : 1;
const FIRST_FLEET = 1;

const LABS_AT_ONCE = 4;

/** Entries that open more than most: the flows of a lab use two ports only. */
const labTerm = arbitraryTerm.map((it) => ({
  ...it,
  part: it.part !== null && it.part % 4 === 0 ? it.part : null,
  masqueraded: it.masqueraded && it.from !== 1,
  ports: it.ports.slice(0, it.from % 2),
}));

describe.skipIf(reason !== null)(`closed links in a lab (${reason ?? 'in this kernel'})`, () => {
  const before = reason === null ? labsOnMachine() : [];
  const counted = { sets: 0, passed: 0, refused: 0 };
  const fleets = Object.entries(FLEETS);
  const sets = fc
    .sample(fc.array(labTerm, { minLength: 4, maxLength: 24, size: 'max' }), {
      numRuns: SETS,
      seed: LAW_SEED ?? 20_261_129,
    })
    .map((terms, index) => ({ terms, of: fleets[(FIRST_FLEET + index) % fleets.length] ?? ['', ''] }));

  async function expectAgreement(terms: readonly Term[], [name, fleet]: readonly [string, string]): Promise<void> {
    const plan = planLab(labScope(compiledWith(fleet, terms).model, []));
    const { verdicts, silent } = await carryOut(plan);
    const words = `${name}: ${JSON.stringify(terms)}`;
    expect(silent, words).toEqual([]);
    const wrong = verdicts.filter((it) => !it.agrees).map(({ probe, got }) => ({ ...probe, got }));
    expect(wrong, words).toEqual([]);
    expect(verdicts, words).toHaveLength(plan.probes.length);
    const refused = verdicts.filter((it) => it.probe.isRefused).length;
    counted.sets += 1;
    counted.passed += verdicts.length - refused;
    counted.refused += refused;
  }

  it('agree with trace on every flow, for random entries', { timeout: 1_200_000 }, async () => {
    const left = sets.values();
    const runner = async (): Promise<void> => {
      for (const { terms, of } of left) await expectAgreement(terms, of);
    };
    await Promise.all(Array.from({ length: LABS_AT_ONCE }, runner));
    expect(counted.sets).toBe(sets.length);
    expect(Math.min(counted.passed, counted.refused)).toBeGreaterThan(5 * sets.length);
  });

  afterAll(() => {
    console.info(
      `labs: ${counted.sets} sets of entries, ${counted.passed} flows arrived, ${counted.refused} were refused`,
    );
    expect(labsOnMachine().length).toBeLessThanOrEqual(before.length);
  });
});
