import { describe, expect, it } from 'vitest';
import { sourceFiles } from './support/source-files.ts';

/** A look-up that may find nothing, by a name for texts that people, clusters and files choose. */
const LOOK_UP = /\w\[(?:key|label|by|name|resource|oid|text|field)\](?:\s*\?\?|\?\.|\s*[!=]==)/;

/** A list of any length as the arguments of a call: above about 100,000 the stack overflows. */
const SPREAD =
  /(?:\bfrom(?:CharCode|CodePoint)|\bMath\.(?:max|min)|\.(?:push|unshift))\(\s*(?:[^(){}]|\([^()]*\))*?\.\.\.[^\n]*/g;

/** Keys that the code itself chooses, and maps of the process. */
const CHOSEN: readonly string[] = [
  'host/disk/run-git.ts',
  'host/front/host.ts',
  'host/front/pull-request/actions-context.ts',
  'host/front/pull-request/forges.ts',
  'host/front/pull-request/run-pull-request.ts',
  'host/git-remote/temporary-repository.ts',
  'host/forge/commits-of-weft.ts',
  'live/import/infer-gateway.ts',
  'live/import/templates-of.ts',
  'proof/verify/checks/argo-applies-every-cluster.ts',
];

/** Lists of one page of a forge's answer, of the command table, and of weft's own schemas. */
const BOUNDED: readonly string[] = [
  'host/build/document-schemas.mjs',
  'host/cli/run-weft.ts',
  'host/github/repository-content.ts',
];

const FILES = sourceFiles().filter(({ path }) => !/\/(generated|schema-types)\//.test(path));

const linesLike = (pattern: RegExp): readonly string[] =>
  FILES.flatMap(({ path, text }) =>
    text
      .split('\n')
      .filter((line) => !/^\s*(\/\/|\*)/.test(line) && pattern.test(line) && !line.includes('Object.hasOwn('))
      .map((line) => `${path}: ${line.trim()}`),
  );

const isChosen = (line: string): boolean => CHOSEN.some((it) => line.startsWith(`${it}: `));

describe('texts from outside', () => {
  it('are never looked up in a plain object, which has a `constructor`: Map, Object.hasOwn or valueAt', () => {
    expect(linesLike(LOOK_UP).filter((it) => !isChosen(it))).toEqual([]);
  });

  it('have no file among the exceptions that needs none', () => {
    const used = linesLike(LOOK_UP);
    expect(CHOSEN.filter((path) => !used.some((it) => it.startsWith(`${path}: `)))).toEqual([]);
  });

  it('are not spread into the arguments of a call, nor are lists: addAll, largest or smallest', () => {
    const found = FILES.flatMap(({ path, text }) => [...text.matchAll(SPREAD)].map(([call]) => `${path}: ${call}`));
    expect(found.filter((it) => !BOUNDED.some((path) => it.startsWith(`${path}: `)))).toEqual([]);
    expect(BOUNDED.filter((path) => !found.some((it) => it.startsWith(`${path}: `)))).toEqual([]);
    expect('files.push(\n  ...changes,\n)'.match(SPREAD)).not.toBeNull();
    expect('Math.max(0, ...lines.map((it) => it.length))'.match(SPREAD)).not.toBeNull();
  });
});
