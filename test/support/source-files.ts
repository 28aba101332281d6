import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { ROOMS } from '../rooms.ts';

export const SRC = new URL('../../src/', import.meta.url).pathname;

export interface SourceFile {
  /** Below `src/`. */
  readonly path: string;
  readonly text: string;
}

/** Every module below `src/`: TypeScript, the build's own scripts, and what the build generates. */
export function sourceFiles(): readonly SourceFile[] {
  return readdirSync(SRC, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile() && /\.(tsx?|[cm]?js)$/.test(it.name))
    .map((it) => join(it.parentPath ?? it.path, it.name).slice(SRC.length))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(SRC, path), 'utf8') }));
}

/** The room that a file is in: the folder below its wing, or the wing itself; at the top the folder or the file. */
export function roomOf(path: string): string {
  const [wing = '', room = ''] = path.split('/');
  return Object.hasOwn(ROOMS, room) ? room : wing;
}

const IMPORT = /\b(?:from|import|require|getBuiltinModule)\s*\(?\s*(['"])([^'"\n]+)\1/g;

/** The modules that a module imports or re-exports, also lazily or only as a type. */
export const importsOf = (text: string): readonly string[] =>
  [...withoutComments(text).matchAll(IMPORT)].map((it) => it[2] as string).filter((it) => /^[@#\w.]/.test(it));

/** Imports whose target is computed, which no table can hold to anything. */
export const hasComputedImport = (text: string): boolean =>
  /\b(?:import|getBuiltinModule)\s*\(\s*[^'"\s)]/.test(withoutComments(text)) ||
  /\brequire\s*\(\s*[^'"\s)]|\bcreateRequire\s*\(/.test(withoutComments(text));

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm, '');

/** Code alone: no types, no comments, nothing between quotes but what a template computes. */
function codeOf(text: string, loader: 'ts' | 'tsx'): string {
  const { code } = transformSync(text, { loader, jsx: 'automatic', legalComments: 'none', target: 'esnext' });
  return withoutTexts(code).replace(/^import\s.*$/gm, '');
}

// A slash opens an expression where no value precedes it.
const TEXT =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<=(?:^|[-(,=:[!&|?{};+]|=>|return|typeof|case)\s*)\/(?![*/])(?:[^/\\[\n]|\\.|\[(?:[^\]\\]|\\.)*\])+\/\w*/y;
const TEMPLATE = /(?:[^`\\$]|\\.|\$(?!\{))*/y;

function withoutTexts(code: string): string {
  let [left, at] = ['', 0];
  // The number of open braces in each open `${`.
  const open: number[] = [];
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    const found = pattern.exec(code);
    at += found?.[0].length ?? 0;
    return found !== null;
  };
  const skipTemplate = (): void => {
    skip(TEMPLATE);
    if (code.startsWith('${', at)) open.push(0);
    at += code.startsWith('${', at) ? 2 : 1;
    left += ' ';
  };
  while (at < code.length) {
    if (skip(TEXT)) left += '""';
    else if (code[at] === '`') {
      at += 1;
      skipTemplate();
    } else if (code[at] === '}' && open.at(-1) === 0) {
      open.pop();
      at += 1;
      skipTemplate();
    } else {
      if (open.length > 0 && '{}'.includes(code[at] as string))
        open[open.length - 1] = (open.at(-1) ?? 0) + (code[at] === '{' ? 1 : -1);
      left += code[at];
      at += 1;
    }
  }
  return left;
}

/** The globals of the language itself, with the same results on every machine and at any time. */
const LANGUAGE = new Set(
  [
    'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Error EvalError Float32Array',
    'Float64Array Infinity Int16Array Int32Array Int8Array JSON Map Math NaN Number Object Promise Proxy RangeError',
    'ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array',
    'Uint8ClampedArray WeakMap WeakSet decodeURI decodeURIComponent encodeURI encodeURIComponent isFinite isNaN parseFloat',
    'parseInt undefined Iterator',
  ]
    .join(' ')
    .split(' '),
);

const GLOBALS = [
  ...Object.getOwnPropertyNames(globalThis).filter((it) => /^[a-zA-Z]\w*$/.test(it) && !LANGUAGE.has(it)),
  ...['Date', 'Intl', 'eval', 'Function', 'globalThis', 'require', 'module', '__dirname', '__filename'],
  // These are of browsers; the compiler finds those with common names, such as `document`, because only the page has their types.
  ...[
    'DOMParser',
    'Worker',
    'XMLHttpRequest',
    'addEventListener',
    'localStorage',
    'postMessage',
    'removeEventListener',
  ],
];

/** Answers that depend on the locale, the time zone or chance, however they are asked for. */
const VARYING: readonly (readonly [name: string, pattern: RegExp])[] = [
  // Math is used by its functions alone: a Math that is taken apart or indexed may be its random one.
  ['Math.random', /(?<![\w$.])Math(?!\.(?!random\b)[a-zA-Z])/],
  ['localeCompare', /\blocaleCompare\b/],
  ['toLocale...', /\btoLocale[A-Z]\w*/],
  ['import.meta', /\bimport\.meta\b/],
];

/** The globals that a module reads, those of the language left out; names that it declares itself count as its own. */
export function globalsOf(text: string, loader: 'ts' | 'tsx' = 'ts'): readonly string[] {
  const code = codeOf(text, loader);
  const withoutKeys = code.replace(/([{,]\s*)[\w$]+(?=\s*:)/g, '$1');
  const used = [...new Set(GLOBALS)].filter((name) => {
    if (!new RegExp(`(?<![\\w$])(?<!(?<!\\.\\.)\\.)${name}(?![\\w$])`).test(withoutKeys)) return false;
    const declared = new RegExp(`\\b(?:const|let|var|function\\*?|class)\\s+${name}\\b`);
    return !declared.test(code) && !isImported(text, name);
  });
  return [...used, ...VARYING.filter(([, pattern]) => pattern.test(code)).map(([name]) => name)];
}

const isImported = (text: string, name: string): boolean =>
  [...text.matchAll(/^import\s+([^'"]+)\s+from/gm)].some((it) => new RegExp(`\\b${name}\\b`).test(it[1] as string));

/** Groups of files that import each other in a circle. Tarjan's algorithm; `edges` has a row for every file. */
export function cyclesOf(edges: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) as number);
    stack.push(file);
    for (const next of edges.get(file) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(file, Math.min(low.get(file) as number, low.get(next) as number));
    }
    if (low.get(file) !== index.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1 || edges.get(file)?.includes(file)) cycles.push(group.sort());
  };
  for (const file of edges.keys()) if (!index.has(file)) visit(file);
  return cycles;
}
