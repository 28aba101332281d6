import { expect, it } from 'vitest';
import { printSarif } from '../../../src/answers/report/code-scanning.ts';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printAnnotations } from '../../../src/answers/report/print-annotations.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { compile } from '../../../src/compile.ts';
import { describeRule } from '../../../src/host/app/explain.ts';
import { HOSTILE, SECRET } from '../../support/hostile-text.ts';

const SECRETS = [
  ...Object.values(HOSTILE).filter((it) => it.includes(SECRET)),
  // So long that a message does not repeat all of it.
  `https://x:${SECRET}${'y'.repeat(100)}@example.com`,
];

/** Topologies with a text at a key, most of them wrong in several ways. */
const PLACES: Readonly<Record<string, (text: string) => string>> = {
  'gitops.repository': (text) => `gitops: { repository: ${text} }`,
  'gitops.revision': (text) => `gitops: { repository: x, revision: ${text} }`,
  'an unknown key': (text) => `gitops: { ${text}: x }`,
  'a cluster': (text) => `clusters: { ${text}: {} }`,
  'a CIDR': (text) => `clusters: { rome: { podCIDR: ${text} } }`,
  'a peering': (text) => `peerings: [[rome, ${text}]]`,
  'an allocator': (text) => `ipam: { allocator: ${text} }`,
  'a comment beside a mistake': (text) => `version: 2 # ${text}`,
  'broken YAML': (text) => `gitops: { repository: ${text}`,
};

const print = (topology: string): string => {
  const { diagnostics } = compile(
    { topology: { path: 'topology.yaml', text: topology }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
  expect(diagnostics).not.toEqual([]);
  const context = { version: '0', describe: describeRule, pathOf: (path: string) => path };
  return [
    printDiagnostics(diagnostics, { paint: plainPaint, verbose: true }),
    printAnnotations(diagnostics, (path) => path),
    printSarif(diagnostics, context),
    printJson(diagnosticsDocument(diagnostics)),
  ].join('');
};

it.each(Object.keys(PLACES))('no printer shows a secret at %s', (place) => {
  expect(SECRETS).toHaveLength(4);
  for (const secret of SECRETS) {
    for (const text of [secret, JSON.stringify(secret)])
      expect(print(PLACES[place]?.(text) ?? '')).not.toContain(SECRET);
  }
});
