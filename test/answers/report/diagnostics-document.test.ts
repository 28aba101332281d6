import { expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { acceptedBy, drawn } from './drawn.ts';

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
    summary: { errors: 1, warnings: 0, notes: 0, accepted: { warnings: 0, notes: 0 } },
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
        accepted: [],
      },
    ],
  });
  expect(diagnosticsDocument([]).ok).toBe(true);
});

it('counts what is accepted by itself, with the reason and the place of the entry', () => {
  const warning = diagnostic('keys/missing', drawn('«a»'), 'no key');
  const { ok, summary, diagnostics } = diagnosticsDocument([acceptedBy(warning, 'keys come later'), warning]);
  expect({ ok, summary }).toEqual({
    ok: true,
    summary: { errors: 0, warnings: 1, notes: 0, accepted: { warnings: 1, notes: 0 } },
  });
  const place = { file: 'topologies/topology.yaml', line: 2, column: 5, endLine: 2, endColumn: 6 };
  expect(diagnostics.map((it) => it.accepted)).toEqual([[{ reason: 'keys come later', ...place }], []]);
});

it('lists errors first, then warnings, then notes', () => {
  const codes = ['topology/nothing-reserved', 'keys/missing', 'topology/bad-name', 'link/mtu-differs'] as const;
  const found = codes.map((it) => diagnostic(it, drawn('«a»'), 'found'));
  expect(diagnosticsDocument(found).diagnostics.map((it) => it.code)).toEqual([
    'topology/bad-name',
    'keys/missing',
    'topology/nothing-reserved',
    'link/mtu-differs',
  ]);
});
