import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { diagnosticsDocument, printJson } from '../../src/answers/report/diagnostics-document.ts';
import { arbitraryFleet } from '../laws/arbitrary-topology.ts';
import { chance } from '../laws/chance.ts';
import { compiledWithKeys, tryCompile } from '../laws/compile-spec.ts';
import { law } from '../laws/law.ts';
import { faultsOf, fileOf } from '../support/json-documents.ts';
import { answersAbout } from './documents-of-model.ts';

describe('what commands print as JSON about any fleet', () => {
  law(
    'is as their schemas describe it, with keys for all gateways or for some',
    60,
    fc.property(arbitraryFleet(), fc.nat(), fc.boolean(), ({ spec }, seed, hasAll) => {
      const next = chance(seed);
      const fleet = compiledWithKeys(spec, () => hasAll || next() < 0.8);
      for (const { command, answer } of answersAbout(fleet)) {
        const document: unknown = JSON.parse(printJson({ ...diagnosticsDocument(fleet.diagnostics), ...answer }));
        expect(faultsOf(fileOf(command), document), JSON.stringify(document)).toEqual([]);
      }
    }),
  );

  law(
    'is as the schema of weft validate describes it, whatever is wrong',
    200,
    fc.property(arbitraryFleet(), ({ spec }) => {
      const { diagnostics } = tryCompile(spec);
      expect(faultsOf(fileOf('validate'), JSON.parse(printJson(diagnosticsDocument(diagnostics))))).toEqual([]);
    }),
  );
});
