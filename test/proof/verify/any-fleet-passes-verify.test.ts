import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { recordedFleet, recordGenes } from '../../laws/arbitrary-records.ts';
import { ADDITIONS, arbitraryFleet, CHANGES, REMOVALS } from '../../laws/arbitrary-topology.ts';
import { compiled, type Decided, decidedBy, WHOLE } from '../../laws/compile-spec.ts';
import { arbitraryStory, statesOf } from '../../laws/history.ts';
import { law } from '../../laws/law.ts';
import { verifyCompiled } from './verify-golden.ts';

function expectNoError(decided: Decided): void {
  expect(verifyCompiled(decided).map((it) => `${it.code} ${it.span.source.path}: ${it.message}`)).toEqual([]);
}

describe('verify reports no false error', () => {
  law(
    'for a new fleet, nor for the same with its own lock',
    100,
    fc.property(arbitraryFleet(), ({ spec }) => {
      const first = compiled(spec);
      expectNoError(first);
      expectNoError(compiled(spec, first.lock));
    }),
  );

  law(
    'for a fleet after some edits, with the lock of the state before',
    60,
    fc.property(arbitraryStory([...ADDITIONS, ...REMOVALS, ...CHANGES]), (story) => {
      for (const { decided } of statesOf(story, null)) expectNoError(decided);
    }),
  );

  law(
    'for a fleet with keys, answers of providers, and maps and lists that are empty',
    100,
    fc.property(arbitraryFleet(), recordGenes, ({ spec }, genes) => {
      const { topology, keys, identities } = recordedFleet(spec, genes);
      expectNoError(decidedBy(compile({ topology, keys, identities, lock: undefined }, WHOLE)));
    }),
  );
});
