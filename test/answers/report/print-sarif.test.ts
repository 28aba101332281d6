import { describe, expect, it } from 'vitest';
import { printSarif } from '../../../src/answers/report/code-scanning.ts';
import { type Diagnostic, diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { describeCode, describeRule as describeRuleOfPage, knownCodes } from '../../../src/host/app/explain.ts';
import { acceptedBy, drawn } from './drawn.ts';

const describeRule = (code: string) => ({
  summary: `About ${code}.`,
  description: `About ${code}, in a paragraph.`,
  page: `# ${code}\n`,
});
const context = { version: '0.1.0', describe: describeRule, pathOf: (path: string) => path };
const sarif = (it: readonly Diagnostic[]) => JSON.parse(printSarif(it, context));

const error = (text: string, path?: string) =>
  diagnostic('topology/unknown-cluster', drawn(text, path), 'no cluster is called "rom"', {
    hint: 'did you mean "rome"?',
    related: [{ message: 'declared here', span: drawn('a: «b»') }],
  });
const note = diagnostic('topology/nothing-reserved', drawn('«a»'), 'reserves nothing');

describe('SARIF', () => {
  // Required properties of SARIF 2.1.0: sarifLog 3.13, run 3.14, tool 3.18, toolComponent 3.19, reportingDescriptor 3.49,
  // result 3.27 (message, and here all that code scanning asks for), region 3.30.
  it('has the shape of version 2.1.0', () => {
    const { version, runs, $schema } = sarif([error('hub: «rom»'), note, note]);
    expect(version).toBe('2.1.0');
    expect($schema).toMatch(/sarif.*2\.1\.0/);
    expect(runs).toHaveLength(1);
    const [run] = runs;
    expect(run.columnKind).toBe('utf16CodeUnits');
    expect(run.tool.driver).toMatchObject({ name: 'weft', version: '0.1.0' });
    expect(run.tool.driver.rules).toEqual([
      {
        id: 'topology/nothing-reserved',
        shortDescription: { text: 'About topology/nothing-reserved.' },
        fullDescription: { text: 'About topology/nothing-reserved, in a paragraph.' },
        help: { text: '# topology/nothing-reserved\n', markdown: '# topology/nothing-reserved\n' },
        defaultConfiguration: { level: 'note' },
      },
      {
        id: 'topology/unknown-cluster',
        shortDescription: { text: 'About topology/unknown-cluster.' },
        fullDescription: { text: 'About topology/unknown-cluster, in a paragraph.' },
        help: { text: '# topology/unknown-cluster\n', markdown: '# topology/unknown-cluster\n' },
        defaultConfiguration: { level: 'error' },
      },
    ]);
    expect(run.results).toHaveLength(3);
    for (const it of run.results) {
      expect(run.tool.driver.rules[it.ruleIndex].id).toBe(it.ruleId);
      expect(it.message.text).not.toBe('');
      expect(it.locations[0].physicalLocation.artifactLocation.uri).toBe('topologies/topology.yaml');
    }
    expect(run.results[0]).toMatchObject({
      level: 'error',
      locations: [{ physicalLocation: { region: { startLine: 1, startColumn: 6, endLine: 1, endColumn: 9 } } }],
      relatedLocations: [{ id: 0, message: { text: 'declared here' } }],
    });
  });

  it('calls what is accepted suppressed, with its reason, and says of the others that they are not', () => {
    const { results } = sarif([acceptedBy(note, 'no nodes there'), note]).runs[0];
    expect(results.map((it: { suppressions: unknown }) => it.suppressions)).toMatchObject([
      [
        {
          kind: 'inSource',
          justification: 'no nodes there',
          location: { physicalLocation: { region: { startLine: 2, startColumn: 5 } } },
        },
      ],
      [],
    ]);
    expect(sarif([note]).runs[0].results[0]).not.toHaveProperty('suppressions');
  });

  it('quotes the page of a rule, within what code scanning accepts', () => {
    const { rules } = JSON.parse(printSarif([note, error('«a»')], { ...context, describe: describeRuleOfPage })).runs[0]
      .tool.driver;
    expect(rules[1]).toMatchObject({
      shortDescription: { text: describeCode('topology/unknown-cluster') },
      fullDescription: { text: expect.stringMatching(/^[^#`]+$/) },
      help: { markdown: expect.stringContaining('## Why it matters') },
    });
    for (const code of knownCodes) {
      const { summary, description } = describeRuleOfPage(code);
      expect(description.startsWith(summary.slice(0, -1)), code).toBe(true);
      expect(description.length).toBeLessThanOrEqual(1024);
    }
  });

  it('has no results and no rules for a sound topology, and is still a document', () => {
    expect(sarif([]).runs[0]).toMatchObject({ results: [], tool: { driver: { rules: [] } } });
  });

  it('knows a result again when lines above it come and go, and tells equal ones apart', () => {
    const printOf = (it: readonly Diagnostic[]): readonly string[] =>
      sarif(it).runs[0].results.map(
        (result: { partialFingerprints: { primaryLocationLineHash: string } }) =>
          result.partialFingerprints.primaryLocationLineHash,
      );
    const [here] = printOf([error('hub: «rom»')]);
    expect(printOf([error('# a\n# b\n\nhub: «rom»')])).toEqual([here]);
    expect(printOf([error('hub: «rom»', 'other.yaml')])).not.toEqual([here]);
    expect(new Set(printOf([error('hub: «rom»'), error('hub: «rom»'), note])).size).toBe(3);
  });

  it.each([
    ['a b/ä#.yaml', 'a%20b/%C3%A4%23.yaml'],
    ['/abs/a.yaml', 'file:///abs/a.yaml'],
    ['C:\\fleet\\a.yaml', 'file:///C:/fleet/a.yaml'],
  ])('writes the path %s as a URI', (path, uri) => {
    expect(sarif([error('«a»', path)]).runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
  });
});
