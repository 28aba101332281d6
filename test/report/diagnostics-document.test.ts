import { expect, it } from 'vitest';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diagnosticsDocument, printJson } from '../../src/report/diagnostics-document.ts';
import { drawn } from './drawn.ts';

it('gives programs every diagnostic with its place', () => {
  const found = diagnostic(
    'topology/unknown-cluster',
    drawn('version: 1\nhub: «rom»\n'),
    'no cluster is called "rom"',
    {
      related: [{ message: 'declared here', span: drawn('«x»', 'b.yaml') }],
    },
  );
  expect(JSON.parse(printJson(diagnosticsDocument([found])))).toEqual({
    schemaVersion: 1,
    ok: false,
    summary: { errors: 1, warnings: 0, notes: 0 },
    diagnostics: [
      {
        code: 'topology/unknown-cluster',
        severity: 'error',
        message: 'no cluster is called "rom"',
        file: 'topologies/topology.yaml',
        line: 2,
        column: 6,
        endLine: 2,
        endColumn: 9,
        hint: null,
        related: [{ message: 'declared here', file: 'b.yaml', line: 1, column: 1, endLine: 1, endColumn: 2 }],
      },
    ],
  });
  expect(diagnosticsDocument([]).ok).toBe(true);
});
