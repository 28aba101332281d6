import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exportsOf, importedNamesOf } from './support/module-names.ts';
import { roomOf, sourceFiles } from './support/source-files.ts';

/** Rooms whose modules are generated: what they export follows from schemas and templates. */
const GENERATED = new Set(['generated', 'schema-types']);

/** The exports of the package, which its users import. */
const PUBLISHED = 'library';

/** Modules of `src/` and `test/`, by their path from the root of the repository. */
const modules = [...sourceFiles().map(({ path, text }) => ({ path: `src/${path}`, text })), ...testFiles()];

function testFiles(): readonly { readonly path: string; readonly text: string }[] {
  const folder = new URL('.', import.meta.url).pathname;
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((it) => it.endsWith('.ts') && !it.includes('node_modules'))
    .map((it) => ({ path: `test/${it}`, text: readFileSync(join(folder, it), 'utf8') }));
}

const key = (path: string, name: string): string => `${path}: ${name}`;

describe('exports', () => {
  it('are imported by another module of src/ or test/, by name', () => {
    const imported = new Set(
      modules.flatMap(({ path, text }) => importedNamesOf(path, text).map((it) => key(it.path, it.name))),
    );
    // Scripts of the build (.mjs) are run, not imported.
    const exported = sourceFiles()
      .filter(({ path }) => path.endsWith('.ts') && !GENERATED.has(roomOf(path)) && roomOf(path) !== PUBLISHED)
      .flatMap(({ path, text }) => exportsOf(text).map((name) => key(`src/${path}`, name)));
    expect(exported.length).toBeGreaterThan(500);
    expect(exported.filter((it) => !imported.has(it))).toEqual([]);
  });
});

it('no export is set later: the parts of the built program import values', () => {
  expect(modules.filter(({ text }) => /^export (let|var) /m.test(text)).map((it) => it.path)).toEqual([]);
});

describe('the test of exports notices', () => {
  it.each([
    ['export const a = 1;', ['a']],
    ['export async function b() {}', ['b']],
    ['export function* c() {}', ['c']],
    ['export class D {}\nexport interface E {}\nexport type F = D;', ['D', 'E', 'F']],
    ["export type { G, H as I } from './g.ts';\nexport { j, type K };", ['G', 'I', 'j', 'K']],
    ['export default 1;\nconst l = 1;', ['default']],
    ["export * from './m.ts';", ['*']],
  ])('the exports of %j', (text, names) => {
    expect([...exportsOf(text)].sort()).toEqual([...names].sort());
  });

  it.each([
    ["import { a, type B, c as d } from './x.ts';", ['a', 'B', 'c']],
    ["import type {\n  A,\n  B,\n} from './x.ts';", ['A', 'B']],
    ["export { a as b } from './x.ts';", ['a']],
    ["import * as all from './x.ts';\nall.a(all.b);", ['a', 'b']],
    ["const { a, b: c } = await import('./x.ts');", ['a', 'b']],
    ["(await import('./x.ts')).a();", ['a']],
    ["type A = import('./x.ts').B;", ['B']],
    ["import { a } from 'x';", []],
  ])('the imports of %j', (text, names) => {
    expect(importedNamesOf('src/room/y.ts', text)).toEqual(names.map((name) => ({ path: 'src/room/x.ts', name })));
  });
});
