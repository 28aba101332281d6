import { describe, expect, it } from 'vitest';
import { printAnnotations } from '../../../src/answers/report/print-annotations.ts';
import { diagnostic } from '../../../src/base/diagnostics/diagnostic.ts';
import { acceptedBy, drawn } from './drawn.ts';

const same = (path: string) => path;

/** Parses a command like the runner. Source: actions/toolkit packages/core/src/command.ts, undone. */
function read(line: string) {
  const [, command = '', properties = '', data = ''] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
  const undo = (text: string) =>
    text.replace(/%3A/g, ':').replace(/%2C/g, ',').replace(/%0D/g, '\r').replace(/%0A/g, '\n').replace(/%25/g, '%');
  const pairs = properties
    .split(',')
    .map((it) => it.split('='))
    .map(([key = '', value = '']) => [key, undo(value)]);
  return { command, ...Object.fromEntries(pairs), message: undo(data) };
}

describe('annotations for GitHub', () => {
  it('have a line each and escape what the runner would read', () => {
    const found = diagnostic(
      'topology/unknown-cluster',
      drawn('a\nhub: «100%»', 'fleets/a,b:c.yaml'),
      'no "100%"\r\nhere: a, b',
      {
        hint: 'did you mean "100"?',
        related: [{ message: 'declared here', span: drawn('«x»', 'b.yaml') }],
      },
    );
    const printed = printAnnotations([found], same);
    expect(printed).toBe(
      '::error file=fleets/a%2Cb%3Ac.yaml,line=2,endLine=2,col=6,endColumn=10,title=topology/unknown-cluster::' +
        'no "100%25"␍␊here: a, b%0Ab.yaml:1:1: declared here%0Ahint: did you mean "100"?\n',
    );
    expect(read(printed.trimEnd())).toMatchObject({
      file: 'fleets/a,b:c.yaml',
      message: 'no "100%"␍␊here: a, b\nb.yaml:1:1: declared here\nhint: did you mean "100"?',
    });
  });

  it('leave out what is accepted', () => {
    const warning = diagnostic('keys/missing', drawn('«a»'), 'no key');
    expect(printAnnotations([acceptedBy(warning, 'later')], same)).toBe('');
  });

  it('call a note a notice, and leave columns out of places with several lines', () => {
    const note = diagnostic('topology/nothing-reserved', drawn('a:\n «b: 1\n c: 2»'), 'reserves nothing');
    const warning = diagnostic('keys/missing', drawn('«a»'), 'no key');
    expect(printAnnotations([note, warning], (path) => `fleet/${path}`)).toBe(
      '::notice file=fleet/topologies/topology.yaml,line=2,endLine=3,title=topology/nothing-reserved::reserves nothing\n' +
        '::warning file=fleet/topologies/topology.yaml,line=1,endLine=1,col=1,endColumn=2,title=keys/missing::no key\n',
    );
  });
});

it('counts the warnings that GitHub would drop, and prints every error', () => {
  const at = { source: { path: 'a.yaml', text: 'a\n' }, start: 0, end: 1 };
  const many = (code: 'topology/bad-cidr' | 'plan/changes-trust' | 'keys/missing', count: number) =>
    Array.from({ length: count }, (_, i) => diagnostic(code, at, `this is ${i}`));
  const lines = (count: number) =>
    printAnnotations([...many('plan/changes-trust', count), ...many('topology/bad-cidr', count)], (it) => it)
      .trim()
      .split('\n');
  expect(lines(10).filter((it) => it.startsWith('::warning'))).toHaveLength(10);
  const warnings = lines(602).filter((it) => it.startsWith('::warning'));
  expect(warnings).toHaveLength(10);
  expect(warnings.at(-1)).toContain('593 more warnings like these');
  expect(lines(602).filter((it) => it.startsWith('::error'))).toHaveLength(602);
  const mixed = [...many('keys/missing', 300), ...many('plan/changes-trust', 1), ...many('keys/missing', 300)];
  const shown = printAnnotations(mixed, (it) => it)
    .trim()
    .split('\n');
  expect(shown).toHaveLength(10);
  expect(shown.filter((it) => it.includes('title=plan/changes-trust'))).toEqual([expect.not.stringContaining('more')]);
  expect(
    shown.filter((it) => it.endsWith('::592 more warnings like these: the plan and the log of this run have them')),
  ).toHaveLength(1);
});
