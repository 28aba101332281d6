import { describe, expect, it } from 'vitest';
import { printCodeQuality } from '../../../src/answers/report/code-scanning.ts';
import { type Diagnostic, diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { acceptedBy, drawn } from './drawn.ts';

const report = (all: readonly Diagnostic[]) => JSON.parse(printCodeQuality(all, (path) => `fleet/${path}`));

const error = diagnostic(
  'topology/unknown-cluster',
  drawn('hub:\n  «rom»', 'topology.yaml'),
  'no cluster is called "rom"',
  {
    hint: 'did you mean "rome"?',
  },
);
const note = diagnostic('topology/nothing-reserved', drawn('«a»', 'topology.yaml'), 'reserves nothing');

describe('the code quality report', () => {
  // GitLab requires description, check_name, fingerprint, severity, location.path and location.lines.begin.
  it('has what GitLab requires, and only its severities', () => {
    expect(report([error, note])).toEqual([
      {
        description: 'no cluster is called "rom" (did you mean "rome"?)',
        check_name: 'topology/unknown-cluster',
        fingerprint: expect.stringMatching(/^[0-9a-f]{16}:1$/),
        severity: 'critical',
        location: { path: 'fleet/topology.yaml', lines: { begin: 2 } },
      },
      {
        description: 'reserves nothing',
        check_name: 'topology/nothing-reserved',
        fingerprint: expect.any(String),
        severity: 'info',
        location: { path: 'fleet/topology.yaml', lines: { begin: 1 } },
      },
    ]);
  });

  it('has another fingerprint for every entry, which no line above changes', () => {
    const [first, second] = report([note, note]);
    expect(first.fingerprint).not.toBe(second.fingerprint);
    const below = diagnostic('topology/nothing-reserved', drawn('x\n«a»', 'topology.yaml'), 'reserves nothing');
    expect(report([below])[0].fingerprint).toBe(first.fingerprint);
  });

  it('is an empty list without a finding, and leaves out what is accepted', () => {
    expect(report([])).toEqual([]);
    expect(report([acceptedBy(note, 'known'), error])).toHaveLength(1);
  });

  it('hides no character', () => {
    const hidden = diagnostic('topology/nothing-reserved', drawn('«a»'), 'a\u202eb');
    expect(report([hidden])[0].description).not.toContain('\u202e');
  });
});
