import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOMS, type Room, WINGS } from './rooms.ts';
import { cyclesOf, globalsOf, hasComputedImport, importsOf, roomOf, sourceFiles } from './support/source-files.ts';

const files = sourceFiles().map((it) => ({
  ...it,
  imports: importsOf(it.text),
  globals: globalsOf(it.text, it.path.endsWith('x') ? 'tsx' : 'ts'),
}));

/** A room that the table does not know may use nothing. */
const rowOf = (room: string): Room => ROOMS[room] ?? { imports: [], packages: [], builtins: [], globals: [] };

/** The file that an import of weft's own names, below `src/` or, as `schemas/`, beside it; for `#room` of package.json the room. */
const targetOf = (file: string, name: string): string =>
  name.startsWith('#') ? name.slice(1) : join(file, '..', name).replace(/^\.\.\//, '');

const isOwn = (name: string): boolean => /^[.#]/.test(name);

describe('the table of the rooms', () => {
  it('has a row for every room, and a room for every row', () => {
    expect(Object.keys(ROOMS).sort()).toEqual([...new Set(files.map((it) => roomOf(it.path)))].sort());
  });

  it('names nothing that its rooms no longer use', () => {
    const unused = Object.entries(ROOMS).flatMap(([room, row]) => {
      const own = files.filter((it) => roomOf(it.path) === room);
      const names = new Set(
        own.flatMap((it) => it.imports.map((name) => (isOwn(name) ? roomOf(targetOf(it.path, name)) : name))),
      );
      const globals = new Set(own.flatMap((it) => it.globals));
      return [
        ...row.imports.filter((it) => !names.has(it)),
        ...row.packages.filter((it) => !names.has(it)),
        ...row.builtins.filter((it) => !names.has(`node:${it}`)),
        ...row.globals.filter((it) => !globals.has(it)),
      ].map((it) => `${room}: ${it}`);
    });
    expect(unused).toEqual([]);
  });
});

describe.each(files)('$path', ({ path, text, imports, globals }) => {
  const room = roomOf(path);
  const row = rowOf(room);

  it('imports only rooms, packages and modules of Node that its room may', () => {
    expect(
      hasComputedImport(text) && !['build', 'start'].includes(room),
      'an import that no table can hold to anything',
    ).toBe(false);
    for (const name of imports) {
      if (name.startsWith('node:'))
        expect(row.builtins, `src/${path} imports ${name}`).toContain(name.slice('node:'.length));
      else if (!isOwn(name)) expect(row.packages, `src/${path} imports ${name}`).toContain(name);
      else if (roomOf(targetOf(path, name)) !== room)
        expect(row.imports, `src/${path} imports ${name}`).toContain(roomOf(targetOf(path, name)));
    }
  });

  it('reads only globals that its room may', () => {
    for (const name of globals) expect(row.globals, `src/${path} uses ${name}`).toContain(name);
  });
});

describe('the wings', () => {
  const wings = Object.entries(WINGS).map(([wing, rooms]) => ({ wing, rooms: Object.keys(rooms) }));
  const placeOf = (room: string): number => wings.findIndex((it) => it.rooms.includes(room));

  it('are the folders of src/, and each has the folders of its rooms', () => {
    const folders = new Set(
      files
        .map((it) => it.path)
        .filter((it) => it.includes('/'))
        .map((it) => it.split('/')[0]),
    );
    expect([...folders].sort()).toEqual(wings.map((it) => it.wing).sort());
    for (const { path } of files.filter((it) => it.path.includes('/')))
      expect(wings.find(({ wing }) => wing === path.split('/')[0])?.rooms, path).toContain(roomOf(path));
  });

  it('are imported by themselves and by wings below them alone', () => {
    const backwards = wings.flatMap(({ wing, rooms }, place) =>
      rooms.flatMap((room) =>
        (ROOMS[room]?.imports ?? []).filter((it) => placeOf(it) > place).map((it) => `${wing}/${room} imports ${it}`),
      ),
    );
    expect(backwards).toEqual([]);
  });
});

describe('closets', () => {
  /** Short files with one importer beside them, each with the reason. */
  const ARGUED: Readonly<Record<string, string>> = {};

  it('there is none: a helper with one caller is below it, in its file', () => {
    const importers = new Map<string, string[]>();
    for (const { path, imports } of files)
      for (const target of imports.filter(isOwn).map((it) => targetOf(path, it)))
        importers.set(target, [...(importers.get(target) ?? []), path]);
    const closets = files
      .filter(({ path, text }) => path.endsWith('.ts') && roomOf(path) !== 'generated' && text.split('\n').length <= 40)
      .map(({ path }) => ({ path, readers: [...new Set(importers.get(path) ?? [])] }))
      .filter(({ path, readers }) => readers.length === 1 && dirname(readers[0] ?? '') === dirname(path));
    expect(closets.map((it) => it.path)).toEqual(Object.keys(ARGUED));
  });
});

describe('circles', () => {
  it('there is none between rooms', () => {
    const rooms = Object.entries(ROOMS).map(
      ([room, { imports }]) => [room, imports.filter((it) => it in ROOMS)] as const,
    );
    expect(cyclesOf(new Map(rooms))).toEqual([]);
  });

  it('there is none between files, imports of types and lazy ones included', () => {
    const edges = files.map(
      ({ path, imports }) => [path, imports.filter(isOwn).map((it) => targetOf(path, it))] as const,
    );
    expect(cyclesOf(new Map(edges))).toEqual([]);
  });
});

describe('what the walls catch', () => {
  it.each([
    ['fetch', 'const answer = await fetch(url);', 'fetch'],
    ['a clock', 'const start = performance.now();', 'performance'],
    ['the process', 'const home = process.env.HOME;', 'process'],
    ['a timer', 'setTimeout(run, 10);', 'setTimeout'],
    ['crypto', 'const id = crypto.randomUUID();', 'crypto'],
    ['a deep copy', 'const copy = structuredClone(value);', 'structuredClone'],
    ['the time of day', 'const now = new Date();', 'Date'],
    ['chance', 'const drawn = Math.random();', 'Math.random'],
    ['a locale', 'names.sort((a, b) => a.localeCompare(b));', 'localeCompare'],
    ['a formatter', 'const text = new Intl.NumberFormat();', 'Intl'],
    ['a global under another name', 'const get = fetch; get(url);', 'fetch'],
    ['a global that is passed on', 'texts.map(atob);', 'atob'],
    ['a global that is spread', 'const bytes = [...atob(text)];', 'atob'],
    ['a global inside a template', `const text = \`at \${"x"} \${Date.now()}\`;`, 'Date'],
    ['a global behind a string with a quote in it', "const a = '\"'; const b = fetch;", 'fetch'],
    ['a global of a condition', 'const get = ok ? fetch : other;', 'fetch'],
    ['a global behind a condition', 'const a = ok ? one : Date;', 'Date'],
    ['a part of Math', 'const { random } = Math;', 'Math.random'],
    ['an index into Math', "const a = Math['random']();", 'Math.random'],
    ['a date in a language', 'const text = day.toLocaleDateString();', 'toLocale...'],
    ['the global object', "const get = globalThis['fetch'];", 'globalThis'],
  ])('%s', (_, code, name) => {
    expect(globalsOf(code)).toContain(name);
  });

  it.each([
    ['in a comment', '// The fetch of process and Date.\nconst a = 1; /* setTimeout */'],
    ['in a text', 'const a = \'fetch\'; const b = `the process`; const c = "Date";'],
    ['in a regular expression', 'const a = /fetch"/.test(text); const b = 1 / 2;'],
    ['as a property', 'const a = it.process; const b = { name: 1, Date: 2 }; const c = Math.max(a, b);'],
    ['as a type alone', 'const a = (it: Date): it is Date => it.b;'],
    ['declared here', 'const performance = 1; const a = performance;'],
  ])('not a name %s', (_, code) => {
    expect(globalsOf(code)).toEqual([]);
  });

  it.each([
    ["import { a } from 'left-pad';", 'left-pad'],
    ["import type { A } from './a.ts';", './a.ts'],
    ["export { a } from '@scope/package/part.js';", '@scope/package/part.js'],
    ["const a = await import('node:fs');", 'node:fs'],
    ["type A = import('./a.ts').A;", './a.ts'],
    ["import './effect.ts';", './effect.ts'],
    ["const { spawn } = process.getBuiltinModule('node:child_process');", 'node:child_process'],
    ["const { join } = require('node:path');", 'node:path'],
  ])('the import in %s', (code, name) => {
    expect(importsOf(code)).toEqual([name]);
  });

  it.each(['await import(name)', 'process.getBuiltinModule(name)', 'require(name)', 'createRequire(url)'])(
    'a computed import: %s',
    (code) => {
      expect(hasComputedImport(code)).toBe(true);
    },
  );

  it('a circle, also of one file', () => {
    const edges = new Map([
      ['a', ['b']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', ['d']],
      ['e', ['a']],
    ]);
    expect(cyclesOf(edges)).toEqual([['a', 'b', 'c'], ['d']]);
  });
});
