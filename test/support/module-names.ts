import { join } from 'node:path';

/** One name of a module, as another module imports it. */
export interface ModuleName {
  /** The path of the module that has the name. */
  readonly path: string;
  readonly name: string;
}

const DECLARED =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:const|let|function\*?|class|interface|type|enum)\s+(\w+)/gm;
const LISTED = /^export\s+(?:type\s+)?\{([^}]*)\}/gm;
/** `export default` and `export *` have no name, so they are reported under these words. */
const NAMELESS = /^export\s+(default|\*)/gm;

/** The names that a module exports. */
export const exportsOf = (text: string): readonly string[] => [
  ...[...text.matchAll(DECLARED), ...text.matchAll(NAMELESS)].map(([, name = '']) => name),
  ...[...text.matchAll(LISTED)].flatMap(([, list = '']) => namesIn(list).map(({ outer }) => outer)),
];

/** `import { a, type B } from './x.ts'`, and the same as an export. */
const NAMES_FROM = /\b(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']*)'/g;
/** `const { a, b: c } = await import('./x.ts')`. */
const NAMES_LATER = /\{([^{}]*)\}\s*=\s*await\s+import\(\s*'(\.[^']*)'\s*\)/g;
/** `import * as all from './x.ts'`. */
const ALL_FROM = /\bimport\s+\*\s+as\s+(\w+)\s+from\s*'(\.[^']*)'/g;
/** `(await import('./x.ts')).a`, and the type `import('./x.ts').A`. */
const ONE_LATER = /\bimport\(\s*'(\.[^']*)'\s*\)\)?\.(\w+)/g;

/**
 * The names that a module imports from other modules of the project. For a namespace import, the names that it uses.
 */
export function importedNamesOf(path: string, text: string): readonly ModuleName[] {
  const from = (target: string, name: string): ModuleName => ({ path: join(path, '..', target), name });
  return [
    ...[...text.matchAll(NAMES_FROM), ...text.matchAll(NAMES_LATER)].flatMap(([, list = '', target = '']) =>
      namesIn(list).map(({ inner }) => from(target, inner)),
    ),
    ...[...text.matchAll(ALL_FROM)].flatMap(([, all = '', target = '']) =>
      [...text.matchAll(new RegExp(`\\b${all}\\.(\\w+)`, 'g'))].map(([, name = '']) => from(target, name)),
    ),
    ...[...text.matchAll(ONE_LATER)].map(([, target = '', name = '']) => from(target, name)),
  ];
}

/** `a, type B as C` as names inside and outside of the module that declares them. */
const namesIn = (list: string): readonly { readonly inner: string; readonly outer: string }[] =>
  list
    .split(',')
    .map((it) => it.trim().replace(/^type\s+/, ''))
    .filter((it) => it !== '')
    .map((it) => {
      const [inner = '', outer = inner] = it.split(/\s+as\s+|\s*:\s*/);
      return { inner, outer };
    });
