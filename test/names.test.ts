import { describe, expect, it } from 'vitest';
import { WINGS } from './rooms.ts';
import { sourceFiles } from './support/source-files.ts';

/** Rooms and folders that implement one interface or print one answer in several languages: their names are parallel. */
const PARALLEL: Readonly<Record<string, readonly RegExp[]>> = {
  host: [
    // Forges behind one interface; git-remote is the half of two of them.
    /^(gitea|github|gitlab|git-remote)\//,
    // Every command reads its own arguments.
    /^cli\/commands\//,
    // Each function of the package has a type for its users.
    /^library\//,
  ],
};

/** Names with several meanings in a wing, each with the reason. */
const ARGUED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  host: {
    Fleet: 'users of the package know only theirs',
    Bundles: 'users of the package know only theirs',
    Sources: 'users of the package know only theirs',
  },
};

const DECLARATION =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type) (\w+)/gm;
const ARROW =
  /^(?:export )?const ([a-z]\w*)\b(?:[^=;]|=>)*?= (?:async )?(?:<[^\n]*?>)?(?:\w+ =>|\((?=[^)]*\)[^\n]*=>|\n|\{))/gm;

/** The names of the functions, classes, interfaces and types that a module declares at its top level. */
const declaredIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(DECLARATION), ...text.matchAll(ARROW)].map((found) => found[1] ?? '')),
];

interface WingFile {
  /** The path below the wing. */
  readonly path: string;
  readonly text: string;
}

const filesOf = (wing: string): readonly WingFile[] =>
  sourceFiles()
    .filter(({ path }) => path.startsWith(`${wing}/`) && /^(?!.*\/(generated|schema-types)\/).*\.ts$/.test(path))
    .map(({ path, text }) => ({ path: path.slice(wing.length + 1), text }));

/** The names that several files declare, with these files; parallel files count as one. */
function ambiguousNames(files: readonly WingFile[], parallel: readonly RegExp[] = []): ReadonlyMap<string, string> {
  const places = new Map<string, string[]>();
  for (const { path, text } of files)
    for (const name of declaredIn(text)) places.set(name, [...(places.get(name) ?? []), path]);
  const groupOf = (path: string): string => parallel.find((group) => group.test(path))?.source ?? path;
  return new Map(
    [...places].flatMap(([name, paths]) =>
      new Set(paths.map(groupOf)).size > 1 ? [[name, paths.join(' ')] as const] : [],
    ),
  );
}

describe.each(Object.keys(WINGS))('in %s', (wing) => {
  const files = filesOf(wing);
  const ambiguous = ambiguousNames(files, PARALLEL[wing]);
  const argued = Object.keys(ARGUED[wing] ?? {});

  it('a function, class, interface or type has a name of its own', () => {
    expect(files.flatMap(({ text }) => declaredIn(text)).length).toBeGreaterThan(40);
    expect([...ambiguous].filter(([name]) => !argued.includes(name)).map((it) => it.join(': '))).toEqual([]);
  });

  it('no exception is outdated', () => {
    expect(argued.filter((name) => !ambiguous.has(name))).toEqual([]);
  });
});

describe('a name with two meanings is found', () => {
  it.each([
    ['a function', 'function textOf(it: A): string {\n}\n'],
    ['an async function', 'export async function textOf(): Promise<void> {}\n'],
    ['a generator', 'function* textOf() {}\n'],
    ['an arrow', 'const textOf = (it: A): string => it.text;\n'],
    ['an arrow on several lines', 'export const textOf = (\n  it: A,\n): string => it.text;\n'],
    ['an arrow with a type', 'const textOf: (it: A) => string = (it) => it.text;\n'],
    ['an arrow with a parameter of a type', 'const textOf = <T extends A>(it: T): string => it.text;\n'],
    ['a type', 'type textOf = string;\n'],
    ['an interface', 'export interface textOf {\n}\n'],
    ['a class', 'export class textOf {}\n'],
  ])('%s', (_, text) => {
    const files = [
      { path: 'a/one.ts', text },
      { path: 'b/two.ts', text: 'export function textOf(): void {}\n' },
    ];
    expect([...ambiguousNames(files).keys()]).toEqual(['textOf']);
    expect([...ambiguousNames(files, [/^[ab]\//]).keys()]).toEqual([]);
  });

  it.each([
    ['a constant', 'const textOf = 1;\nconst other = new Map([[1, (a) => 2]]);\n'],
    ['a name inside a function', 'function other() {\n  const textOf = () => 1;\n}\n'],
    ['overloads of one file', 'function other(a: 1): 1;\nfunction other(a: 2): 2;\n'],
  ])('but not %s', (_, text) => {
    const files = [
      { path: 'one.ts', text },
      { path: 'two.ts', text: 'function textOf() {}\n' },
    ];
    expect([...ambiguousNames(files).keys()]).toEqual([]);
  });
});
