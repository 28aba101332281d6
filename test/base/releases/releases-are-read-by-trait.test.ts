import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RELEASE } from '../../../src/base/releases/release.ts';
import { traitsOf } from '../../../src/base/releases/traits.ts';

const SRC = new URL('../../../src/', import.meta.url).pathname;

/** Ways to ask which release or allocator it is, instead of what it does. */
const QUESTIONS: readonly RegExp[] = [
  /\bisAtLeast\(/,
  /(?:[!=]==?|[<>]=?) '(?:v?1\.\d|liqo-1\.\d|best-fit)/,
  /'(?:v?1\.\d|liqo-1\.\d|best-fit)[^']*' (?:[!=]==?|[<>]=?)/,
  /case '(?:v?1\.\d|liqo-1\.\d|best-fit)/,
  /\brelease\.(?:line|version)\)* *(?:[<>]=?|[!=]==) /,
  /\brelease\.(?:line|version)\.(?:startsWith|includes|match|localeCompare)\(/,
];

/** The proof of the allocators restates them one by one, and would prove nothing by reading the table they read. */
const RESTATED = 'proof/verify/expected/naive-ipam.ts';

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter(
  (it) => it.endsWith('.ts') && !/^base\/(?:releases|generated)\//.test(it) && it !== RESTATED,
);

const askingLines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((it) => it.trim())
    .filter((line) => !/^(?:\*|\/\/|\/\*)/.test(line) && QUESTIONS.some((it) => it.test(line)));

describe('what a release can do', () => {
  it('is read from releases/ by the name of a trait', () => {
    const found = files.flatMap((it) =>
      askingLines(readFileSync(join(SRC, it), 'utf8')).map((line) => `${it}: ${line}`),
    );
    expect(found).toEqual([]);
  });

  it('is a trait only if a room reads it', () => {
    const rooms = files.map((it) => readFileSync(join(SRC, it), 'utf8')).join('\n');
    const names = Object.keys(traitsOf(DEFAULT_RELEASE.line));
    expect(names.filter((it) => !new RegExp(`\\b${it}\\b`).test(rooms))).toEqual([]);
  });

  it.each([
    "if (isAtLeast(cluster.release, '1.2')) {",
    "return it.allocator === 'best-fit';",
    "if ('1.0' === release.line) {",
    "return line < '1.2';",
    "case 'liqo-1.2':",
    'return a.release.line >= b.release.line;',
    'if (cluster.release.version !== other) {',
    "release.version.startsWith('1.0')",
  ])('notices %s', (line) => {
    expect(askingLines(line)).toEqual([line]);
  });
});
