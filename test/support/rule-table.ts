import { describe, expect, it } from 'vitest';
import type { Code } from '../../src/base/diagnostics/codes.ts';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.ts';
import type { Source } from '../../src/base/source/source.ts';
import { compile } from '../../src/compile.ts';
import { drawn } from './check-diagnostics.ts';
import { compileGolden } from './golden.ts';

/** Files that break a rule, with « and » around the text that is reported, and perhaps ‹ and › around the other end. */
interface DrawnExample {
  readonly code: Code;
  readonly topology: string;
  readonly keys?: string;
  readonly identities?: string;
  readonly lock?: string;
}

/** A golden that breaks a rule, where certificates and keys would fill the table. */
interface GoldenExample {
  readonly code: Code;
  readonly golden: string;
  /** `topology.keys.yaml:12` */
  readonly place: string;
}

type RuleExample = DrawnExample | GoldenExample;

/** The rules of a module: what is called with a stage's result and yields diagnostics. */
type RulesOf<Module> = {
  readonly [Name in keyof Module as Module[Name] extends (stage: never) => Iterable<Diagnostic>
    ? Name
    : never]: readonly [RuleExample, ...(readonly RuleExample[])];
};

/** Tests every rule of a module with examples that break it. A rule without an example does not compile. */
export function ruleTable<Module extends object>(_rules: Module, examples: RulesOf<Module>): void {
  describe.each(Object.entries<readonly RuleExample[]>(examples))('%s', (_, rows) => {
    it.each(rows)('reports $code', (row) => {
      if ('golden' in row) expectInGolden(row);
      else expectWhereDrawn(row);
    });
  });
}

function expectInGolden({ code, golden, place }: GoldenExample): void {
  const found = compileGolden(golden).diagnostics.filter((it) => it.code === code);
  expect(found.map(placeOf)).toContain(place);
}

function placeOf({ span: { source, start } }: Diagnostic): string {
  return `${source.path}:${source.text.slice(0, start).split('\n').length}`;
}

function expectWhereDrawn({ code, ...texts }: DrawnExample): void {
  const files = Object.entries(texts).map(([name, drawing]) => ({ name, ...drawn(drawing) }));
  const source = (name: string): Source | undefined => {
    const file = files.find((it) => it.name === name);
    return file && { path: name === 'topology' ? 'topology.yaml' : `topology.${name}.yaml`, text: file.text };
  };
  const { diagnostics } = compile(
    {
      topology: source('topology') ?? { path: 'topology.yaml', text: '' },
      keys: source('keys'),
      identities: source('identities'),
      lock: source('lock'),
    },
    { relock: [], only: [] },
  );
  const placed = files.flatMap(({ name, text, place }) => (place ? [{ name, shown: shownAt(text, place) }] : []));
  expect(placed, 'a place is drawn').toHaveLength(1);
  const found = diagnostics.filter((it) => it.code === code);
  const shown = found.map((it) => shownAt(it.span.source.text, [it.span.start, it.span.end]));
  expect(shown).toContain(placed[0]?.shown);
  const said = found.map(({ message }, index) => `${shown[index]} ${message}`);
  expect(said, 'reported once').toEqual([...new Set(said)]);
  const others = files.flatMap(({ text, otherPlace }) => (otherPlace ? [shownAt(text, otherPlace)] : []));
  const related = found.flatMap((it) =>
    it.related.map(({ span }) => shownAt(span.source.text, [span.start, span.end])),
  );
  expect(related).toEqual(expect.arrayContaining(others));
}

/** A place as `5:9 "text"`, with line and column. */
function shownAt(text: string, [start, end]: readonly [number, number]): string {
  const lines = text.slice(0, start).split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1} ${JSON.stringify(text.slice(start, end))}`;
}
